// Receivers that hang or fail delay no others and fill no memory. Counts and orders only; benchmarks measure speed.

import type { Socket } from 'node:net';
import type pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { startBeside } from '../auth/service-beside.ts';
import { startReceiver } from '../channels/receiver.ts';
import { useTestService } from '../support/test-service.ts';
import { awaitSettled, countPending, fatesOf, idOf, queue, subscribeTo } from './queued.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api' });
const pool: pg.Pool = service.database.pool;

const start = (more: object = {}) =>
  startBeside(service.database, {
    FLAGHOIST_ROLES: 'worker',
    FLAGHOIST_DELIVERY_TIMEOUT_SECONDS: '300',
    FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.1',
    FLAGHOIST_STOP_TIMEOUT_SECONDS: '0.5',
    ...more,
  });

const timeout = 90_000;

// Requests that still hang do not affect the next test.
afterEach(async () => {
  await pool.query('delete from flaghoist_system.pending_notification');
});

test.each([1, 5, 20])(
  'FLT-17: %d receivers that hang, with 500 queued each, keep no other waiting, and have two under way each',
  {
    timeout,
  },
  async (count) => {
    const hanging = await startHanging();
    const healthy = await startReceiver();
    for (let n = 0; n < count; n += 1) await queue(pool, await subscribeTo(service, hanging.url), 500);
    await start();
    await expect.poll(() => hanging.inFlight(), { timeout: 20_000 }).toBe(2 * count);
    const ids: string[] = [];
    for (let n = 0; n < 10; n += 1) ids.push(...(await queue(pool, await subscribeTo(service, healthy.url), 50)));
    await expect.poll(() => healthy.requests.length, { timeout: 20_000 }).toBe(500);
    expect(healthy.requests.map(idOf).sort()).toEqual(ids.sort());
    expect(hanging.most()).toBe(2 * count);
    await expect.poll(() => countPending(pool), { timeout: 20_000 }).toBe(500 * count);
  },
);

test('receivers that have failed before, and now hang, take no more than a quarter of all places', {
  timeout,
}, async () => {
  let isHanging = false;
  const open = new Set<Socket>();
  const failing = await startReceiver({
    onRequest: (socket) => {
      if (isHanging) open.add(socket);
      else socket.write('HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n');
    },
  });
  const healthy = await startReceiver();
  const more = { doNotUnsubscribe: true };
  for (let n = 0; n < 40; n += 1) await queue(pool, await subscribeTo(service, failing.url, more), 20);
  await start({ FLAGHOIST_DELIVERIES_IN_FLIGHT: '20', FLAGHOIST_DELIVERY_ATTEMPTS: '100' });
  await expect.poll(() => failing.requests.length, { timeout: 20_000 }).toBeGreaterThan(80);
  const known = await subscribeTo(service, healthy.url);
  await queue(pool, known);
  await expect.poll(() => healthy.requests.length, { timeout: 20_000 }).toBe(1);
  isHanging = true;
  await expect.poll(() => open.size, { timeout: 20_000 }).toBe(5);
  await queue(pool, known, 100);
  await expect.poll(() => healthy.requests.length, { timeout: 20_000 }).toBe(101);
  expect(open.size).toBe(5);
});

test('an inactive user is sent nothing, and everything when it is active again', { timeout }, async () => {
  const receiver = await startReceiver();
  const canary = await startReceiver();
  const user = await service.post('/ws/rest/ApiUser', { userCode: 'sleeper', name: 'Sleeper' });
  const subscription = await subscribeTo(service, receiver.url, { user: user.body.key });
  const other = await subscribeTo(service, canary.url);
  const setActive = async (active: boolean) =>
    expect((await service.put(`/ws/rest/ApiUser/${user.body.key}`, { active })).status).toBe(200);
  await setActive(false);
  const ids = await queue(pool, subscription, 300);
  await start();
  await queue(pool, other, 20);
  await expect.poll(() => canary.requests.length, { timeout: 20_000 }).toBe(20);
  // Parked, where nobody claims it over and over.
  await expect.poll(() => countPending(pool, "due_at = 'infinity'"), { timeout: 20_000 }).toBe(300);
  expect(await countPending(pool, 'claimed_by is not null')).toBe(0);
  expect(receiver.requests).toEqual([]);
  await setActive(true);
  await awaitSettled(pool);
  expect(receiver.requests.map(idOf).sort()).toEqual(ids.sort());
  expect((await fatesOf(pool, subscription)).filter(({ attempts }) => attempts !== 1)).toEqual([]);
});

test('first attempts go before others, which are not forgotten either', { timeout }, async () => {
  const receiver = await startReceiver();
  const again = new Set(await queue(pool, await subscribeTo(service, receiver.url), 40));
  await pool.query('update flaghoist_system.pending_notification set attempts = 1');
  for (let n = 0; n < 4; n += 1) await queue(pool, await subscribeTo(service, receiver.url), 10);
  await start({ FLAGHOIST_DELIVERIES_IN_FLIGHT: '1' });
  await awaitSettled(pool);
  const order = receiver.requests.map((request) => (again.has(idOf(request)) ? 'again' : 'first'));
  expect(order).toHaveLength(80);
  expect(order.slice(0, 8).filter((kind) => kind === 'first').length).toBeGreaterThanOrEqual(7);
  // One in eight, as long as there are first attempts.
  const retried = order.slice(0, order.lastIndexOf('first')).filter((kind) => kind === 'again').length;
  expect(retried).toBeGreaterThanOrEqual(4);
  expect(retried).toBeLessThanOrEqual(6);
});

test.each([
  ['one subscription', 1, 4_000, 40, 2],
  ['many subscriptions', 250, 40, 1_300, 128],
])(
  'what is queued for %s stays in the database: a worker claims only so many, and half of its places is for others',
  {
    timeout,
  },
  async (_, subscriptions, each, most, places) => {
    const hanging = await startHanging();
    const healthy = await startReceiver();
    await start();
    const known = await subscribeTo(service, healthy.url);
    await queue(pool, known);
    await expect.poll(() => healthy.requests.length, { timeout: 20_000 }).toBe(1);
    for (let n = 0; n < subscriptions; n += 1) await queue(pool, await subscribeTo(service, hanging.url), each);
    let claimedMost = 0;
    const look = async () => {
      claimedMost = Math.max(claimedMost, await countPending(pool, 'claimed_by is not null'));
      return hanging.inFlight();
    };
    await expect.poll(look, { timeout: 20_000, interval: 5 }).toBe(places);
    for (let looks = 0; looks < 40; looks += 1) await look();
    expect(claimedMost).toBeLessThanOrEqual(most);
    await queue(pool, known, 100);
    await expect.poll(() => healthy.requests.length, { timeout: 20_000 }).toBe(101);
    expect(hanging.most()).toBe(places);
  },
);

test('where there are more receivers than places for all they may have, connections are kept and used again', {
  timeout,
}, async () => {
  const receivers = await Promise.all(Array.from({ length: 8 }, () => startReceiver()));
  const subscriptions: number[] = [];
  for (const { url } of receivers) subscriptions.push(await subscribeTo(service, url));
  for (const subscription of subscriptions) await queue(pool, subscription, 500);
  await start({ FLAGHOIST_DELIVERIES_IN_FLIGHT: '16', FLAGHOIST_DELIVERIES_IN_FLIGHT_PER_SUBSCRIPTION: '10' });
  await awaitSettled(pool);
  expect(receivers.map(({ requests }) => requests.length)).toEqual(receivers.map(() => 500));
  // Some more than can be open at a time, since the last ones have all places for themselves; and not one for every few
  // messages.
  const accepted = receivers.reduce((sum, receiver) => sum + receiver.accepted, 0);
  expect(accepted).toBeLessThan(80);
});

/** Answers nothing, ever. */
async function startHanging() {
  const open = new Set<Socket>();
  let most = 0;
  const receiver = await startReceiver({
    onRequest: (socket) => {
      open.add(socket);
      most = Math.max(most, open.size);
      socket.on('close', () => open.delete(socket));
    },
  });
  return { url: receiver.url, inFlight: () => open.size, most: () => most };
}
