// The whole service, in this process, on a database of its own and a free port.

import { afterAll, beforeAll } from 'vitest';
import { type Environment, loadSettings } from '../../src/config/load-settings.ts';
import type { Observation } from '../../src/observability/observation.ts';
import { type Service, startService } from '../../src/service.ts';
import { type TestDatabase, useTestDatabase } from './test-database.ts';

export interface TestService {
  readonly database: TestDatabase;
  /** Everything the service has said so far. */
  readonly observations: Observation[];
  /** Known once the tests run: `http://127.0.0.1:41234`. */
  url(): string;
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
  const observations: Observation[] = [];
  let service: Service;
  beforeAll(async () => {
    const { settings } = loadSettings({
      FLAGHOIST_PORT: '0',
      DATABASE_URL: database.url,
      FLAGHOIST_STOP_TIMEOUT_SECONDS: '2',
      FLAGHOIST_REFERENCE_DATA: 'skip',
      ...environment,
    });
    service = await startService(settings, (observation) => observations.push(observation));
  });
  afterAll(() => service?.stop());

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
      headers: { ...type, ...headers },
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
    observations,
    url: () => service.localUrl,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    put: (path, body, headers) => send('PUT', path, body, headers),
    delete: (path, headers) => send('DELETE', path, undefined, headers),
  };
}
