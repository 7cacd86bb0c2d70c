// Slots that a process could not use in time. The test controls the monotonic clock of this process.

import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { reserveSlots } from '../../src/deliver/throttle/rate-table.ts';
import { Throttle } from '../../src/deliver/throttle/throttle.ts';
import { useTestService } from '../support/test-service.ts';
import { subscribeTo } from './queued.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api' });

/** Reserves slots at 10 a second. Answers how many can be used at once after `lateMs`, and drops them. */
async function usableAfter(lateMs: number): Promise<number> {
  let nowMs = 0;
  // Not by fake timers: the loop needs real ones.
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  onTestFinished(() => clock.mockRestore());
  const key = await subscribeTo(service, 'https://receiver.example/hook', { ratePerSecond: 10 });
  const { connections: database } = service.database;
  const keys: number[] = [];
  const throttle = new Throttle({ database, observe: () => undefined, onReserved: (some) => keys.push(...some) });
  onTestFinished(() => throttle.stop());
  expect(throttle.waitMs(key, 100)).toBeUndefined();
  await vi.waitUntil(() => keys.includes(key), { timeout: 10_000 });
  nowMs += lateMs;
  let used = 0;
  for (; throttle.waitMs(key, 1) === 0; used += 1) throttle.use(key);
  return used;
}

test.each([
  ['in time, the first', 0, 1],
  ['200 ms late, three', 200, 3],
  ['600 ms late, only those of the last quarter of a second', 600, 1],
  ['an hour late, none: another process may have sent meanwhile, and none', 3_600_000, 0],
])('%s can be used at once', async (_, lateMs, count) => {
  expect(await usableAfter(lateMs)).toBe(count);
});

describe('at a low rate, a slot that is late by 50 s', () => {
  test.each([
    ['is there again at once if no other process has reserved slots', false, 0, 0],
    ['is lost if another process has: two attempts never follow each other closely', true, 140_000, 150_000],
  ])('%s', async (_, isOtherReserving, least, most) => {
    let nowMs = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
    onTestFinished(() => clock.mockRestore());
    const key = await subscribeTo(service, 'https://receiver.example/slow', { ratePerSecond: 0.01 });
    const { connections: database, pool } = service.database;
    let reserved = 0;
    const onReserved = () => {
      reserved += 1;
    };
    const throttle = new Throttle({ database, observe: () => undefined, onReserved });
    onTestFinished(() => throttle.stop());
    throttle.waitMs(key, 1);
    await vi.waitUntil(() => reserved === 1, { timeout: 10_000 });
    if (isOtherReserving) await database.run(reserveSlots([{ subscriptionKey: key, count: 1 }]));
    nowMs += 50_000;
    await pool.query(
      `update flaghoist_system.delivery_rate set next_at = next_at - interval '50 s' where subscription_key = $1`,
      [key],
    );
    expect(throttle.waitMs(key, 1)).toBeUndefined();
    await vi.waitUntil(() => reserved === 2, { timeout: 10_000 });
    const waitMs = throttle.waitMs(key, 1);
    expect(waitMs).toBeGreaterThanOrEqual(least);
    expect(waitMs).toBeLessThanOrEqual(most);
  });
});
