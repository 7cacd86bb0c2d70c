// Random histories: several writers change one world at the same time, while matching is held up, and two processes
// match. Every notification shows what its transaction left, as the events tell it. HISTORIES sets the number of
// worlds, HISTORY_SEED the choices of the writers; how they overlap is left to the machine.

import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorker } from '../deliver/worker-process.ts';
import { seededRandom } from '../demo/seeded-random.ts';
import { matched } from '../match/heard.ts';
import { createFleet } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { checkOrder, compareRound, hierarchyOnly, lastBodies, type Round } from './histories-compare.ts';
import { Fold, parseSees, render } from './histories-oracle.ts';
import { type Subscribed, selections, subscribeToAll } from './histories-subscriptions.ts';
import { createWorld, deleteWorlds, Writer, type Writing } from './histories-writers.ts';

const histories = Number(process.env.HISTORIES ?? 60);
const seed = Number(process.env.HISTORY_SEED ?? Math.floor(Math.random() * 2 ** 31));

const worldsPerRound = 6;
const writersPerWorld = 3;
const transactionsPerWriter = 10;

/** The same for both processes: the URL is in every body. Nothing listens there, and nothing is attempted twice. */
const settings = { FLAGHOIST_BASE_URL: 'http://flaghoist.test', FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '3600' };
const restUrl = `${settings.FLAGHOIST_BASE_URL}/ws/rest`;
const service = useTestService(settings);
const { pool } = service.database;
const writing: Writing = { service, fleet: undefined as never, random: seededRandom(seed) };
let writerPool: pg.Pool;

const counted = [
  ...(['transactions', 'rejected', 'renumbered', 'events', 'bodies'] as const),
  ...(['takenBack', 'conditions', 'ordered', 'last'] as const),
];
type Counts = Record<(typeof counted)[number], number>;
const sum = Object.fromEntries(counted.map((name) => [name, 0])) as Counts;

beforeAll(async () => {
  Object.assign(writing, { fleet: await createFleet(service) });
  const max = worldsPerRound * writersPerWorld;
  // Deadlocks are part of the test, so they are noticed early.
  writerPool = new pg.Pool({ connectionString: service.database.url, max, options: '-c deadlock_timeout=50ms' });
  // Matching deletes what is queued, so the snapshots are copied when they are.
  await pool.query(`
    create table public.queued (event_id bigint primary key, snapshot text);
    create table public.renumbered (transaction_id text);
    create table public.written (transaction_id xid8, object_key bigint, event_time timestamptz, seen text);
    create function public.copy_queued() returns trigger language plpgsql as $$ begin
      insert into public.queued select event_id, snapshot::text from added; return null; end $$;
    create trigger copy_queued after insert on flaghoist_system.unmatched_event referencing new table as added
      for each statement execute function public.copy_queued();
    create function public.copy_written() returns trigger language plpgsql as $$ begin
      insert into public.written values (new.transaction_id, new.object_key, new.event_time, new.snapshot::text);
      return null; end $$;
    create trigger copy_written after insert on flaghoist_system.event
      for each row execute function public.copy_written();
    create function public.note_renumbered() returns trigger language plpgsql as $$ begin
      if current_setting('transaction_isolation') = 'read committed' then
        insert into public.renumbered values (new.transaction_id::text);
      end if;
      return null; end $$;
    create trigger note_renumbered after update of id on flaghoist_system.event
      for each row execute function public.note_renumbered()`);
});

afterAll(() => writerPool?.end());

test(`every body of ${histories} histories shows what its transaction left (HISTORY_SEED=${seed})`, {
  timeout: 60_000 + histories * 2_000,
}, async () => {
  await startWorker(service.database.url, settings);
  for (let round = 0; round * worldsPerRound < histories; round += 1) {
    const problems = await runRound(round);
    if (problems.length > 0) await describeEvents(problems);
    expect(problems.length, `${problems.slice(0, 5).join('\n')}\nHISTORY_SEED=${seed}, round ${round}`).toBe(0);
  }
  const counts = counted.map((name) => `${sum[name]} ${name}`).join(', ');
  process.stderr.write(`HISTORY_SEED=${seed}: ${histories} histories, ${counts}\n`);
  // With hardly any of these, hardly anything was tested.
  expect(sum.transactions).toBeGreaterThan(histories * 12);
  expect(sum.rejected).toBeGreaterThan(histories / 2);
  expect(sum.bodies).toBeGreaterThan(histories * 40);
  expect(sum.takenBack).toBeGreaterThan(histories * 20);
  expect(sum.renumbered).toBeGreaterThan(histories);
  expect(sum.ordered).toBeGreaterThan(histories * 20);
  expect(sum.last).toBeGreaterThan(histories * 4);
});

/** Returns what is wrong. */
async function runRound(round: number): Promise<string[]> {
  const worlds = Array.from({ length: worldsPerRound }, (_, index) => `w${round}-${index}`);
  for (const world of worlds) await createWorld(writing, world);
  const subscriptions = await subscribeToAll(service);
  const lastId = await lastEventId();
  const release = round % 4 === 3 ? undefined : await holdMatching();
  const writers = await write(worlds);
  await release?.();
  await matched(service, 60_000);
  const read = await readRound(subscriptions, lastId);
  const committed = writers.flatMap((writer) => writer.committed);
  const compared = compareRound(read);
  const order = checkOrder(read, committed);
  const problems = [...compared.problems, ...order.problems, ...(await checkLast(read))];
  const { bodies, takenBack, conditions } = compared;
  count({ bodies, takenBack, conditions, ordered: order.pairs });
  count({ transactions: committed.length, events: read.changes.length });
  count({ rejected: writers.reduce((all, { rejected }) => all + rejected.length, 0) });
  if (problems.length === 0) await clear(subscriptions);
  return problems;
}

/** Prints what is stored about the events that the problems name, before the database is gone. */
async function describeEvents(problems: readonly string[]): Promise<void> {
  const ids = problems.flatMap((problem) => problem.match(/(?<=\(event )[0-9]+/) ?? []);
  const { rows } = await pool.query(
    `select e.*, q.snapshot as committed, (select json_agg(s) from flaghoist_system.suppressed_match s
       where s.event_id = e.id) as suppressed
     from flaghoist_system.event e left join public.queued q on q.event_id = e.id where transaction_id in (
       select transaction_id from flaghoist_system.event where id = any($1)) or object_key in (
       select object_key from flaghoist_system.event where id = any($1)) order by e.id`,
    [ids],
  );
  for (const row of rows) process.stderr.write(`${JSON.stringify(row)}\n`);
}

async function lastEventId(): Promise<number> {
  return (await pool.query('select max(id)::int as id from flaghoist_system.event')).rows[0].id;
}

/** Nothing is matched while another transaction has this lock. */
async function holdMatching(): Promise<() => Promise<void>> {
  const client = await pool.connect();
  await client.query('begin; select flaghoist_system.lock_subscriptions()');
  return async () => {
    await client.query('commit');
    client.release();
  };
}

async function write(worlds: readonly string[]): Promise<Writer[]> {
  const writers = worlds.flatMap((world) => Array.from({ length: writersPerWorld }, () => new Writer(writing, world)));
  await Promise.all(
    writers.map(async (writer) => {
      const client = await writerPool.connect();
      try {
        await writer.run(client, transactionsPerWriter);
      } finally {
        client.release();
      }
    }),
  );
  return writers;
}

async function readRound(subscriptions: readonly Subscribed[], lastId: number): Promise<Round> {
  const { rows } = await pool.query(`
    select e.id::int, e.transaction_id::text::int as transaction, e.object_type as type, e.operation,
      e.object_key::int as key, e.old_row as "oldRow", e.new_row as "newRow", w.seen, q.snapshot
    from flaghoist_system.event e join public.queued q on q.event_id = e.id
    join public.written w on w.transaction_id = e.transaction_id and w.object_key = e.object_key
      and w.event_time = e.event_time order by e.id`);
  const events = rows.map(({ seen, snapshot, ...event }) => ({
    ...event,
    seen: parseSees(seen),
    committed: snapshot === null ? null : parseSees(snapshot),
  }));
  const { rows: notified } = await pool.query(
    `select subscription::int, split_part(id, '-', 1)::int as event, subscribed_object_key::int as object,
       flaghoist_system.body(key) as body from flaghoist_service.webhook_notification where subscription = any($1)`,
    [subscriptions.map(({ key }) => key)],
  );
  const fold = new Fold(events);
  return { fold, changes: events.filter(({ id }) => id > lastId), subscriptions, notified, restUrl };
}

function count(counts: Partial<Counts>): void {
  for (const name of counted) sum[name] += counts[name] ?? 0;
}

/** What a receiver has that keeps the body with the highest sequence is what a GET answers. */
async function checkLast(read: Round): Promise<string[]> {
  const problems: string[] = [];
  const final = read.fold.stateOf(() => true);
  for (const { type, key, body } of lastBodies(read)) {
    const fields = JSON.stringify(selections[type]);
    const { text } = await service.get(`/ws/rest/${type}/${key}`, { fields });
    count({ last: 1 });
    const folded = render(final, type, key, selections[type], restUrl);
    if (text !== folded) problems.push(`the events say ${folded}, a GET ${text}`);
    if (hierarchyOnly(text) !== hierarchyOnly(body)) problems.push(`the last body is ${body}, a GET ${text}`);
  }
  return problems;
}

/** So that the database stays small. */
async function clear(subscriptions: readonly Subscribed[]): Promise<void> {
  for (const { key } of subscriptions) await service.put(`/ws/rest/WebhookSubscription/${key}`, { unsubscribed: true });
  await deleteWorlds(pool);
  await matched(service, 60_000);
  const isPending = async () =>
    (await pool.query('select exists (select from flaghoist_system.pending_notification) as is')).rows[0].is;
  await expect.poll(isPending, { timeout: 60_000, interval: 10 }).toBe(false);
  const { rows } = await pool.query('select count(distinct transaction_id)::int from public.renumbered');
  count({ renumbered: rows[0].count });
  for (const table of [
    'flaghoist_service.webhook_notification',
    'flaghoist_system.notification_body',
    'flaghoist_system.resendable_notification',
    'flaghoist_system.suppressed_match',
    'flaghoist_system.event',
    'public.queued',
    'public.renumbered',
    'public.written',
  ])
    await pool.query(`delete from ${table}`);
}
