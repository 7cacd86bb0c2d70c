// The database goes away, comes back, or takes too long: callers get a 503 with the error body, and nothing needs a
// restart of ours.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Environment, loadSettings } from '../../src/config/load-settings.ts';
import type { ObjectsContext } from '../../src/objects/objects-context.ts';
import { translateDatabaseError } from '../../src/objects/translate-database-error.ts';
import type { Observation } from '../../src/observe/observation.ts';
import { type Service, startService } from '../../src/service.ts';
import { administrator, administratorSettings, fetchToken } from '../support/access.ts';
import { DatabaseRelay } from '../support/database-relay.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { create, freshCode } from '../support/fleet.ts';
import { holdRow } from '../support/held-lock.ts';
import { useTestDatabase } from '../support/test-database.ts';
import { type Answer, useTestService } from '../support/test-service.ts';
import { describeUnharmed } from './unharmed.ts';

const service = useTestService({ FLAGHOIST_STATEMENT_TIMEOUT_SECONDS: '2' });
let key: number;
beforeAll(async () => {
  ({ key } = await create(service, 'Vessel', { vesselName: 'Storm Petrel' }));
});

/** Those of the service that match, as seen by the server. */
async function terminate(condition: string): Promise<number> {
  const { rows } = await service.database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'flaghoist' and datname = current_database() and ${condition}`,
  );
  return rows.length;
}

function expectAway(answer: Answer): void {
  expectErrorBody(answer, 503);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
}

describe('a connection that is lost in the middle of a request', () => {
  const path = () => `/ws/rest/Vessel/${key}`;
  const waiting: [string, () => Promise<Answer>][] = [
    ['a PUT in one round trip', () => service.put(path(), { flag: 'NO' })],
    ['a PUT in several', () => service.put(path(), { flag: 'NO' }, { 'if-match': '*' })],
    ['a DELETE in one round trip', () => service.delete(path())],
    ['a DELETE in several', () => service.delete(path(), { 'if-match': '*' })],
  ];

  test.each(waiting)('is a 503 with Retry-After, and the next request is served: %s', async (_, send) => {
    const held = await holdRow(service, 'vessel', key);
    const sent = send();
    await held.waiters(1);
    expect(await terminate("wait_event_type = 'Lock'")).toBe(1);
    expectAway(await sent);
    await held.letGo();
    const read = await service.get(path());
    expect([read.status, read.body.flag]).toEqual([200, null]);
  });

  test('leaves no half of a change: the repeat under the same Idempotency-Key creates the object once', async () => {
    const vesselName = `Once ${freshCode('V', 6)}`;
    const headers = { 'idempotency-key': freshCode('retry-', 12) };
    const client = await service.database.pool.connect();
    await client.query('begin');
    await client.query('lock table flaghoist.vessel in share mode');
    const first = service.post('/ws/rest/Vessel', { vesselName }, headers);
    await expect.poll(() => terminate("wait_event_type = 'Lock'"), { timeout: 10_000, interval: 10 }).toBe(1);
    expectAway(await first);
    await client.query('rollback');
    client.release();
    const second = await service.post('/ws/rest/Vessel', { vesselName }, headers);
    const third = await service.post('/ws/rest/Vessel', { vesselName }, headers);
    expect([second.status, third.status, third.body.key]).toEqual([201, 201, second.body.key]);
    expect((await service.get(`/ws/rest/Vessel?filter=vesselName(EQ)${vesselName}`)).body).toHaveLength(1);
  });

  test('of many at once: each request gets its answer or a 503, and what was acknowledged is there', async () => {
    const code = freshCode('M', 6);
    const storm = Array.from({ length: 200 }, (_, index) =>
      service.post('/ws/rest/Vessel', { vesselName: `${code} ${index}` }),
    );
    for (let blow = 0; blow < 10; blow++) await terminate('true');
    const answers = await Promise.all(storm);
    for (const answer of answers) if (answer.status !== 201) expectAway(answer);
    const { body } = await service.get(`/ws/rest/Vessel?filter=vesselName(LIKE)${code}%25`);
    const stored = new Set(body.map((vessel: { key: number }) => vessel.key));
    for (const { status, body: vessel } of answers) if (status === 201) expect(stored.has(vessel.key)).toBe(true);
  });

  test('while it is idle is noticed without harm', async () => {
    await Promise.all(Array.from({ length: 20 }, () => service.get(path())));
    await terminate('true');
    await expect.poll(async () => (await service.get(path())).status, { timeout: 10_000, interval: 50 }).toBe(200);
  });
});

describe('a statement that takes too long', () => {
  test('is a 503, and the connection goes on', async () => {
    const held = await holdRow(service, 'vessel', key);
    const answers = await Promise.all([
      service.put(`/ws/rest/Vessel/${key}`, { flag: 'NO' }),
      service.put(`/ws/rest/Vessel/${key}`, { flag: 'NO' }, { 'if-match': '*' }),
      service.delete(`/ws/rest/Vessel/${key}`),
    ]);
    for (const answer of answers) expectErrorBody(answer, 503);
    await held.letGo();
    expect((await service.put(`/ws/rest/Vessel/${key}`, { flag: 'NO' })).status).toBe(200);
  });
});

describe('an answer that is larger than the database can make', () => {
  test('is a 413 that says to ask for less', async () => {
    const refusal: unknown = await service.database.pool
      .query("select repeat('x', 2000000000)")
      .catch((error) => error);
    const told = await translateDatabaseError(refusal, { places: new Map() } as unknown as ObjectsContext, undefined);
    expect(told).toMatchObject({ status: 413, message: expect.stringMatching(/select less/i) });
  });
});

describe('a database that is gone for a while', () => {
  const database = useTestDatabase();
  const relay = new DatabaseRelay();
  const observations: Observation[] = [];
  let away: Service;
  let token: string;
  beforeAll(async () => {
    await relay.open();
    const environment: Environment = {
      FLAGHOIST_PORT: '0',
      FLAGHOIST_REFERENCE_DATA: 'skip',
      FLAGHOIST_STOP_TIMEOUT_SECONDS: '2',
      DATABASE_URL: relay.urlOf(database.url),
      ...administratorSettings,
    };
    const { settings } = loadSettings(environment);
    away = await startService(settings, (observation) => observations.push(observation));
    token = await fetchToken(away.localUrl, administrator);
  });
  afterAll(async () => {
    await away?.stop();
    await relay.close();
  });

  async function ask(method: string, path: string, authorization = `Bearer ${token}`): Promise<Answer> {
    const response = await fetch(`${away.localUrl}${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(method === 'POST' || method === 'PUT' ? { body: '{"vesselName":"Back Again"}' } : {}),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: text === '' ? '' : JSON.parse(text) };
  }

  const told = (kind: Observation['kind']) => observations.filter((observation) => observation.kind === kind);

  /** The rest of the metrics is there in any case. */
  async function backlogTold(): Promise<boolean> {
    const response = await fetch(`${away.localUrl}/metrics`);
    const text = await response.text();
    expect([response.status, text]).toEqual([200, expect.stringContaining('process_uptime_seconds')]);
    return text.includes('flaghoist_backlog{');
  }

  test(
    'makes every request a 503 with Retry-After, is told once, keeps the process alive, and is taken up again by ' +
      'itself',
    async () => {
      const { body } = await ask('POST', '/ws/rest/Vessel');
      const requests = [
        ['GET', '/ws/rest/Vessel'],
        ['GET', `/ws/rest/Vessel/${body.key}`],
        ['POST', '/ws/rest/Vessel'],
        ['PUT', `/ws/rest/Vessel/${body.key}`],
        ['DELETE', `/ws/rest/Vessel/${body.key}`],
        ['GET', '/health/ready'],
      ] as const;
      for (let round = 0; round < 2; round++) {
        await relay.close();
        for (const [method, path] of requests) expectAway(await ask(method, path));
        expect(told('database.unavailable')).toHaveLength(round + 1);
        expect((await ask('GET', '/health/live')).status).toBe(200);
        expect(await backlogTold()).toBe(false);
        expectErrorBody(await ask('GET', '/nonsense'), 404);
        await relay.open();
        await expect
          .poll(async () => (await ask('GET', '/health/ready')).status, { timeout: 10_000, interval: 50 })
          .toBe(200);
        expect((await ask('GET', `/ws/rest/Vessel/${body.key}`)).status).toBe(200);
        await expect.poll(() => told('database.available').length, { timeout: 10_000 }).toBe(round + 1);
      }
      expect(told('database.available')[0]).toMatchObject({ problem: 'away', failures: expect.any(Number) });
      expect(await backlogTold()).toBe(true);
      expect(observations.filter(({ kind }) => kind === 'request.failed')).toEqual([]);
    },
  );
});

describeUnharmed(service);
