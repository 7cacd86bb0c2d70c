// Several hosts in DATABASE_URL: the one that can be used is found, and if there is none, the reason names them all.

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Database } from '../../src/database/database.ts';
import { ServerHosts } from '../../src/database/server-hosts.ts';
import { waitForServer } from '../../src/database/wait-for-server.ts';
import type { Observation } from '../../src/observe/observation.ts';
import { DatabaseRelay } from '../support/database-relay.ts';
import { useTestDatabase } from '../support/test-database.ts';

const { url, pool } = useTestDatabase({ isMigrated: false });

async function openRelay(): Promise<DatabaseRelay> {
  const relay = new DatabaseRelay();
  await relay.open();
  onTestFinished(() => relay.close());
  return relay;
}

const hostOf = (relay: DatabaseRelay) => new URL(relay.urlOf(url)).host;

/** The database behind these relays. */
function urlOf(relays: DatabaseRelay[], query = ''): string {
  const single = new URL(relays[0]!.urlOf(url));
  return single.href.replace(single.host, relays.map(hostOf).join(',')) + query;
}

function open(databaseUrl: string) {
  const observations: Observation[] = [];
  const observe = (observation: Observation) => void observations.push(observation);
  const database = new Database({ url: databaseUrl, observe, connectionsMax: 2, statementTimeoutMs: 10_000 });
  onTestFinished(() => database.close());
  return { database, observations };
}

const selectOne = { text: 'select 1 as one' };

test('a host that is down or does not answer is passed over', async () => {
  const [down, silent, good] = [await openRelay(), await openRelay(), await openRelay()];
  const databaseUrl = urlOf([down, silent, good]);
  await down.close();
  silent.freezeNew();
  expect(await open(databaseUrl).database.run(selectOne)).toEqual([{ one: 1 }]);
});

test('the other host is used when the one in use is lost, and reported by host and port alone', async () => {
  const [one, two] = [await openRelay(), await openRelay()];
  two.refuse();
  const { database, observations } = open(urlOf([one, two]));
  await database.run(selectOne);
  await two.open();
  await one.close();
  const answer = () => database.run(selectOne).catch(() => undefined);
  await expect.poll(answer, { timeout: 20_000 }).toEqual([{ one: 1 }]);
  expect(observations.filter(({ kind }) => kind === 'database.primaryChanged')).toEqual([
    { kind: 'database.primaryChanged', from: hostOf(one), to: hostOf(two) },
  ]);
});

test('no host is asked while all is well', async () => {
  // Time stands still: an answer is never late, however slow the machine is.
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const relay = await openRelay();
  let asked = 0;
  const other = createServer((socket) => {
    asked += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const { database } = open(urlOf([relay]).replace(hostOf(relay), `${hostOf(relay)},127.0.0.1:${port}`));
  for (let count = 0; count < 50; count += 1) expect(await database.run(selectOne)).toEqual([{ one: 1 }]);
  expect(asked).toBe(1);
});

test('a file of the URL that cannot be read is why no host can be used, and does not end the process', async () => {
  const relays = [await openRelay(), await openRelay()];
  const hosts = new ServerHosts(urlOf(relays, '?sslrootcert=/nowhere/root.crt'), () => undefined);
  onTestFinished(() => hosts.stop());
  hosts.seek();
  const message = expect.stringMatching(/^127\.0\.0\.1:\d+: ENOENT.*\/nowhere\/root\.crt/);
  const problem = expect.objectContaining({ message });
  for (let count = 0; count < 3; count += 1)
    await expect(hosts.known()).rejects.toMatchObject({ cause: { errors: [problem, problem] } });
});

describe('with target_session_attrs=any', () => {
  const standby = useTestDatabase({ isMigrated: false });

  const nameOf = (databaseUrl: string) => new URL(databaseUrl).pathname.slice(1);

  // A database that says that its server is a standby.
  beforeAll(async () => {
    await standby.pool.query('create schema standby');
    await standby.pool.query('create function standby.pg_is_in_recovery() returns boolean language sql return true');
    await standby.pool.query(`alter database ${nameOf(standby.url)} set search_path = standby, pg_catalog`);
  });

  /** In front of a relay: passes on what arrives when the delay is over. As a standby, leads to the other database. */
  async function openFront(relay: DatabaseRelay, { delayMs = 0, isStandby = false }) {
    const front = { host: '', opened: 0, isFull: false };
    const [from, to] = [nameOf(url), nameOf(isStandby ? standby.url : url)];
    const server = createServer((incoming) => {
      front.opened += 1;
      if (front.isFull) {
        incoming.end(tooManyConnections);
        return;
      }
      setTimeout(() => {
        const outgoing = connect(Number(hostOf(relay).split(':')[1]), '127.0.0.1');
        incoming.on('data', (data) => outgoing.write(data.toString('latin1').replace(from, to), 'latin1'));
        outgoing.pipe(incoming);
        incoming.on('error', () => undefined).on('close', () => outgoing.destroy());
        outgoing.on('error', () => undefined).on('close', () => incoming.destroy());
      }, delayMs);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    front.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    return front;
  }

  /** The message of PostgreSQL: its kind, its length, and a few fields, of which one is the SQLSTATE. */
  const fields = 'SFATAL\0C53300\0Msorry, too many clients already\0\0';
  const tooManyConnections = Buffer.concat([
    Buffer.from('E\0\0\0'),
    Buffer.from([fields.length + 4]),
    Buffer.from(fields),
  ]);

  function follow(relay: DatabaseRelay, names: string[]) {
    const changes: Observation[] = [];
    const databaseUrl = urlOf([relay], '?target_session_attrs=any').replace(hostOf(relay), names.join(','));
    const hosts = new ServerHosts(databaseUrl, (change) => void changes.push(change));
    onTestFinished(() => hosts.stop());
    return { hosts, changes, used: () => new URL(hosts.url).host };
  }

  test('a slow primary is chosen before a standby', async () => {
    const relay = await openRelay();
    const [second, primary] = [await openFront(relay, { isStandby: true }), await openFront(relay, { delayMs: 600 })];
    const { hosts, used } = follow(relay, [second.host, primary.host]);
    await hosts.known();
    expect(used()).toBe(primary.host);
  });

  test('a standby does not replace a primary that has no connection left', async () => {
    const relay = await openRelay();
    const [second, primary] = [await openFront(relay, { isStandby: true }), await openFront(relay, {})];
    const { hosts, changes, used } = follow(relay, [second.host, primary.host]);
    await hosts.known();
    primary.isFull = true;
    const asked = second.opened;
    hosts.seek();
    await expect.poll(() => second.opened, { timeout: 20_000 }).toBeGreaterThan(asked + 2);
    expect([used(), changes]).toEqual([primary.host, []]);
  });

  test('a standby does not replace a primary that gives no answer, but one that is gone', async () => {
    const [primary, relay] = [await openRelay(), await openRelay()];
    const second = await openFront(relay, { isStandby: true });
    const { hosts, changes, used } = follow(relay, [second.host, hostOf(primary)]);
    await hosts.known();
    expect(used()).toBe(hostOf(primary));
    primary.freezeNew();
    const asked = second.opened;
    hosts.seek();
    // All are asked again and again.
    await expect.poll(() => second.opened, { timeout: 20_000 }).toBeGreaterThan(asked + 2);
    expect([used(), changes]).toEqual([hostOf(primary), []]);
    await primary.close();
    await expect.poll(used, { timeout: 20_000 }).toBe(second.host);
    primary.thaw();
    await primary.open();
    hosts.seek();
    await expect.poll(used, { timeout: 20_000 }).toBe(hostOf(primary));
  }, 60_000);
});

describe('a start', () => {
  function start(databaseUrl: string) {
    const observations: Observation[] = [];
    const observe = (observation: Observation) => void observations.push(observation);
    return { observations, version: waitForServer(new ServerHosts(databaseUrl, observe), observe) };
  }

  test('waits until one of the hosts is there, and says why each cannot be used', async () => {
    const [one, two] = [await openRelay(), await openRelay()];
    await Promise.all([one.close(), two.close()]);
    const { observations, version } = start(urlOf([one, two]));
    await expect.poll(() => observations).toHaveLength(1);
    const { reason } = observations[0] as Extract<Observation, { kind: 'database.waiting' }>;
    for (const relay of [one, two]) expect(reason).toContain(`${hostOf(relay)}: connect ECONNREFUSED`);
    await two.open();
    expect(await version).toMatch(/^\d+\.\d+/);
  });

  test('fails at once if the user is unknown to all', async () => {
    const databaseUrl = urlOf([await openRelay(), await openRelay()]).replace(/\/\/[^:@]+/, '//nobody_of_this_name');
    const { observations, version } = start(databaseUrl);
    await expect(version).rejects.toThrow(
      /cannot be used: .*nobody_of_this_name.*; .*nobody_of_this_name.*DATABASE_URL/,
    );
    expect(observations).toEqual([]);
  });
});

describe('a primary that is set to read-only', () => {
  const role = `flaghoist_test_${randomBytes(6).toString('hex')}`;
  beforeAll(async () => {
    await pool.query(`create role ${role} login password '${role}'`);
    await pool.query(`alter role ${role} set default_transaction_read_only = on`);
  });
  afterAll(() => pool.query(`drop role ${role}`));

  test.each([
    ['primary', true],
    ['read-write', false],
  ])('with target_session_attrs=%s: it is used: %s', async (needs, isUsed) => {
    const relays = [await openRelay(), await openRelay()];
    const asRole = urlOf(relays, `?target_session_attrs=${needs}`).replace(/\/\/[^@]+@/, `//${role}:${role}@`);
    const answer = open(asRole).database.run(selectOne);
    if (isUsed) expect(await answer).toEqual([{ one: 1 }]);
    else await expect(answer).rejects.toMatchObject({ cause: { errors: [/read-only/, /read-only/].map(withMessage) } });
  });
});

const withMessage = (message: RegExp) => expect.objectContaining({ message: expect.stringMatching(message) });
