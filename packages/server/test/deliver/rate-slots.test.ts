// The slots that processes reserve: together never more than the rate allows, whoever asks and whatever the clock does.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import {
  deleteUnusedRates,
  type ReservedSlots,
  readReserved,
  reserveSlots,
} from '../../src/deliver/throttle/rate-table.ts';
import { useTestService } from '../support/test-service.ts';
import { subscribeTo } from './queued.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api' });
const { pool, connections } = service.database;

beforeEach(async () => {
  await pool.query('delete from flaghoist_system.delivery_rate');
});

const subscribe = (ratePerSecond: number | null) =>
  subscribeTo(service, `https://receiver.example/${randomUUID()}`, { ratePerSecond });

async function reserve(subscriptionKey: number, count: number): Promise<ReservedSlots | undefined> {
  const [row] = await connections.run(reserveSlots([{ subscriptionKey, count }]));
  return row && readReserved(row);
}

const shiftNext = (key: number, by: string) =>
  pool.query('update flaghoist_system.delivery_rate set next_at = next_at + $2::interval where subscription_key = $1', [
    key,
    by,
  ]);

test('the first slot is now, and the next ones follow at the rate', async () => {
  const key = await subscribe(10);
  const [first, second] = [await reserve(key, 3), await reserve(key, 3)];
  expect(first).toEqual({ subscriptionKey: key, ratePerSecond: 10, count: 3, delayMs: expect.any(Number) });
  expect(first!.delayMs).toBeLessThanOrEqual(0);
  expect(second!.delayMs).toBeGreaterThan(0);
  expect(second!.delayMs).toBeLessThanOrEqual(300);
});

test.each([
  [1000, 800, 500],
  [5, 800, 3],
  [5, 2, 2],
  [1, 800, 1],
  [0.01, 800, 1],
])(
  'at %d a second, a process that wants %d gets %d: half a second of them, but at least one',
  async (rate, wanted, got) => {
    expect((await reserve(await subscribe(rate), wanted))!.count).toBe(got);
  },
);

test('sessions that reserve at once never get more than the rate allows, and none is left out', async () => {
  const keys = [await subscribe(40), await subscribe(200)];
  const began = performance.now();
  const slots = new Map<number, number[]>(keys.map((key) => [key, []]));
  const session = async (order: readonly number[]) => {
    for (let round = 0; round < 60; round += 1) {
      const rows = await connections.run(reserveSlots(order.map((subscriptionKey) => ({ subscriptionKey, count: 2 }))));
      const at = performance.now() - began;
      for (const { subscriptionKey, ratePerSecond, count, delayMs } of rows.map(readReserved))
        for (let n = 0; n < count; n += 1)
          slots.get(subscriptionKey)!.push(Math.max(at, at + delayMs + (n * 1_000) / ratePerSecond));
    }
  };
  // In opposite orders: sessions do not wait for each other in a circle.
  await Promise.all([session(keys), session([...keys].reverse()), session(keys), session([...keys].reverse())]);
  for (const [key, rate] of [
    [keys[0]!, 40],
    [keys[1]!, 200],
  ] as const) {
    const moments = slots.get(key)!.sort((one, other) => one - other);
    expect(moments).toHaveLength(480);
    const seconds = moments.at(-1)! / 1_000;
    // What was late, at most a quarter of a second, is made up for.
    expect(moments.length).toBeLessThanOrEqual(rate * (seconds + 0.25) + 1);
  }
});

test('a request that is late by a moment continues without a gap, and after a longer silence nothing is made up for', async () => {
  const key = await subscribe(100);
  await reserve(key, 10);
  await shiftNext(key, '-200 milliseconds');
  expect((await reserve(key, 1))!.delayMs).toBeLessThan(-50);
  await shiftNext(key, '-1 hour');
  const late = await reserve(key, 1);
  expect(late!.delayMs).toBeGreaterThan(-50);
  expect((await reserve(key, 1))!.delayMs).toBeGreaterThan(-50);
});

test('reservations outlive the process that made them', async () => {
  const key = await subscribe(0.01);
  await reserve(key, 1);
  const other = await service.database.pool.connect();
  try {
    const { text, values } = reserveSlots([{ subscriptionKey: key, count: 1 }]);
    const [row] = (await other.query(text, values)).rows;
    expect(readReserved(row).delayMs).toBeGreaterThan(99_000);
  } finally {
    other.release();
  }
});

test('a clock of the database that is set back by a day delays a subscription at 5 a second by 15 seconds at most', async () => {
  const key = await subscribe(5);
  await reserve(key, 1);
  await shiftNext(key, '1 day');
  const { delayMs } = (await reserve(key, 1))!;
  expect(delayMs).toBeGreaterThan(10_000);
  expect(delayMs).toBeLessThanOrEqual(15_000);
});

test('a changed rate applies to the next reservation, and not the wait of the old one', async () => {
  const key = await subscribe(0.01);
  await reserve(key, 1);
  expect((await service.put(`/ws/rest/WebhookSubscription/${key}`, { ratePerSecond: 50 })).status).toBe(200);
  expect(await reserve(key, 5)).toMatchObject({ ratePerSecond: 50, count: 5 });
  expect((await reserve(key, 5))!.delayMs).toBeLessThanOrEqual(100);
});

test('nothing is reserved for a subscription without a rate, or for one that does not exist', async () => {
  const without = await subscribe(null);
  expect([await reserve(without, 1), await reserve(2 ** 40, 1)]).toEqual([undefined, undefined]);
  const { rows } = await pool.query('select * from flaghoist_system.delivery_rate');
  expect(rows).toEqual([]);
});

test('rows of subscriptions that have not sent lately are deleted, others stay', async () => {
  const [idle, active] = [await subscribe(5), await subscribe(0.01)];
  for (const key of [idle, active]) await reserve(key, 1);
  await shiftNext(idle, '-2 hours');
  await connections.run(deleteUnusedRates());
  const { rows } = await pool.query('select subscription_key::int as key from flaghoist_system.delivery_rate');
  expect(rows).toEqual([{ key: active }]);
});

test('a session that waits for the row of another one gets the slots after it', async () => {
  const key = await subscribe(10);
  await reserve(key, 1);
  const holding = await pool.connect();
  await holding.query('begin');
  const { text, values } = reserveSlots([{ subscriptionKey: key, count: 5 }]);
  const first = readReserved((await holding.query(text, values)).rows[0]);
  const waiting = reserve(key, 1);
  await sleep(50);
  await holding.query('commit');
  holding.release();
  expect((await waiting)!.delayMs).toBeGreaterThan(first.delayMs + 300);
});
