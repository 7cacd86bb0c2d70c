// Claims and leases: an attempt is recorded once, workers side by side, and one that stops.

import { describe, expect, test } from 'vitest';
import { recordFailure, recordRetries } from '../../src/deliver/outcomes/outcome-table.ts';
import type { ReadyNotification } from '../../src/deliver/queue/ready-notification.ts';
import { startBeside } from '../auth/service-beside.ts';
import { ok } from '../channels/receiver.ts';
import { useTestService } from '../support/test-service.ts';
import { ready } from './filled-lanes.ts';
import { patient, startHolding } from './holding-receiver.ts';
import {
  awaitSettled,
  countPending,
  fatesOf,
  idOf,
  queue,
  subscribeTo,
  useNoEarlierWorkers,
  workerIds,
} from './queued.ts';
import { startWorker } from './worker-process.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api' });
const { pool } = service.database;

const timeout = 120_000;

useNoEarlierWorkers(pool);

test('an attempt is recorded once, even if the response is lost and the same worker claims it again', async () => {
  const subscription = await subscribeTo(service, 'http://127.0.0.1:9/');
  const [id] = await queue(pool, subscription);
  const key = Number(id!.split('-')[1]);
  const { rows } = await pool.query(
    'select to_char(created_date, \'YYYY-MM-DD"T"HH24:MI:SS\') as "createdDate" from ' +
      'flaghoist_system.pending_notification where notification_key = $1',
    [key],
  );
  const claim = 'update flaghoist_system.pending_notification set claimed_by = 5, due_at = null';
  const notification: ReadyNotification = { ...ready(subscription), key, createdDate: rows[0].createdDate };
  const result = { kind: 'failed', reason: 'No.', statusCode: 500, answer: null, retryAfterMs: undefined } as const;
  const tried = { notification, attempt: { startedAt: new Date(), durationMs: 5, endedAtMs: 0, result }, error: 'No.' };
  await pool.query(claim);
  for (let times = 0; times < 2; times += 1) {
    await pool.query(recordRetries(5, [{ kind: 'retry', ...tried, delayMs: 10 }]));
    await pool.query(claim);
  }
  await pool.query(recordFailure(5, { kind: 'failure', ...tried }));
  expect(await fatesOf(pool, subscription)).toEqual([{ id, status: 'PENDING', attempts: 1, statusCodes: [500] }]);
  expect(await countPending(pool, 'claimed_by = 5')).toBe(1);
  await pool.query(recordFailure(5, { kind: 'failure', ...tried, notification: { ...notification, attempts: 1 } }));
  expect(await fatesOf(pool, subscription)).toEqual([{ id, status: 'FAILED', attempts: 2, statusCodes: [500, 500] }]);
});

test('FLT-23: two workers claim side by side, and each of 2,000 notifications is sent once', { timeout }, async () => {
  const receivers = await Promise.all(Array.from({ length: 5 }, () => startHolding()));
  const subscriptions: number[] = [];
  for (const { url } of receivers) for (let n = 0; n < 4; n += 1) subscriptions.push(await subscribeTo(service, url));
  const ids: string[] = [];
  for (const subscription of subscriptions) ids.push(...(await queue(pool, subscription, 100)));
  await Promise.all([startWorker(service.database.url, patient), startWorker(service.database.url, patient)]);
  const claimers = async () =>
    (await pool.query('select count(distinct claimed_by)::int from flaghoist_system.pending_notification')).rows[0]
      .count;
  await expect.poll(claimers, { timeout: 30_000 }).toBe(2);
  for (const receiver of receivers) receiver.answerAll(ok);
  await awaitSettled(pool, 60_000);
  expect(receivers.flatMap(({ requests }) => requests.map(idOf)).sort()).toEqual([...ids].sort());
  for (const subscription of subscriptions)
    expect((await fatesOf(pool, subscription)).filter(({ attempts }) => attempts !== 1)).toEqual([]);
});

describe('a worker that is stopped', () => {
  test('gives back at once what it has not begun, and finishes what is under way', { timeout }, async () => {
    const receiver = await startHolding();
    const subscription = await subscribeTo(service, receiver.url);
    const ids = await queue(pool, subscription, 100);
    const settings = { ...patient, FLAGHOIST_ROLES: 'worker' };
    // To a receiver that has not answered yet.
    const underWay = 2;
    const stopped = await startBeside(service.database, settings);
    await receiver.claimedKeys(underWay);
    const [stoppedId] = await workerIds(pool);
    await expect.poll(() => countPending(pool, `claimed_by = ${stoppedId}`)).toBeGreaterThan(underWay);
    const isStopped = stopped.stop();
    await expect.poll(() => countPending(pool, `claimed_by = ${stoppedId}`)).toBe(underWay);
    await startBeside(service.database, settings);
    // The other sends the rest while some are still under way here.
    await receiver.claimedKeys(2 * underWay);
    receiver.answerFrom(underWay, ok);
    await expect.poll(() => countPending(pool), { timeout: 20_000 }).toBe(underWay);
    for (let index = 0; index < underWay; index += 1) receiver.answer(index, ok);
    await isStopped;
    expect(await countPending(pool)).toBe(0);
    expect(receiver.requests.map(idOf).sort()).toEqual([...ids].sort());
    expect((await fatesOf(pool, subscription)).filter(({ attempts }) => attempts !== 1)).toEqual([]);
  });

  test('leaves nothing claimed, also where a receiver does not answer before the deadline', { timeout }, async () => {
    const receiver = await startHolding();
    const subscription = await subscribeTo(service, receiver.url);
    const [id] = await queue(pool, subscription);
    const settings = { ...patient, FLAGHOIST_ROLES: 'worker', FLAGHOIST_STOP_TIMEOUT_SECONDS: '0.3' };
    const stopped = await startBeside(service.database, settings);
    await receiver.claimedKeys(1);
    await stopped.stop();
    expect(await workerIds(pool)).toEqual([]);
    expect(await countPending(pool, 'claimed_by is null')).toBe(1);
    receiver.answerAll(ok);
    await startBeside(service.database, settings);
    await awaitSettled(pool);
    expect(receiver.requests.map(idOf)).toEqual([id, id]);
    expect(await fatesOf(pool, subscription)).toMatchObject([{ status: 'DELIVERED', attempts: 1 }]);
  });
});
