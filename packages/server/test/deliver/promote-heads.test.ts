// The first notification about an object becomes ready only when no earlier event can become a notification any more,
// whatever other processes are doing at that moment.

import { beforeEach, expect, test } from 'vitest';
import { promoteHeads, selectOrderedObjects } from '../../src/deliver/order/order-table.ts';
import { claimEvents } from '../../src/events/event-table.ts';
import { modelDigest } from '../support/model-digest.ts';
import { useTestService } from '../support/test-service.ts';
import { openTransaction } from './ordered-receiver.ts';
import { subscribeTo } from './queued.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api' });
const { pool, connections } = service.database;
const vessel = 700_001;

beforeEach(async () => {
  await pool.query(`truncate flaghoist_system.pending_notification, flaghoist_system.unmatched_event,
    flaghoist_system.unshaped_match, flaghoist_system.resend_progress`);
});

/** Returns the ids of the events, in order. */
async function makeEvents(object: number, count: number, roots: object | null = null): Promise<number[]> {
  const { rows } = await pool.query(
    `insert into flaghoist_system.event (object_type, operation, object_key, new_row, roots_after)
     select 'Vessel', 'U', $1, '{}', $3 from generate_series(1, $2) returning id::int`,
    [object, count, roots === null ? null : JSON.stringify(roots)],
  );
  return rows.map(({ id }) => id);
}

const matchedAll = () => pool.query('delete from flaghoist_system.unmatched_event');

/** A blocked notification, as matching stores it. */
async function block(subscription: number, object: number, sequence: number, isRepeat = false): Promise<void> {
  await pool.query(
    `insert into flaghoist_system.pending_notification (notification_key, created_date, subscription_key, due_at,
       ordered_object, sequence, is_repeat)
     values ($3, now(), $1, '-infinity', $2, $3, $4)`,
    [subscription, object, sequence, isRepeat],
  );
}

async function promote(subscriptionKey: number, ...objects: number[]): Promise<boolean[]> {
  const ordered = objects.map((orderedObject) => ({ subscriptionKey, orderedObject }));
  return (await connections.run(promoteHeads(ordered))).map(({ is_promoted }) => is_promoted as boolean);
}

async function readySequences(): Promise<number[]> {
  const { rows } = await pool.query(
    'select sequence::int from flaghoist_system.pending_notification where due_at is null order by sequence',
  );
  return rows.map(({ sequence }) => sequence);
}

test('only the first one becomes ready, and the next one when the first is gone', async () => {
  for (const sequence of [12, 11, 13]) await block(1, vessel, sequence);
  expect(await promote(1, vessel)).toEqual([true]);
  expect(await promote(1, vessel)).toEqual([]);
  expect(await readySequences()).toEqual([11]);
  await pool.query(`update flaghoist_system.pending_notification set due_at = now() + interval '1 hour'
    where sequence = 11`);
  expect(await promote(1, vessel)).toEqual([]);
  await pool.query('delete from flaghoist_system.pending_notification where sequence = 11');
  expect(await promote(1, vessel)).toEqual([true]);
  expect(await readySequences()).toEqual([12]);
});

test('an earlier event of its hierarchy, but of no other, holds a notification back while it is queued', async () => {
  const [first, second] = await makeEvents(vessel, 2);
  await pool.query('delete from flaghoist_system.unmatched_event where event_id = $1', [second]);
  await block(1, vessel, second!);
  await block(1, vessel + 1, second! + 1);
  expect(await promote(1, vessel, vessel + 1)).toEqual([false, true]);
  await pool.query('delete from flaghoist_system.unmatched_event where event_id = $1', [first]);
  expect(await promote(1, vessel)).toEqual([true]);

  await makeEvents(vessel + 5, 1, { Voyage: [vessel + 2] });
  await block(1, vessel + 2, 1_000_000);
  await block(1, vessel + 3, 1_000_001);
  expect(await promote(1, vessel + 2, vessel + 3)).toEqual([false, true]);
});

test('a later event holds nothing back', async () => {
  const [, second] = await makeEvents(vessel, 2);
  await pool.query('delete from flaghoist_system.unmatched_event where event_id < $1', [second]);
  await block(1, vessel, second! - 1);
  expect(await promote(1, vessel)).toEqual([true]);
});

test('an event that is being matched holds a notification back, and its notification goes first', async () => {
  const [first, second] = await makeEvents(vessel, 2);
  const matcher = await openTransaction(pool);
  const claim = claimEvents({ eventsMax: 1, fromId: 0, modelDigest });
  expect((await matcher.query(claim.text, claim.values as unknown[])).rows).toHaveLength(1);
  await pool.query('delete from flaghoist_system.unmatched_event where event_id = $1', [second]);
  await block(1, vessel, second!);
  expect(await promote(1, vessel)).toEqual([false]);
  await matcher.query(
    `insert into flaghoist_system.pending_notification (notification_key, created_date, subscription_key, due_at,
       ordered_object, sequence, is_repeat) values ($1, now(), 1, '-infinity', $2, $1, false)`,
    [first, vessel],
  );
  expect(await promote(1, vessel)).toEqual([false]);
  await matcher.query('commit');
  expect(await promote(1, vessel)).toEqual([true]);
  expect(await readySequences()).toEqual([first]);
});

test('a match that is not shaped yet holds back what follows it, in its subscription, about its object', async () => {
  await pool.query(
    `insert into flaghoist_system.unshaped_match (notification_key, lane, event_id, subscription_key, user_key,
       object_type, object_key, event_type, subscribed_object_key, occurred_at, bytes, is_ordered)
     values (1, 1, 10, 1, 1, 'Vessel', $1, 'U', $1, '2026-11-01T00:00:00.000000Z', 0, true)`,
    [vessel],
  );
  await block(1, vessel, 11);
  await block(1, vessel + 1, 12);
  await block(2, vessel, 13);
  expect(await promote(1, vessel, vessel + 1)).toEqual([false, true]);
  expect(await promote(2, vessel)).toEqual([true]);
  await pool.query('truncate flaghoist_system.unshaped_match');
  expect(await promote(1, vessel)).toEqual([true]);
});

test('a takeover from a replaced subscription is complete before anything is sent; a resend delays none', async () => {
  const subscription = await subscribeTo(service, 'http://127.0.0.1:9/', { ordering: 'OBJECT' });
  const begin = async (replaced: number | null) => {
    await pool.query(
      `with made as (insert into flaghoist_service.resend_job ("user", subscription, replaced_subscription, total)
         select s."user", s."key", $2, 5 from flaghoist_service.webhook_subscription s where s."key" = $1
         returning "key")
       insert into flaghoist_system.resend_progress (job_key, last_failure) select "key", 0 from made`,
      [subscription, replaced],
    );
  };
  await begin(subscription);
  await block(subscription, vessel, 11);
  expect(await promote(subscription, vessel)).toEqual([false]);
  await pool.query('update flaghoist_system.resend_progress set is_moved = true');
  expect(await promote(subscription, vessel)).toEqual([true]);

  await begin(null);
  await block(subscription, vessel, 8, true);
  await block(subscription, vessel + 1, 12);
  expect(await promote(subscription, vessel)).toEqual([false]);
  expect(await promote(subscription, vessel + 1)).toEqual([true]);
  await pool.query('update flaghoist_system.resend_progress set is_moved = true');
  expect(await promote(subscription, vessel)).toEqual([true]);
});

test('with very many unmatched events, those that were examined decide, and the rest waits', async () => {
  await makeEvents(vessel + 9, 10_050);
  const { rows } = await pool.query(
    'select min(event_id)::int as first, max(event_id)::int as last from ' + 'flaghoist_system.unmatched_event',
  );
  const { first, last } = rows[0];
  await block(1, vessel, first + 5_000);
  await block(1, vessel + 1, last + 1);
  expect(await promote(1, vessel, vessel + 1)).toEqual([true, false]);
  await matchedAll();
  expect(await promote(1, vessel + 1)).toEqual([true]);
});

test('a locked row is skipped and reported, and no statement waits', async () => {
  await block(1, vessel, 11);
  const other = await openTransaction(pool);
  await other.query('select from flaghoist_system.pending_notification for update');
  expect(await promote(1, vessel)).toEqual([false]);
  await other.query('rollback');
  expect(await promote(1, vessel)).toEqual([true]);
});

test('a sweep sees each object once, in parts', async () => {
  for (const [subscription, object] of [
    [1, 5],
    [1, 7],
    [2, 5],
  ] as const)
    for (const sequence of [1, 2]) await block(subscription, object, subscription * 100 + object * 10 + sequence);
  const next = async (subscriptionKey: number, orderedObject: number) =>
    (await connections.run(selectOrderedObjects({ subscriptionKey, orderedObject }, 2))).map((row) => [
      Number(row.subscription_key),
      Number(row.ordered_object),
    ]);
  expect(await next(0, 0)).toEqual([
    [1, 5],
    [1, 7],
  ]);
  expect(await next(1, 7)).toEqual([[2, 5]]);
  expect(await next(2, 5)).toEqual([]);
});
