// An ordered subscription (`ordering: OBJECT`) sends the notifications about one object one after the other, in the
// order of the changes, whatever happens to them on the way.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { makeScript, stylesheet } from '../shape/shaped.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { create } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { stateOf, storedOf, subscribeTo, subscriptions } from './failed-notifications.ts';
import { ascending, startOrderedReceiver } from './ordered-receiver.ts';

const service = useTestService({ FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.3', FLAGHOIST_DELIVERY_ATTEMPTS: '3' });
const timeout = 20_000;

/** Of the envelope, the key of the vessel is all that a test needs. */
const ordered = { eventType: 'Vessel.U', ordering: 'OBJECT', rawObject: true };

const createVessel = async (): Promise<number> => (await create(service, 'Vessel', { vesselName: 'Ordered' })).key;

async function change(vessel: number, count = 1): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    changes += 1;
    const answer = await service.put(`/ws/rest/Vessel/${vessel}`, { flag: `flag ${changes}` });
    expect(answer.status, answer.text).toBe(200);
  }
}
let changes = 0;

const statusesOf = async (subscription: number) => (await storedOf(service, subscription)).map(({ status }) => status);

async function awaitStatuses(subscription: number, statuses: string[]): Promise<void> {
  await expect.poll(() => statusesOf(subscription), { timeout, interval: 50 }).toEqual(statuses);
}

test('what changes one object arrives one after the other, in the order of the changes', async () => {
  const receiver = await startOrderedReceiver(async () => {
    await sleep(Math.random() * 10);
    return 200;
  });
  const subscription = await subscribeTo(service, receiver.url, ordered);
  const vessels = [await createVessel(), await createVessel(), await createVessel()];
  await Promise.all(vessels.map((vessel) => change(vessel, 10)));
  await awaitStatuses(subscription, Array(30).fill('DELIVERED'));
  for (const vessel of vessels) {
    expect(receiver.firsts(vessel)).toHaveLength(10);
    expect(receiver.firsts(vessel)).toEqual(ascending(receiver.firsts(vessel)));
  }
  expect(receiver.overlaps).toEqual(new Set());
  expect(receiver.arrivals).toHaveLength(30);
});

test('while a notification waits for its retry, its object waits and the others go on', async () => {
  const receiver = await startOrderedReceiver();
  const subscription = await subscribeTo(service, receiver.url, ordered);
  const [held, free] = [await createVessel(), await createVessel()];
  let failures = 2;
  receiver.judge = ({ object }) => (object === held && failures-- > 0 ? 500 : 200);
  await change(held, 3);
  await change(free, 3);
  await awaitStatuses(subscription, Array(6).fill('DELIVERED'));
  expect(receiver.statuses(held)).toEqual([500, 500, 200, 200, 200]);
  const [first] = receiver.firsts(held);
  const order = receiver.arrivals.filter(({ object }) => object === held).map(({ sequence }) => sequence);
  expect(order.slice(0, 3)).toEqual([first, first, first]);
  expect(order).toEqual(ascending(order));
  const lastFree = receiver.arrivals.findLastIndex(({ object }) => object === free);
  const delivered = receiver.arrivals.findIndex(({ object, status }) => object === held && status === 200);
  expect(lastFree).toBeLessThan(delivered);
});

test('a blocked notification is pending without a date; one that has failed lets the next one leave', async () => {
  const receiver = await startOrderedReceiver();
  const subscription = await subscribeTo(service, receiver.url, { ...ordered, doNotUnsubscribe: true });
  const vessel = await createVessel();
  const bad = new Set<number>();
  receiver.judge = ({ sequence }) => {
    if (bad.size === 0) bad.add(sequence);
    return bad.has(sequence) ? 500 : 200;
  };
  await change(vessel, 3);
  const list = `/ws/rest/WebhookNotification?filter=subscription(EQ)${subscription}&sort=key(AS)`;
  await expect.poll(async () => (await service.get(list)).body.length, { timeout }).toBe(3);
  const [, ...blocked] = (await service.get(list)).body;
  for (const each of blocked) expect(each).toMatchObject({ status: 'PENDING', nextAttemptDate: null, attempts: 0 });
  await awaitStatuses(subscription, ['FAILED', 'DELIVERED', 'DELIVERED']);
  expect(receiver.statuses(vessel)).toEqual([500, 500, 500, 200, 200]);
  expect(receiver.firsts(vessel)).toEqual(ascending(receiver.firsts(vessel)));
});

test('after a deactivation everything pending has failed, and a resend keeps the order of the changes', async () => {
  const receiver = await startOrderedReceiver(() => 500);
  const subscription = await subscribeTo(service, receiver.url, ordered);
  const vessels = [await createVessel(), await createVessel()];
  for (const vessel of vessels) await change(vessel, 4);
  await awaitStatuses(subscription, Array(8).fill('FAILED'));
  expect(await stateOf(service, subscription)).toBe('DEACTIVATED');
  receiver.arrivals.length = 0;
  receiver.judge = () => 200;
  expect((await service.post(`${subscriptions}/${subscription}/sendFailedNotifications`, {})).status).toBe(202);
  await awaitStatuses(subscription, Array(8).fill('DELIVERED'));
  for (const vessel of vessels) {
    expect(receiver.firsts(vessel)).toHaveLength(4);
    expect(receiver.firsts(vessel)).toEqual(ascending(receiver.firsts(vessel)));
  }
  expect(receiver.overlaps).toEqual(new Set());
});

test('a resend does not hold up what is new', async () => {
  const receiver = await startOrderedReceiver(() => 500);
  const subscription = await subscribeTo(service, receiver.url, { ...ordered, doNotUnsubscribe: true });
  const vessel = await createVessel();
  await change(vessel, 2);
  await awaitStatuses(subscription, ['FAILED', 'FAILED']);
  const failed = receiver.firsts(vessel);
  let letGo: (status: number) => void = () => undefined;
  const held = new Promise<number>((resolve) => {
    letGo = resolve;
  });
  receiver.judge = ({ sequence }) => (failed.includes(sequence) ? held : 200);
  // The receiver is known to work again.
  await change(await createVessel());
  await awaitStatuses(subscription, ['FAILED', 'FAILED', 'DELIVERED']);
  expect((await service.post(`${subscriptions}/${subscription}/sendFailedNotifications`, {})).status).toBe(202);
  await expect.poll(() => receiver.arrivals.at(-1)?.status, { timeout }).toBe(0);
  await change(vessel, 2);
  await awaitStatuses(subscription, ['PENDING', 'PENDING', 'DELIVERED', 'DELIVERED', 'DELIVERED']);
  letGo(200);
  await awaitStatuses(subscription, Array(5).fill('DELIVERED'));
});

test('unsubscribing fails what is blocked', async () => {
  const receiver = await startOrderedReceiver(() => 500);
  const subscription = await subscribeTo(service, receiver.url, ordered);
  const vessel = await createVessel();
  await change(vessel, 3);
  await expect.poll(() => receiver.arrivals.length, { timeout }).toBeGreaterThan(0);
  expect((await service.put(`${subscriptions}/${subscription}`, { unsubscribed: true })).status).toBe(200);
  await awaitStatuses(subscription, Array(3).fill('FAILED'));
  expect(receiver.firsts(vessel)).toHaveLength(1);
});

test('a subscription that replaces another sends what it takes over in order, and before anything new', async () => {
  const receiver = await startOrderedReceiver(() => 500);
  const old = await subscribeTo(service, receiver.url, ordered);
  const vessel = await createVessel();
  await change(vessel, 5);
  await expect.poll(() => stateOf(service, old), { timeout }).toBe('DEACTIVATED');
  await change(vessel, 5);
  receiver.arrivals.length = 0;
  receiver.judge = () => 200;
  const replaced = await subscribeTo(service, receiver.url, { ...ordered, replaces: old });
  await change(vessel, 5);
  await awaitStatuses(replaced, Array(15).fill('DELIVERED'));
  expect(receiver.firsts(vessel)).toHaveLength(15);
  expect(receiver.firsts(vessel)).toEqual(ascending(receiver.firsts(vessel)));
  expect(receiver.overlaps).toEqual(new Set());
});

test('what an unordered subscription has failed to send goes out in order if its replacement is ordered', async () => {
  const receiver = await startOrderedReceiver(() => 500);
  const old = await subscribeTo(service, receiver.url, { ...ordered, ordering: 'NONE' });
  const vessel = await createVessel();
  await change(vessel, 5);
  await expect.poll(() => stateOf(service, old), { timeout }).toBe('DEACTIVATED');
  receiver.arrivals.length = 0;
  receiver.judge = () => 200;
  const replaced = await subscribeTo(service, receiver.url, { ...ordered, replaces: old });
  await awaitStatuses(replaced, Array(5).fill('DELIVERED'));
  expect(receiver.firsts(vessel)).toEqual(ascending(receiver.firsts(vessel)));
  expect(receiver.overlaps).toEqual(new Set());
});

test('notifications of an inactive user wait, and leave in order when the user is active again', async () => {
  const receiver = await startOrderedReceiver();
  const user = await create(service, 'ApiUser', { userCode: 'ordered-sleeper', name: 'Sleeper' });
  const subscription = await subscribeTo(service, receiver.url, { ...ordered, user: user.key });
  const vessel = await createVessel();
  const setActive = async (active: boolean) =>
    expect((await service.put(`/ws/rest/ApiUser/${user.key}`, { active })).status).toBe(200);
  await setActive(false);
  await change(vessel, 5);
  const parked = async () =>
    (
      await service.database.pool.query(
        `select count(*)::int from flaghoist_system.pending_notification where subscription_key = $1
        and due_at = 'infinity'`,
        [subscription],
      )
    ).rows[0].count;
  await expect.poll(parked, { timeout }).toBe(1);
  await setActive(true);
  await awaitStatuses(subscription, Array(5).fill('DELIVERED'));
  expect(receiver.firsts(vessel)).toEqual(ascending(receiver.firsts(vessel)));
  expect(receiver.overlaps).toEqual(new Set());
});

test('scripts that suppress some and stylesheets keep the order', async () => {
  const receiver = await startOrderedReceiver();
  const { code } = await makeScript(service, 'return Number(svcObject.flag.slice(5)) % 3 !== 0');
  const xsl = stylesheet(
    `<xsl:output method="text"/><xsl:template match="/">{"key":<xsl:value-of select="Vessel/key"/>}</xsl:template>`,
  );
  const { rawObject: _, ...plain } = ordered;
  const subscription = await subscribeTo(service, receiver.url, { ...plain, dlpAlertScript: code, xsl });
  const vessels = [await createVessel(), await createVessel()];
  await Promise.all(vessels.map((vessel) => change(vessel, 15)));
  await awaitStatuses(subscription, Array(20).fill('DELIVERED'));
  for (const vessel of vessels) expect(receiver.firsts(vessel)).toEqual(ascending(receiver.firsts(vessel)));
  expect(receiver.overlaps).toEqual(new Set());
});

test('the order is fixed when a subscription is created; a wrong one is a 400 that says what is allowed', async () => {
  const url = 'http://127.0.0.1:9/hook';
  const subscription = await subscribeTo(service, url, ordered);
  const plain = await subscribeTo(service, url);
  expect((await service.get(`${subscriptions}/${plain}`)).body.ordering).toBe('NONE');
  expect((await service.put(`${subscriptions}/${subscription}`, { ordering: 'OBJECT' })).status).toBe(200);
  const changed = await service.put(`${subscriptions}/${subscription}`, { ordering: 'NONE' });
  expectErrorBody(changed, 400);
  expect(changed.body.violations[0].path).toBe('ordering');
  for (const ordering of ['object', 'ALL', 1, true, null, ['OBJECT']]) {
    const answer = await service.post(subscriptions, { eventType: 'Vessel.U', url, ordering });
    expectErrorBody(answer, 400);
    expect(answer.body.violations[0].path).toBe('ordering');
  }
});
