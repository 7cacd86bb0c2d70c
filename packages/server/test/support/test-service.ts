// The whole service, in this process, on a database of its own and a free port. Requests carry the token of its
// administrator where they bring no `authorization` of their own. When the tests are done, nothing that it answered,
// logged or stored may hold a secret.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, inject } from 'vitest';
import { type Environment, loadSettings } from '../../src/config/load-settings.ts';
import type { Settings } from '../../src/config/settings-table.ts';
import type { Observation } from '../../src/observe/observation.ts';
import { type Service, startService } from '../../src/service.ts';
import { administrator, administratorSettings, fetchToken } from './access.ts';
import {
  expectNoneFound,
  PlantedSecrets,
  plantSettings,
  plantSigningKeys,
  recordSearched,
  watchAnswers,
} from './planted-secrets.ts';
import { type TestDatabase, useTestDatabase } from './test-database.ts';

export interface TestService {
  readonly database: TestDatabase;
  /** Gone when the tests are done. */
  readonly dataDir: string;
  /** Everything the service has said so far. */
  readonly observations: Observation[];
  /** What it must not let out; a test that makes a secret plants it here. */
  readonly secrets: PlantedSecrets;
  /** Known once the tests run: `http://127.0.0.1:41234`. */
  url(): string;
  /** Of the administrator. */
  token(): string;
  /** `get('/ws/rest/Port')`, and so on: parsed body, status and headers. */
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  delete(path: string, headers?: Record<string, string>): Promise<Answer>;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  body: any;
}

/** To be called at the top of a test file or of a `describe`. `environment` adds settings. */
export function useTestService(environment: Environment = {}): TestService {
  const database = useTestDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'flaghoist-test-'));
  const observations: Observation[] = [];
  const secrets = new PlantedSecrets();
  let settings: Settings;
  let service: Service;
  let stopWatching: () => void;
  let token = '';
  beforeAll(async () => {
    ({ settings } = loadSettings({
      FLAGHOIST_PORT: '0',
      DATABASE_URL: database.url,
      FLAGHOIST_STOP_TIMEOUT_SECONDS: '2',
      FLAGHOIST_REFERENCE_DATA: 'skip',
      FLAGHOIST_DATA_DIR: dataDir,
      FLAGHOIST_DNS_SERVERS: inject('dnsServer'),
      ...administratorSettings,
      ...environment,
    }));
    plantSettings(secrets, settings);
    stopWatching = watchAnswers(secrets, () => service && Number(new URL(service.localUrl).port));
    service = await startService(settings, (observation) => observations.push(observation));
    await plantSigningKeys(secrets, database.pool, settings.encryptionKey!);
    token = await fetchToken(service.localUrl, administrator);
    secrets.plantToken('the token of the administrator', token);
  });
  afterAll(async () => {
    await service?.stop();
    rmSync(dataDir, { recursive: true, force: true });
    stopWatching?.();
    if (token === '') return;
    // Those that were made meanwhile as well.
    await plantSigningKeys(secrets, database.pool, settings.encryptionKey!);
    secrets.searchLog(observations);
    await secrets.searchTables(database.pool);
    recordSearched(secrets);
    expectNoneFound(secrets);
  });

  const send = async (
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const content = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetch(`${service.localUrl}${path}`, {
      method,
      headers: { ...type, authorization: `Bearer ${token}`, ...headers },
      ...content,
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text,
    };
  };
  return {
    database,
    dataDir,
    observations,
    secrets,
    url: () => service.localUrl,
    token: () => token,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    put: (path, body, headers) => send('PUT', path, body, headers),
    delete: (path, headers) => send('DELETE', path, undefined, headers),
  };
}
