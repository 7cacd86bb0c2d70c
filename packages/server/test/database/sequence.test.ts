// Of two events in one hierarchy, the one that was committed later has the higher id, whichever was written first.
// SEQUENCE_PAIRS sets the number of pairs of PUTs.

import { describe, expect, test } from 'vitest';
import { type ServiceBeside, startBeside } from '../auth/service-beside.ts';
import { create } from '../support/fleet.ts';
import { useTestDatabase } from '../support/test-database.ts';
import { useTestService } from '../support/test-service.ts';
import { openTransaction } from './open-transaction.ts';

const pairsWanted = Number(process.env.SEQUENCE_PAIRS ?? 200);

describe('two processes', () => {
  const settings = { FLAGHOIST_BASE_URL: 'http://flaghoist.test', FLAGHOIST_ROLES: 'api' };
  const service = useTestService(settings);
  const { pool } = service.database;

  async function putBy(url: string, key: number, comments: string): Promise<void> {
    const { status } = await fetch(`${url}/ws/rest/Voyage/${key}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${service.token()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ comments }),
    });
    expect(status).toBe(200);
  }

  test(`of ${pairsWanted} pairs of successive PUTs to one object, the later one has the higher id`, {
    timeout: 30_000 + pairsWanted * 200,
  }, async () => {
    const other: ServiceBeside = await startBeside(service.database, settings);
    const { key } = await create(service, 'Voyage', {});
    const pairs = Array.from({ length: pairsWanted }, (_, index) => index).values();
    const writer = async () => {
      for (const pair of pairs) {
        const urls = pair % 2 ? [service.url(), other.localUrl] : [other.localUrl, service.url()];
        await putBy(urls[0]!, key, `first ${pair}`);
        await putBy(urls[1]!, key, `second ${pair}`);
      }
    };
    await Promise.all([1, 2, 3].map(writer));
    const { rows } = await pool.query(
      `select id::int, new_row ->> 'comments' as comments from flaghoist_system.event
       where object_key = $1 and operation = 'U'`,
      [key],
    );
    const ids = new Map(rows.map(({ id, comments }) => [comments, id]));
    expect(ids.size).toBe(2 * pairsWanted);
    const wrong = Array.from({ length: pairsWanted }, (_, pair) => pair).filter(
      (pair) => ids.get(`first ${pair}`)! > ids.get(`second ${pair}`)!,
    );
    expect(wrong).toEqual([]);
  });
});

const { pool } = useTestDatabase();

const begin = (level?: string) => openTransaction(pool, level);

/** A voyage with two port calls. */
async function insertVoyage(): Promise<{ key: number; calls: number[] }> {
  const { rows } = await pool.query('insert into flaghoist.voyage default values returning key::int');
  const ports = await pool.query(
    `insert into flaghoist.port (un_lo_code, port_name)
     values (upper(left(md5(random()::text), 5)), 'Port') returning key`,
  );
  const calls = await pool.query(
    `insert into flaghoist.port_call (voyage, port, reason_for_call, port_call_sequence)
     values ($1, $2, 'L', 1), ($1, $2, 'D', 2) returning key::int`,
    [rows[0].key, ports.rows[0].key],
  );
  return { key: rows[0].key, calls: calls.rows.map(({ key }) => key) };
}

const setSpeed = (portCall: number, speed: number) =>
  `update flaghoist.port_call set speed = ${speed} where key = ${portCall}`;

/** In order of id, with what is queued to be matched. */
async function eventsOf(keys: number[]) {
  const { rows } = await pool.query(
    `select e.id::int, e.object_key::int as key, (e.new_row ->> 'speed')::float8 as speed, q.snapshot::text,
       q.is_repeated as "isRepeated", q.event_id is not null as "isQueued"
     from flaghoist_system.event e left join flaghoist_system.unmatched_event q on q.event_id = e.id
     where e.object_key = any($1) and e.operation = 'U' order by e.id`,
    [keys],
  );
  return rows;
}

test.each(['read committed', 'repeatable read', 'serializable'])(
  'a %s transaction that wrote its events first and commits last has the higher ids',
  async (level) => {
    const { calls } = await insertVoyage();
    const [late, early] = [await begin(level), await begin()];
    for (const speed of [1, 2]) await late.run(setSpeed(calls[0]!, speed));
    await early.run(setSpeed(calls[1]!, 3));
    await early.commit();
    await late.commit();
    const events = await eventsOf(calls);
    expect(events.map(({ speed }) => speed)).toEqual([3, 1, 2]);
    expect(events.map(({ isQueued, isRepeated }) => [isQueued, isRepeated])).toEqual([
      [true, false],
      [true, true],
      [true, true],
    ]);
    const isKnown = level === 'read committed';
    expect(events.map(({ snapshot }) => snapshot !== null)).toEqual([true, isKnown, isKnown]);
  },
);

test('transactions of other hierarchies leave the ids as they are', async () => {
  const [one, other] = [await insertVoyage(), await insertVoyage()];
  const late = await begin();
  await late.run(setSpeed(one.calls[0]!, 1));
  await pool.query(setSpeed(other.calls[0]!, 2));
  await late.commit();
  const events = await eventsOf([...one.calls, ...other.calls]);
  expect(events.map(({ speed }) => speed)).toEqual([1, 2]);
});

test('10,000 rows with savepoints and immediate constraints are queued once, in order, after others', async () => {
  const { calls } = await insertVoyage();
  const [call, otherCall] = calls as [number, number];
  const late = await begin();
  await late.run(setSpeed(call, 1));
  await pool.query(setSpeed(otherCall, 2));
  const add = (count: number) =>
    `insert into flaghoist.event_log (port_call, event) select ${call}, 'DEP' from generate_series(1, ${count})`;
  await late.run(`savepoint a; ${add(4_000)}; rollback to a; ${add(5_000)}`);
  await late.run('set constraints all immediate');
  await late.run(`savepoint b; ${add(1_000)}; rollback to b; savepoint c; ${add(4_000)}; release c`);
  await late.run('set constraints all deferred');
  await late.run(`${add(1_000)}; ${setSpeed(call, 3)}`);
  await late.commit();
  const { rows } = await pool.query(
    `select count(*)::int, count(q.event_id)::int as queued, count(distinct e.object_key)::int as objects,
       min(e.id)::int as first
     from flaghoist_system.event e left join flaghoist_system.unmatched_event q on q.event_id = e.id
     where e.object_type = 'EventLog' and e.new_row ->> 'port_call' = $1`,
    [String(call)],
  );
  expect(rows[0]).toMatchObject({ count: 10_000, queued: 10_000, objects: 10_000 });
  const events = await eventsOf(calls);
  expect(events.map(({ speed }) => speed)).toEqual([2, 1, 3]);
  expect(events.map(({ isQueued, isRepeated }) => [isQueued, isRepeated])).toEqual([
    [true, false],
    [true, true],
    [true, true],
  ]);
  expect(rows[0].first).toBeGreaterThan(events[1].id);
}, 60_000);

test('at COMMIT, transactions of different hierarchies do not wait for each other, those of one do', async () => {
  const [one, other] = [await insertVoyage(), await insertVoyage()];
  const holder = await begin();
  // Takes the locks that COMMIT takes, and keeps them.
  await holder.run(`${setSpeed(one.calls[0]!, 1)}; set constraints all immediate`);
  const elsewhere = await begin();
  await elsewhere.run(setSpeed(other.calls[0]!, 2));
  await elsewhere.commit();
  const same = await begin();
  await same.run(setSpeed(one.calls[1]!, 3));
  const committed = same.commit();
  const areWaiting = async () => {
    const { rows } = await pool.query(
      `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`,
    );
    return rows[0].count;
  };
  await expect.poll(areWaiting, { timeout: 10_000, interval: 10 }).toBe(1);
  await holder.commit();
  await committed;
  expect((await eventsOf(one.calls)).map(({ speed }) => speed)).toEqual([1, 3]);
});

test('transactions that change the same two hierarchies in opposite order do not deadlock', async () => {
  const [one, other] = [await insertVoyage(), await insertVoyage()];
  for (let speed = 1; speed <= 50; speed += 1) {
    const [there, back] = [await begin(), await begin()];
    await there.run(setSpeed(one.calls[0]!, speed));
    await back.run(setSpeed(other.calls[0]!, speed));
    await there.run(setSpeed(other.calls[1]!, speed));
    await back.run(setSpeed(one.calls[1]!, speed));
    await Promise.all([there.commit(), back.commit()]);
  }
  expect(await eventsOf([...one.calls, ...other.calls])).toHaveLength(200);
});
