// A primary and its standby. The service uses the primary, wherever it stands in DATABASE_URL, and follows it. What was
// answered exists after a failover, and nothing is written to a former primary that comes back.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { PostgresPair } from '../../../../endurance/failover/postgres-pair.ts';
import { loadSettings } from '../../src/config/load-settings.ts';
import { Database } from '../../src/database/database.ts';
import { DatabaseAway, DatabaseStuck } from '../../src/database/database-away.ts';
import type { Observation } from '../../src/observe/observation.ts';
import { type Service, startService } from '../../src/service.ts';
import { administrator, administratorSettings, fetchToken } from '../support/access.ts';

const folder = mkdtempSync(join(tmpdir(), 'flaghoist-failover-'));
const observations: Observation[] = [];
let pair: PostgresPair;
let service: Service;
let token: string;

/** Long enough for a probe of a server that does not answer, on a busy machine. */
const patience = { timeout: 30_000, interval: 100 };

beforeAll(async () => {
  pair = await PostgresPair.start(folder);
  const { settings } = loadSettings({
    FLAGHOIST_PORT: '0',
    FLAGHOIST_REFERENCE_DATA: 'skip',
    // The standby comes first.
    DATABASE_URL: `${pair.urlOfAll([1, 0])}?target_session_attrs=primary`,
    ...administratorSettings,
  });
  service = await startService(settings, (observation) => void observations.push(observation));
  token = await fetchToken(service.localUrl, administrator);
}, 120_000);
afterAll(async () => {
  await service?.stop();
  await pair?.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  observations.length = 0;
});

/** Returns the key of the new vessel; undefined if the request failed. */
async function createVessel(vesselName: string): Promise<number | undefined> {
  const response = await fetch(`${service.localUrl}/ws/rest/Vessel`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ vesselName }),
  });
  const { key } = (await response.json()) as { key?: number };
  expect([201, 503]).toContain(response.status);
  return response.status === 201 ? key : undefined;
}

async function vesselsOn(server: number, vesselName: string): Promise<number[]> {
  const rows = await pair.ask(server, 'select "key"::int from flaghoist.vessel where vessel_name = $1', [vesselName]);
  return rows.map(({ key }) => key as number);
}

/** Of the service, on this server. */
async function countConnections(server: number): Promise<number> {
  const statement = `select count(*)::int from pg_stat_activity
    where application_name in ('flaghoist', 'flaghoist wake-up') and backend_type = 'client backend'`;
  return (await pair.ask(server, statement))[0]!.count as number;
}

const changes = () => observations.filter(({ kind }) => kind === 'database.primaryChanged');
const nameOf = (server: number) => `127.0.0.1:${pair.portOf(server)}`;

test('the primary is found although the standby comes first, and the standby is left alone', async () => {
  expect(await createVessel('Found')).toEqual(expect.any(Number));
  expect(await vesselsOn(pair.primary, 'Found')).toHaveLength(1);
  expect(await countConnections(pair.primary)).toBeGreaterThan(1);
  expect(await countConnections(pair.standby)).toBe(0);
  expect(changes()).toEqual([]);
});

test('a connection to a standby is not used if a primary is needed', async () => {
  const url = `${pair.urlOf(pair.standby)}?target_session_attrs=primary`;
  const options = { observe: () => undefined, connectionsMax: 1, statementTimeoutMs: 10_000 };
  const [strict, lax] = [new Database({ url, ...options }), new Database({ url: url.split('?')[0]!, ...options })];
  onTestFinished(() => Promise.all([strict.close(), lax.close()]).then(() => undefined));
  await expect(strict.run({ text: 'select 1' })).rejects.toThrow(DatabaseAway);
  expect(await lax.run({ text: 'select 1 as one' })).toEqual([{ one: 1 }]);
});

test('what was answered while the primary was killed exists on the new one, and the former one is left', async () => {
  const answered: number[] = [];
  let isStopping = false;
  const client = async () => {
    while (!isStopping) {
      const key = await createVessel('In Flight');
      if (key !== undefined) answered.push(key);
    }
  };
  const clients = Promise.all(Array.from({ length: 4 }, client));
  await expect.poll(() => answered.length, patience).toBeGreaterThan(20);
  const former = pair.primary;
  await pair.killPrimary();
  for (let count = 0; count < 10; count += 1) expect(await createVessel('Between')).toBeUndefined();
  expect(observations).toContainEqual(expect.objectContaining({ kind: 'database.unavailable', problem: 'away' }));
  expect(changes()).toEqual([]);
  await pair.promote();
  const before = answered.length;
  await expect.poll(() => answered.length, patience).toBeGreaterThan(before + 20);
  isStopping = true;
  await clients;
  const stored = new Set(await vesselsOn(pair.primary, 'In Flight'));
  expect(answered.filter((key) => !stored.has(key))).toEqual([]);
  expect(changes()).toEqual([{ kind: 'database.primaryChanged', from: nameOf(former), to: nameOf(pair.primary) }]);

  // The former primary comes back as a standby.
  await pair.makeStandby();
  expect(await createVessel('After')).toEqual(expect.any(Number));
  expect(await vesselsOn(pair.primary, 'After')).toHaveLength(1);
  expect(await countConnections(pair.standby)).toBe(0);
  expect(changes()).toHaveLength(1);
}, 120_000);

test('a change that the standby has not confirmed is not answered as done', async () => {
  await pair.stopStandby();
  const options = { observe: () => undefined, connectionsMax: 1, statementTimeoutMs: 500 };
  const database = new Database({ url: pair.urlOf(pair.primary), ...options });
  onTestFinished(() => database.close());
  expect(await database.run({ text: 'select 1 as one' })).toEqual([{ one: 1 }]);
  await expect(database.run({ text: 'create table public.unconfirmed ()' })).rejects.toThrow(DatabaseStuck);
  await pair.makeStandby();
}, 120_000);

test.skipIf(process.platform !== 'linux')(
  'a synchronous primary that comes back before it was missed confirms nothing, and is left',
  async () => {
    const former = pair.primary;
    const thaw = pair.freezePrimary();
    onTestFinished(thaw);
    await pair.promote();
    thaw();
    const answered: number[] = [];
    const change = async () => {
      const key = await createVessel('Unnoticed');
      if (key !== undefined) answered.push(key);
      return answered.length;
    };
    await expect.poll(change, patience).toBeGreaterThan(5);
    const stored = await vesselsOn(pair.primary, 'Unnoticed');
    expect(answered.filter((key) => !stored.includes(key))).toEqual([]);
    expect(changes()).toEqual([{ kind: 'database.primaryChanged', from: nameOf(former), to: nameOf(pair.primary) }]);
    await pair.makeStandby();
  },
  120_000,
);

test.skipIf(process.platform !== 'linux')(
  'nothing is written to a frozen primary that comes back after another one was promoted',
  async () => {
    const former = pair.primary;
    // It would confirm commits alone: nothing but the service keeps them from it.
    await pair.ask(former, 'alter system reset synchronous_standby_names');
    await pair.ask(former, 'select pg_reload_conf()');
    const thaw = pair.freezePrimary();
    onTestFinished(thaw);
    const waiting = createVessel('Frozen');
    await pair.promote();
    await waiting;
    await expect.poll(() => createVessel('Thawed'), patience).toEqual(expect.any(Number));
    expect(changes()).toEqual([{ kind: 'database.primaryChanged', from: nameOf(former), to: nameOf(pair.primary) }]);
    thaw();
    await expect.poll(() => countConnections(former), patience).toBe(0);
    for (let count = 0; count < 20; count += 1) expect(await createVessel('Thawed')).toEqual(expect.any(Number));
    expect(await vesselsOn(former, 'Thawed')).toEqual([]);
    expect((await vesselsOn(pair.primary, 'Thawed')).length).toBeGreaterThan(20);

    // Now only the former primary is left, and it accepts changes: it must not get them.
    await pair.killPrimary();
    const refused = await Promise.all(Array.from({ length: 4 }, () => createVessel('Too Late')));
    await expect.poll(() => observations.some(({ kind }) => kind === 'database.unavailable'), patience).toBe(true);
    expect([...refused, await createVessel('Too Late')]).toEqual(Array(5).fill(undefined));
    expect(await vesselsOn(former, 'Too Late')).toEqual([]);
    expect(changes()).toHaveLength(1);
  },
  120_000,
);
