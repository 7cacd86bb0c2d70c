// A worker that is halted, and then goes on: another sends what it had claimed, and its late failures are only logged.

import { describe, expect, test, vi } from 'vitest';
import { startBeside } from '../auth/service-beside.ts';
import { ok } from '../channels/receiver.ts';
import { useTestService } from '../support/test-service.ts';
import { failed, patient, startHolding } from './holding-receiver.ts';
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

describe('FLT-22: a worker that is halted for longer than its lease, and then goes on', () => {
  test('loses what it has claimed to another; its late failure is only logged, its late success counts', {
    timeout,
  }, async () => {
    const settings = { ...patient, FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '3600' };
    const [first, second, third] = [await startHolding(), await startHolding(), await startHolding()];
    const willFail = await subscribeTo(service, first.url);
    const willArrive = await subscribeTo(service, second.url);
    const underWay = await subscribeTo(service, third.url);
    const halted = await startWorker(service.database.url, settings);
    const [failing] = await queue(pool, willFail);
    const [arriving] = await queue(pool, willArrive);
    const [sent] = await queue(pool, underWay);
    await Promise.all([first.claimedKeys(1), second.claimedKeys(1), third.claimedKeys(1)]);
    halted.halt();
    await endLeases();
    const other = await startBeside(service.database, { ...settings, FLAGHOIST_ROLES: 'worker' });
    await Promise.all([first.claimedKeys(2), second.claimedKeys(2), third.claimedKeys(2)]);
    first.answer(1, ok);
    second.answer(1, failed);
    const delivered = { id: failing, status: 'DELIVERED', attempts: 1, statusCodes: [200] };
    const waiting = { id: arriving, status: 'PENDING', attempts: 1, statusCodes: [500] };
    await expect.poll(() => fatesOf(pool, willFail), { timeout: 10_000 }).toEqual([delivered]);
    await expect.poll(() => fatesOf(pool, willArrive), { timeout: 10_000 }).toEqual([waiting]);
    first.answer(0, failed);
    second.answer(0, ok);
    third.answer(0, failed);
    halted.goOn();
    const arrived = { id: arriving, status: 'DELIVERED', attempts: 2, statusCodes: [500, 200] };
    await expect.poll(() => fatesOf(pool, willArrive), { timeout: 10_000 }).toEqual([arrived]);
    // All that it had to record is recorded when it has stopped.
    await halted.stop();
    expect(await fatesOf(pool, underWay)).toEqual([{ id: sent, status: 'PENDING', attempts: 1, statusCodes: [500] }]);
    third.answer(1, ok);
    await other.stop();
    const both = { id: sent, status: 'DELIVERED', attempts: 2, statusCodes: [500, 200] };
    expect(await fatesOf(pool, underWay)).toEqual([both]);
    expect(await fatesOf(pool, willFail)).toEqual([{ ...delivered, attempts: 2, statusCodes: [200, 500] }]);
    expect(await countPending(pool)).toBe(0);
    expect([first.requests.map(idOf), second.requests.map(idOf)]).toEqual([
      [failing, failing],
      [arriving, arriving],
    ]);
    const shown = await service.get(`/ws/rest/WebhookSubscription/${willFail}`);
    expect(shown.body).toMatchObject({ state: 'ACTIVE', consecutiveFailures: 0, failingSince: null });
  });

  test('sends nothing of what it had claimed and not begun', { timeout }, async () => {
    const receiver = await startHolding();
    const subscription = await subscribeTo(service, receiver.url);
    const settings = { ...patient, FLAGHOIST_DELIVERIES_IN_FLIGHT_PER_SUBSCRIPTION: '1' };
    const ids = await queue(pool, subscription, 20);
    const halted = await startWorker(service.database.url, settings);
    await receiver.claimedKeys(1);
    halted.halt();
    // From here on it has renewed nothing any more.
    const haltedAt = performance.now();
    await endLeases();
    await startBeside(service.database, { ...settings, FLAGHOIST_ROLES: 'worker' });
    await receiver.claimedKeys(2);
    receiver.answerAll(ok);
    await awaitSettled(pool);
    // By its own clock as well.
    await vi.waitUntil(() => performance.now() - haltedAt > 6_000, { timeout: 10_000 });
    halted.goOn();
    await expect.poll(async () => (await workerIds(pool)).length, { timeout: 20_000 }).toBe(2);
    await halted.stop();
    // The one that was under way when it was halted came twice.
    expect(receiver.requests.map(idOf).sort()).toEqual([ids[0], ...ids].sort());
    expect(
      (await fatesOf(pool, subscription)).every((fate) => fate.status === 'DELIVERED' && fate.attempts === 1),
    ).toBe(true);
  });
});

test('a worker that was halted, and that nobody has replaced, goes on with what it has', { timeout }, async () => {
  const receiver = await startHolding();
  const subscription = await subscribeTo(service, receiver.url);
  const ids = await queue(pool, subscription, 15);
  const worker = await startWorker(service.database.url, patient);
  await receiver.claimedKeys(1);
  await expect.poll(() => countPending(pool, 'claimed_by is not null')).toBe(15);
  worker.halt();
  const overdue = 'select count(*)::int from flaghoist_system.delivery_worker where alive_until < now()';
  await expect.poll(async () => (await pool.query(overdue)).rows[0].count, { timeout: 20_000 }).toBe(1);
  receiver.answerAll(ok);
  worker.goOn();
  await awaitSettled(pool);
  expect(receiver.requests.map(idOf).sort()).toEqual([...ids].sort());
});

/** By the clock of the database: a worker that does not renew its lease now is overdue. */
async function endLeases(): Promise<void> {
  await pool.query('update flaghoist_system.delivery_worker set alive_until = now()');
}
