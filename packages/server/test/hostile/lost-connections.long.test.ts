// Connections that lead nowhere while new ones work: a failover by a virtual address, a firewall that forgets them.
// Whoever waits on one gets 503 in time, idle ones are not used again, and a slow statement on a connection that works
// is left alone.

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { loadSettings } from '../../src/config/load-settings.ts';
import { Database } from '../../src/database/database.ts';
import { DatabaseAway } from '../../src/database/database-away.ts';
import { ServerHosts } from '../../src/database/server-hosts.ts';
import { ServerWatch } from '../../src/database/server-watch.ts';
import type { Observation } from '../../src/observe/observation.ts';
import { type Service, startService } from '../../src/service.ts';
import { administrator, administratorSettings, fetchToken } from '../support/access.ts';
import { DatabaseRelay } from '../support/database-relay.ts';
import { useTestDatabase } from '../support/test-database.ts';

const { url, pool } = useTestDatabase();

async function openRelay(): Promise<DatabaseRelay> {
  const relay = new DatabaseRelay();
  await relay.open();
  onTestFinished(() => relay.close());
  return relay;
}

/** Statements may take longer than a test: only their connections can end them in time. */
function openDatabase(databaseUrl: string, watch?: ServerWatch): Database {
  const database = new Database({
    url: databaseUrl,
    observe: () => undefined,
    connectionsMax: 2,
    statementTimeoutMs: 60_000,
    ...(watch && { watch }),
  });
  onTestFinished(() => database.close());
  return database;
}

/** The backends that execute `pg_sleep($1)`. */
async function sleepersOf(seconds: number): Promise<number[]> {
  const { rows } = await pool.query(
    `select pid from pg_stat_activity
     where state = 'active' and query = $1 and datname = current_database()`,
    [sleep(seconds)],
  );
  return rows.map(({ pid }) => pid);
}

const sleep = (seconds: number) => `select pg_sleep(${seconds})`;

describe('a statement fails in time', () => {
  test('if the server has never received it', async () => {
    const relay = await openRelay();
    const database = openDatabase(relay.urlOf(url));
    await database.run({ text: 'select 1' });
    relay.freeze();
    await expect(database.run({ text: 'select 1' })).rejects.toThrow(DatabaseAway);
    expect(await database.run({ text: 'select 1 as one' })).toEqual([{ one: 1 }]);
  });

  test('in the middle of a transaction', async () => {
    const relay = await openRelay();
    const database = openDatabase(relay.urlOf(url));
    const transaction = database.transaction({ userKey: undefined, client: 'test' }, async ({ run }) => {
      await run({ text: 'select 1' });
      relay.freeze();
      await run({ text: 'select 1' });
    });
    await expect(transaction).rejects.toThrow(DatabaseAway);
  });

  test('if the server is another one by now, which does not know it', async () => {
    const relay = await openRelay();
    const database = openDatabase(relay.urlOf(url));
    const sleeping = expect(database.run({ text: sleep(50) })).rejects.toThrow(DatabaseAway);
    await expect.poll(() => sleepersOf(50)).toHaveLength(1);
    relay.freeze();
    await pool.query('select pg_terminate_backend(pid) from unnest($1::int[]) pid', [await sleepersOf(50)]);
    await sleeping;
  });

  test('if nobody listens at the address of the server any more', async () => {
    const relay = await openRelay();
    const database = openDatabase(relay.urlOf(url));
    const sleeping = expect(database.run({ text: sleep(51) })).rejects.toThrow(DatabaseAway);
    await expect.poll(() => sleepersOf(51)).toHaveLength(1);
    relay.freeze();
    relay.refuse();
    await sleeping;
  });
});

test('a statement that takes its time is left alone while other connections are lost', async () => {
  const relay = await openRelay();
  const watch = new ServerWatch(new ServerHosts(url, () => undefined), () => undefined);
  onTestFinished(() => watch.stop());
  const [lost, alive] = [openDatabase(relay.urlOf(url), watch), openDatabase(url, watch)];
  await lost.run({ text: 'select 1' });
  relay.freeze();
  const sleeping = alive.run({ text: 'select 1 as done from pg_sleep(9)' });
  await expect(lost.run({ text: 'select 1' })).rejects.toThrow(DatabaseAway);
  expect(await sleeping).toEqual([{ done: 1 }]);
});

describe('a service', () => {
  const relay = new DatabaseRelay();
  const observations: Observation[] = [];
  let service: Service;
  let token: string;
  beforeAll(async () => {
    await relay.open();
    const { settings } = loadSettings({
      FLAGHOIST_PORT: '0',
      FLAGHOIST_REFERENCE_DATA: 'skip',
      DATABASE_URL: relay.urlOf(url),
      ...administratorSettings,
    });
    service = await startService(settings, (observation) => observations.push(observation));
    token = await fetchToken(service.localUrl, administrator);
  });
  afterAll(async () => {
    await service?.stop();
    await relay.close();
  });

  async function ask(method: 'GET' | 'POST', path: string): Promise<{ status: number; message: string }> {
    const response = await fetch(`${service.localUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(method === 'POST' ? { body: '{"vesselName":"Lost Line"}' } : {}),
    });
    const { message = '' } = (await response.json()) as { message?: string };
    return { status: response.status, message };
  }

  const count = async (sql: string) => Number((await pool.query(sql)).rows[0].count);

  test('answers 503 within 10 s and works again within 15 s, its workers too', async () => {
    // Several connections in the pool: one that is lost must not cost one request each.
    await Promise.all(Array.from({ length: 8 }, () => ask('GET', '/ws/rest/Vessel')));
    const startedAt = performance.now();
    relay.freeze();
    const answers = await Promise.all([ask('GET', '/ws/rest/Vessel'), ask('POST', '/ws/rest/Vessel')]);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
    expect(answers[0]!.message).toMatch(/cannot be reached/);

    const after = await Promise.all(Array.from({ length: 8 }, () => ask('POST', '/ws/rest/Vessel')));
    expect(new Set(after.map(({ status }) => status))).toEqual(new Set([201]));
    await expect
      .poll(() => count('select count(*) from flaghoist_system.unmatched_event'), { timeout: 20_000 })
      .toBe(0);
    const living = 'select count(*) from flaghoist_system.delivery_worker where alive_until > now()';
    await expect.poll(() => count(living), { timeout: 20_000 }).toBeGreaterThan(0);
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    expect(observations.filter(({ kind }) => kind === 'request.failed')).toEqual([]);
  });
});
