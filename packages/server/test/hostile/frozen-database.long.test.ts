// A PostgreSQL server that is frozen: every request is answered with 503 in time, a slow statement of a healthy server
// is left alone, and the service goes on by itself when the server does.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { freezeServer } from '../../../../endurance/hardships/freeze-server.ts';
import { loadSettings } from '../../src/config/load-settings.ts';
import { Database } from '../../src/database/database.ts';
import { startEmbedded } from '../../src/database/embedded-server.ts';
import { waitForServer } from '../../src/database/wait-for-server.ts';
import type { Observation } from '../../src/observe/observation.ts';
import { type Service, startService } from '../../src/service.ts';
import { administrator, administratorSettings, fetchToken } from '../support/access.ts';

const isLinux = process.platform === 'linux';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'flaghoist-frozen-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe.skipIf(!isLinux)('a service whose server is frozen', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'flaghoist-frozen-'));
  const observations: Observation[] = [];
  let service: Service;
  let token: string;

  beforeAll(async () => {
    const { settings } = loadSettings({
      FLAGHOIST_PORT: '0',
      FLAGHOIST_DATA_DIR: dataDir,
      FLAGHOIST_REFERENCE_DATA: 'skip',
      ...administratorSettings,
    });
    service = await startService(settings, (observation) => void observations.push(observation));
    token = await fetchToken(service.localUrl, administrator);
  });
  afterAll(async () => {
    await service?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const ask = async (method: string, path: string) => {
    const startedAt = performance.now();
    const response = await fetch(`${service.localUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(method === 'GET' ? {} : { body: '{"vesselName":"Still Life"}' }),
    });
    const { key } = (await response.json()) as { key?: number };
    return { status: response.status, key, tookMs: performance.now() - startedAt };
  };

  test('answers every request with 503 within 10 s, and goes on by itself', async () => {
    const { key } = await ask('POST', '/ws/rest/Vessel');
    const requests = [
      ['GET', '/ws/rest/Vessel'],
      ['GET', `/ws/rest/Vessel/${key}`],
      ['PUT', `/ws/rest/Vessel/${key}`],
      ['POST', '/ws/rest/Vessel'],
      ['GET', '/health/ready'],
    ] as const;
    const thaw = freezeServer(dataDir);
    onTestFinished(thaw);
    // Those that meet the frozen server first, and those that come when it is known.
    for (let round = 0; round < 2; round += 1)
      for (const { status, tookMs } of await Promise.all(requests.map(([method, path]) => ask(method, path)))) {
        expect(status).toBe(503);
        expect(tookMs).toBeLessThan(10_000);
      }
    expect((await ask('GET', '/health/live')).status).toBe(200);
    thaw();
    await expect.poll(async () => (await ask('GET', '/health/ready')).status, { timeout: 20_000 }).toBe(200);
    expect((await ask('PUT', `/ws/rest/Vessel/${key}`)).status).toBe(200);
    expect(observations.filter(({ kind }) => kind === 'request.failed')).toEqual([]);
  });
});

test('a statement that takes its time on a healthy server is left alone', async () => {
  const server = await startEmbedded({ dataDir: newFolder(), observe: () => undefined });
  onTestFinished(() => server.stop());
  const options = { url: server.url, observe: () => undefined, connectionsMax: 1, statementTimeoutMs: 30_000 };
  const database = new Database(options);
  onTestFinished(() => database.close());
  expect(await database.run({ text: 'select 1 as done from pg_sleep(7)' })).toEqual([{ done: 1 }]);
});

describe.skipIf(!isLinux)('with a server that is frozen', { timeout: 90_000 }, () => {
  const settingsFor = (environment: Record<string, string>) =>
    loadSettings({
      FLAGHOIST_PORT: '0',
      FLAGHOIST_REFERENCE_DATA: 'skip',
      ...administratorSettings,
      ...environment,
    }).settings;

  test('a service stops in time', async () => {
    const dataDir = newFolder();
    const settings = settingsFor({ FLAGHOIST_DATA_DIR: dataDir });
    const service = await startService(settings, () => undefined);
    onTestFinished(freezeServer(dataDir));
    const startedAt = performance.now();
    await service.stop();
    expect(performance.now() - startedAt).toBeLessThan(settings.stopTimeoutMs);
  });

  test('a service whose server is not its own stops in time', async () => {
    const dataDir = newFolder();
    const server = await startEmbedded({ dataDir, observe: () => undefined });
    onTestFinished(() => server.stop());
    const settings = settingsFor({ FLAGHOIST_DATA_DIR: newFolder(), DATABASE_URL: server.url });
    const service = await startService(settings, () => undefined);
    onTestFinished(freezeServer(dataDir));
    const startedAt = performance.now();
    await service.stop();
    expect(performance.now() - startedAt).toBeLessThan(settings.stopTimeoutMs);
  });

  test('a start says what it waits for, and goes on when it is there', async () => {
    const dataDir = newFolder();
    const server = await startEmbedded({ dataDir, observe: () => undefined });
    onTestFinished(() => server.stop());
    const thaw = freezeServer(dataDir);
    onTestFinished(thaw);
    const observations: Observation[] = [];
    const version = waitForServer(server.url, (observation) => void observations.push(observation));
    await expect
      .poll(() => observations, { timeout: 20_000 })
      .toEqual([{ kind: 'database.waiting', reason: 'it does not answer' }]);
    thaw();
    expect(await version).toMatch(/^\d/);
  });
});
