// A worker claims what follows the first notification about an object, in one piece, and releases it as it was.

import { beforeEach, expect, test } from 'vitest';
import { Followers } from '../../src/deliver/order/followers.ts';
import { claimFollowers, promoteHeads } from '../../src/deliver/order/order-table.ts';
import { releaseClaimed } from '../../src/deliver/queue/pending-table.ts';
import { useTestService } from '../support/test-service.ts';
import { ready } from './filled-lanes.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api' });
const { pool, connections } = service.database;
const [subscription, object, workerId] = [1, 700_001, 7];

beforeEach(async () => {
  await pool.query(`truncate flaghoist_system.pending_notification, flaghoist_system.unmatched_event,
    flaghoist_system.notification_body, flaghoist_system.notification_content`);
  await pool.query(
    `insert into flaghoist_system.delivery_worker (id, alive_until) overriding system value
     values ($1, now() + interval '1 hour') on conflict do nothing`,
    [workerId],
  );
});

const store = (...sequences: number[]) => storeAbout(object, sequences);

/** The first is claimed by the worker, the others are blocked. */
async function storeAbout(about: number, sequences: readonly number[]): Promise<void> {
  await pool.query(
    `with n as (select n, flaghoist_system.utc_second() as now from unnest($1::bigint[]) n),
     bodies as (insert into flaghoist_system.notification_body (notification_key, created_date, body, head)
       select n, now, '{"n":' || n || '}', n || '-' || n || ' Vessel 1 U 1 2026-11-01T00:00:00 application/json' from n)
     insert into flaghoist_system.pending_notification (notification_key, created_date, subscription_key, due_at,
       ordered_object, sequence, is_repeat, claimed_by)
     select n, now, $2, case when n > $4 then '-infinity'::timestamptz end, $3, n, false,
       case when n = $4 then $5::bigint end
     from n`,
    [sequences, subscription, about, sequences[0], workerId],
  );
}

const claim = (head: number, more: object = {}) =>
  connections.run(claimFollowers({ workerId, heads: [head], followersMax: 20, bytesMax: 1_000, ...more }));

const keysOf = (rows: readonly object[]) => rows.map((row) => Number((row as { key: string }).key));

test('they are claimed in order, with their bodies, and nobody promotes them meanwhile', async () => {
  await store(10, 13, 11, 12);
  const followers = new Followers();
  const head = ready(subscription);
  const rows = (await claim(10)).map((row) => ({ ...row, head_key: head.key }));
  const claimed = followers.add([head], rows);
  expect(claimed.map(({ key, body, attempts }) => [key, body.toString(), attempts])).toEqual(
    [11, 12, 13].map((key) => [key, `{"n":${key}}`, 0]),
  );
  expect(await claim(10)).toEqual([]);
  await pool.query('delete from flaghoist_system.pending_notification where sequence = 10');
  const ordered = [{ subscriptionKey: subscription, orderedObject: object }];
  expect(await connections.run(promoteHeads(ordered))).toEqual([]);
  // The same notification, claimed under another lease.
  expect([followers.has({ ...head }), followers.next({ ...head }), followers.takeAll({ ...head })]).toEqual([
    false,
    undefined,
    [],
  ]);
  const next = followers.next(head)!;
  expect([next.key, followers.has(head), followers.has(next)]).toEqual([11, false, true]);
  const rest = followers.takeAll(next).map(({ key }) => key);
  expect([rest, followers.drain()]).toEqual([[12, 13], []]);

  await connections.run(releaseClaimed(workerId, [11, ...rest]));
  expect(await connections.run(promoteHeads(ordered))).toMatchObject([{ is_promoted: true }]);
  const promoted = 'select sequence::int from flaghoist_system.pending_notification where due_at is null';
  expect((await pool.query(promoted)).rows).toEqual([{ sequence: 11 }]);
});

test('a run ends before one that another worker has, at the limits, and before an unmatched event', async () => {
  await store(10, 11, 12, 13, 14);
  expect(keysOf(await claim(10, { followersMax: 2 }))).toEqual([11, 12]);
  await pool.query('update flaghoist_system.pending_notification set claimed_by = null where sequence > 10');
  expect(keysOf(await claim(10, { bytesMax: 20 }))).toEqual([11, 12]);
  await pool.query(`update flaghoist_system.pending_notification
    set claimed_by = case when sequence = 13 then 8 end where sequence > 10`);
  expect(keysOf(await claim(10))).toEqual([11, 12]);
  await pool.query('update flaghoist_system.pending_notification set claimed_by = null where sequence > 10');
  const { rows } = await pool.query(
    `insert into flaghoist_system.event (object_type, operation, object_key, new_row)
     values ('Vessel', 'U', $1, '{}') returning id::int`,
    [object],
  );
  await pool.query('update flaghoist_system.pending_notification set sequence = $1 + 1 where sequence = 14', [
    rows[0].id,
  ]);
  await pool.query('update flaghoist_system.pending_notification set sequence = sequence - 100 where sequence < 14');
  expect(keysOf(await claim(10))).toEqual([11, 12, 13]);
});

test('if not all fit, as many are claimed after each head', async () => {
  await storeAbout(object, [10, 11, 12, 13]);
  await storeAbout(object + 1, [20, 21, 22, 23]);
  expect(keysOf(await claim(10, { heads: [10, 20], bytesMax: 39 }))).toEqual([11, 12, 21, 22]);
});

/** Each of these bodies is completed by this content, which is stored with the key of the first. */
async function share(keys: readonly number[], text: string): Promise<void> {
  await pool.query(
    `with shared as (
       update flaghoist_system.notification_body set content_key = $2, content_bytes = octet_length($3)
       where notification_key = any($1::bigint[]) returning created_date)
     insert into flaghoist_system.notification_content (content_key, created_date, text)
     select distinct $2, created_date, $3 from shared`,
    [keys, keys[0], text],
  );
}

/** What is claimed after these heads, with the whole bodies, and how many contents the database has returned for it. */
async function claimWhole(keys: readonly number[], bytesMax: number) {
  const rows = await claim(keys[0]!, { heads: keys, bytesMax });
  const heads = keys.map((key) => ({ ...ready(subscription), key }));
  const claimed = new Followers().add(heads, rows).map(({ key, body }) => [key, body.toString()]);
  return { claimed, contents: rows.filter(({ content }) => content !== null).length };
}

test('a content that several share is returned once, whichever of them fit, and each has its whole body', async () => {
  await storeAbout(object, [10, 11, 12, 13]);
  await storeAbout(object + 1, [20, 21, 22, 23]);
  const [one, two] = ['é'.repeat(50), 'è'.repeat(50)];
  // The lowest key with a content is that of a head, or of one that is claimed after a higher one.
  await share([10, 11, 22], one);
  await share([23, 12, 13, 21], two);
  const whole = (key: number, content: string) => [key, `{"n":${key}}${content}`];
  const firsts = [whole(11, one), whole(21, two)];
  expect(await claimWhole([10, 20], 215)).toEqual({ claimed: [whole(11, one)], contents: 1 });
  await release();
  expect(await claimWhole([10, 20], 216)).toEqual({ claimed: firsts, contents: 2 });
  await release();
  const seconds = [whole(11, one), whole(12, two), whole(21, two), whole(22, one)];
  expect(await claimWhole([10, 20], 500)).toEqual({ claimed: seconds, contents: 2 });
  await release();
  const all = [...seconds.slice(0, 2), whole(13, two), ...seconds.slice(2), whole(23, two)];
  expect(await claimWhole([10, 20], 1_000)).toEqual({ claimed: all, contents: 2 });
  // They are still claimed, and the others have been sent.
  await pool.query('update flaghoist_system.pending_notification set claimed_by = null where sequence in (13, 23)');
  await pool.query('update flaghoist_system.pending_notification set claimed_by = $1 where sequence in (12, 22)', [
    workerId,
  ]);
  expect(await claimWhole([12, 22], 1_000)).toEqual({ claimed: [whole(13, two), whole(23, two)], contents: 1 });
});

/** What follows the heads 10 and 20. */
const release = () =>
  pool.query('update flaghoist_system.pending_notification set claimed_by = null where sequence not in (10, 20)');

test('how many may follow each head depends on the heads and on what is in memory', () => {
  const followers = new Followers();
  const followersMax = (heads: number, body = 'x') =>
    followers.capacityAfter(Array.from({ length: heads }, () => ready(subscription, 0, body))).followersMax;
  expect([followersMax(1), followersMax(250), followersMax(1_000)]).toEqual([20, 20, 5]);
  expect(followersMax(100, 'x'.repeat(20_000))).toBe(5);
  expect(followersMax(1, 'x'.repeat(13_000_000))).toBe(0);
  const head = ready(subscription);
  const row = { ...ready(subscription), head_key: head.key, resend_job: null, replay_of: null, ordered_object: 1 };
  followers.add([head], Array(4_000).fill(row));
  expect([followersMax(100), followersMax(1_000), followersMax(1_001)]).toEqual([10, 1, 0]);
  followers.takeAll(head);
  followers.add([head], Array(20).fill({ ...row, body: Buffer.alloc(1_100_000) }));
  expect(followersMax(100, 'x'.repeat(10_000))).toBe(1);
  followers.drain();
  expect(followersMax(1)).toBe(20);
});

test('a worker that was declared dead claims nothing, nor one that has not claimed the head', async () => {
  await store(10, 11);
  expect(await claim(10, { workerId: 8 })).toEqual([]);
  await pool.query(`update flaghoist_system.delivery_worker set alive_until = '-infinity' where id = $1`, [workerId]);
  expect(await claim(10)).toEqual([]);
  await pool.query('delete from flaghoist_system.delivery_worker');
});
