// A worker that has lost a claim: what it still records changes nothing, unless the notification was delivered.

import { beforeEach, describe, expect, test } from 'vitest';
import type { Statement } from '../../src/database/database.ts';
import {
  failClaimed,
  recordDelivered,
  recordFailure,
  recordRetries,
} from '../../src/deliver/outcomes/outcome-table.ts';
import { claimPending, park, postpone, releaseClaimed, selectClaimed } from '../../src/deliver/queue/pending-table.ts';
import { type ReadyNotification, readClaim } from '../../src/deliver/queue/ready-notification.ts';
import { endWorker, insertWorker } from '../../src/deliver/workers/worker-table.ts';
import { useTestService } from '../support/test-service.ts';
import { countIn } from './failed-notifications.ts';
import { ready } from './filled-lanes.ts';
import { countPending, fatesOf, queue, subscribeTo } from './queued.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api' });
const { pool, connections } = service.database;
const [loser, holder] = [1, 2];

let subscription: number;
let key: number;
let notification: ReadyNotification;

beforeEach(async () => {
  subscription = await subscribeTo(service, 'http://127.0.0.1:9/');
  const [id] = await queue(pool, subscription);
  key = Number(id!.split('-')[1]);
  const { rows } = await pool.query(
    `select to_char(created_date, 'YYYY-MM-DD"T"HH24:MI:SS') as "createdDate" from flaghoist_system.pending_notification
     where notification_key = $1`,
    [key],
  );
  notification = { ...ready(subscription), key, ...rows[0] };
});

const result = { kind: 'failed', reason: 'No.', statusCode: 500, answer: null, retryAfterMs: undefined } as const;
const attempt = { startedAt: new Date(), durationMs: 5, endedAtMs: 0, result };
const retry = () => ({ kind: 'retry', notification, attempt, error: 'No.', delayMs: 1_000 }) as const;
const lastFailure = () => ({ kind: 'failure', notification, attempt, error: 'No.' }) as const;
const delivered = () => ({ kind: 'delivered', notification, attempt }) as const;

const ended = { errorMessage: 'Unsubscribed.', canBeSentAgain: true };

/** What a worker records of a claimed notification that was not delivered. */
const records: [string, (workerId: number) => Statement][] = [
  ['releases it', (workerId) => releaseClaimed(workerId, [key])],
  ['postpones it', (workerId) => postpone(workerId, [key], 1_000)],
  ['parks it', (workerId) => park(workerId, [key])],
  ['fails it untried', (workerId) => failClaimed(workerId, [key], ended)],
  ['records an attempt', (workerId) => recordRetries(workerId, [retry()])],
  ['records the last attempt', (workerId) => recordFailure(workerId, lastFailure())],
];

test.each(records)('a worker that %s changes its own claims, and none of another worker', async (_, record) => {
  await set(`claimed_by = ${holder}`);
  const before = await stateOf();
  await connections.run(record(loser!));
  expect(await stateOf()).toEqual(before);
  await connections.run(record(holder!));
  expect(await stateOf()).not.toEqual(before);
});

describe.each(records.slice(-2))('a worker that %s of a notification that it has claimed again', (_, record) => {
  test.each([
    ['after more attempts', 'attempts = 1'],
    ['as part of a resend', 'resend_job = 77'],
  ])('%s changes nothing', async (__, change) => {
    await set(`claimed_by = ${holder}, ${change}`);
    const before = await stateOf();
    await connections.run(record(holder!));
    expect(await stateOf()).toEqual(before);
  });
});

describe('a notification that has arrived', () => {
  test('is recorded as delivered, once, even if another worker has claimed it by now', async () => {
    await set(`claimed_by = ${holder}`);
    for (let times = 0; times < 2; times += 1) await connections.run(recordDelivered([delivered()]));
    expect(await fatesOf(pool, subscription)).toMatchObject([{ status: 'DELIVERED', attempts: 1, statusCodes: [500] }]);
    expect(await countPending(pool, `notification_key = ${key}`)).toBe(0);
  });

  test('is not confused with another one that got the same key after a failover', async () => {
    await set(`claimed_by = ${holder}`);
    const before = await stateOf();
    const sentBefore = { ...notification, createdDate: '2026-01-02T03:04:05' };
    const others = [sentBefore, { ...sentBefore, key: key + 1_000_000 }];
    await connections.run(recordDelivered(others.map((other) => ({ ...delivered(), notification: other }))));
    expect(await stateOf()).toEqual(before);
  });

  test('no longer counts as failed', async () => {
    await set(`claimed_by = ${holder}`);
    await connections.run(recordFailure(holder!, lastFailure()));
    const failed = `flaghoist_system.resendable_notification where notification_key = ${key}`;
    expect(await countIn(service, failed)).toBe(1);
    await connections.run(recordDelivered([delivered()]));
    expect(await countIn(service, failed)).toBe(0);
    expect(await fatesOf(pool, subscription)).toMatchObject([{ status: 'DELIVERED', attempts: 2 }]);
  });
});

test('a worker that was declared dead claims nothing', async () => {
  const [worker] = await connections.run(insertWorker(60_000));
  const workerId = Number(worker!.id);
  const claim = claimPending({
    workerId,
    afterLane: subscription - 1,
    lanesMax: 1,
    rowsMax: 10,
    capacities: { named: new Map(), others: 10 },
    bytesMax: 1_000_000,
  });
  await connections.run(endWorker(workerId));
  expect(readClaim(await connections.run(claim))).toMatchObject({ ready: [], withoutBody: [], surplus: [] });
  expect(await countPending(pool, `notification_key = ${key} and claimed_by is null`)).toBe(1);
});

test('a worker finds its claims in one part of the queue, and given keys in any part', async () => {
  const claimsIn = async (block: number, keys: number[], workerId = 3) =>
    (await connections.run(selectClaimed(workerId, { block, blocks: 1, keys })))[0];
  await set(`claimed_by = 3`);
  await pool.query(
    `insert into flaghoist_system.pending_notification (notification_key, created_date, subscription_key)
     select n, now(), 1 from generate_series($1::bigint + 1, $1::bigint + 500) n`,
    [key],
  );
  const { rows } = await pool.query(
    `select (ctid::text::point)[0]::int as block,
      (pg_relation_size('flaghoist_system.pending_notification') / current_setting('block_size')::int)::int as blocks
     from flaghoist_system.pending_notification where notification_key = $1`,
    [key],
  );
  const { block, blocks } = rows[0];
  expect(block + 1).toBeLessThan(blocks);
  expect(await claimsIn(block, [])).toEqual({ keys: [String(key)], next_block: block + 1 });
  expect(await claimsIn(blocks - 1, [])).toEqual({ keys: [], next_block: 0 });
  expect(await claimsIn(blocks - 1, [key, key + 1])).toEqual({ keys: [String(key)], next_block: 0 });
  expect(await claimsIn(block, [key], loser)).toEqual({ keys: [], next_block: block + 1 });
});

async function set(change: string): Promise<void> {
  await pool.query(`update flaghoist_system.pending_notification set ${change} where notification_key = $1`, [key]);
}

/** Everything that is stored about the notification, and the health of its subscription. */
async function stateOf(): Promise<unknown> {
  const { rows } = await pool.query(
    `select (select to_jsonb(p) from flaghoist_system.pending_notification p where notification_key = $1) as pending,
      (select to_jsonb(n) from flaghoist_service.webhook_notification n where key = $1) as notification,
      (select to_jsonb(f) from flaghoist_system.resendable_notification f where notification_key = $1) as failed,
      (select to_jsonb(h) from flaghoist_system.delivery_health h where subscription_key = $2) as health`,
    [key, subscription],
  );
  return rows[0];
}
