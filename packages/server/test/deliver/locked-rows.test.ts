// Rows that another transaction has locked: statements that claim, wake or fail notifications skip them.

import { expect, onTestFinished, test } from 'vitest';
import type { Statement } from '../../src/database/database.ts';
import { claimPending, unpark, wakePending } from '../../src/deliver/queue/pending-table.ts';
import { readClaim } from '../../src/deliver/queue/ready-notification.ts';
import { giveUpPending, lockProgress } from '../../src/deliver/resend/resend-progress-table.ts';
import { insertWorker } from '../../src/deliver/workers/worker-table.ts';
import { claimEvents } from '../../src/events/event-table.ts';
import { claimUnshaped, insertUnshaped, type UnshapedMatch } from '../../src/shape/unshaped-table.ts';
import { modelDigest } from '../support/model-digest.ts';
import { useTestService } from '../support/test-service.ts';
import { resent, storeFailed } from './failed-notifications.ts';
import { queue, subscribeTo } from './queued.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api' });
const { pool, connections } = service.database;
const nowhere = 'http://127.0.0.1:9/';

test.each([
  ['new', 'attempts = 0'],
  ['tried before', 'attempts = 1'],
])('a claim of notifications that are %s takes all but the one that is locked', async (_, state) => {
  const { subscription, keys } = await queueThree(state);
  await lockPending(keys[0]!);
  const [worker] = await connections.run(insertWorker(60_000));
  const rows = await connections.run(
    claimPending({
      workerId: Number(worker!.id),
      afterLane: subscription - 1,
      lanesMax: 1,
      rowsMax: 10,
      capacities: { named: new Map(), others: 10 },
      bytesMax: 1_000_000,
    }),
  );
  expect(readClaim(rows).ready.map(({ key }) => key)).toEqual(keys.slice(1));
});

test('of what is due, all but the one that is locked is ready again', async () => {
  const { keys } = await queueThree(`due_at = now() - interval '1 second'`);
  await lockPending(keys[0]!);
  await connections.run(wakePending(1_000));
  expect(await keysWhere('due_at is null', keys)).toEqual(keys.slice(1));
});

test('of what is parked, all but the one that is locked is ready again', async () => {
  const { subscription, keys } = await queueThree(`due_at = 'infinity'`);
  await lockPending(keys[0]!);
  expect(await connections.run(unpark(subscription - 1, 1, 1_000))).toMatchObject([{ lanes: 1, woken: 2 }]);
  expect(await keysWhere('due_at is null', keys)).toEqual(keys.slice(1));
});

test('of a resend that is cancelled, all but the one that is locked is given up', async () => {
  const { keys } = await queueThree('resend_job = 77');
  await lockPending(keys[0]!);
  expect(await connections.run(giveUpPending(77, 1_000, 'Cancelled.'))).toHaveLength(2);
  expect(await keysWhere('true', keys)).toEqual(keys.slice(0, 1));
});

test('of a resend that is cancelled, what a worker has claimed is left to it', async () => {
  const { keys } = await queueThree('resend_job = 78');
  const claim = 'update flaghoist_system.pending_notification set claimed_by = 5 where notification_key = $1';
  await pool.query(claim, [keys[0]]);
  expect(await connections.run(giveUpPending(78, 1_000, 'Cancelled.'))).toHaveLength(2);
  expect(await keysWhere('claimed_by = 5', keys)).toEqual(keys.slice(0, 1));
});

test('a resend that another process is at is left to it', async () => {
  const subscription = await subscribeTo(service, nowhere);
  await storeFailed(service, subscription, 1);
  const { job } = await resent(service, subscription);
  await lock('select from flaghoist_system.resend_progress where job_key = $1 for update', job);
  expect(await connections.run(lockProgress(job!, 10))).toEqual([]);
});

test('a claim of events takes all but the one that is locked', async () => {
  const names = ['One', 'Two', 'Three'].map((vesselName) => ({ vesselName }));
  expect((await service.post('/ws/rest/Vessel', names)).status).toBe(201);
  const { rows } = await pool.query('select event_id::int as id from flaghoist_system.unmatched_event order by 1');
  const ids = rows.map(({ id }) => id as number);
  expect(ids.length).toBeGreaterThan(2);
  await lock('select from flaghoist_system.unmatched_event where event_id = $1 for update', ids[0]);
  expect(await idsOf(claimEvents({ eventsMax: 1_000, fromId: 0, modelDigest }), 'id')).toEqual(ids.slice(1));
});

test('a claim of drafts takes all but the one that is locked', async () => {
  const drafts = [1, 2, 3].map(draftOf);
  await connections.run(insertUnshaped(drafts));
  await lock('select from flaghoist_system.unshaped_match where notification_key = $1 for update', 1);
  const claim = claimUnshaped({ capacities: new Map([[5, 10]]), rowsMax: 10, leaseMs: 60_000, modelDigest });
  expect(await idsOf(claim, 'key')).toEqual([2, 3]);
});

/** Three notifications of a subscription of their own, changed by `change`; their keys, in order. */
async function queueThree(change: string): Promise<{ subscription: number; keys: number[] }> {
  const subscription = await subscribeTo(service, nowhere);
  const ids = await queue(pool, subscription, 3);
  await pool.query(`update flaghoist_system.pending_notification set ${change} where subscription_key = $1`, [
    subscription,
  ]);
  return { subscription, keys: sorted(ids.map((id) => Number(id.split('-')[1]))) };
}

function lockPending(key: number): Promise<void> {
  return lock('select from flaghoist_system.pending_notification where notification_key = $1 for update', key);
}

/** Until the test is over. */
async function lock(statement: string, key: unknown): Promise<void> {
  const client = await pool.connect();
  onTestFinished(async () => {
    await client.query('rollback');
    client.release();
  });
  await client.query('begin');
  expect((await client.query(statement, [key])).rowCount).toBe(1);
}

async function keysWhere(condition: string, keys: readonly number[]): Promise<number[]> {
  const { rows } = await pool.query(
    `select notification_key::int as key from flaghoist_system.pending_notification
     where ${condition} and notification_key = any($1) order by 1`,
    [keys],
  );
  return rows.map(({ key }) => key);
}

async function idsOf(statement: Statement, column: string): Promise<number[]> {
  return sorted((await connections.run(statement)).map((row) => Number(row[column])));
}

function sorted(keys: readonly number[]): number[] {
  return [...keys].sort((one, other) => one - other);
}

function draftOf(key: number): UnshapedMatch {
  return {
    key,
    eventId: key,
    subscriptionKey: 5,
    userKey: 1,
    objectType: 'Vessel',
    objectKey: 1,
    eventType: 'U',
    subscribedObjectKey: 1,
    occurredAt: '2026-11-15T00:00:00.000000Z',
    shownNo: null,
    svcObjectNo: null,
    oldSvcObjectNo: null,
    changesNo: null,
    bytes: 1,
    errorMessage: null,
    isOrdered: false,
    isStreamed: false,
  };
}
