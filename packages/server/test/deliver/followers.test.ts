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
    flaghoist_system.notification_body`);
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
