// The states of a subscription: every transition and every refusal, by name.

import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import { judge, type Move, type State } from '../../src/subscriptions/state-machine.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { read, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { deactivate, pathOf, subscribe, unsubscribe } from './subscribe.ts';

const service = useTestService();

const put = (subscription: Shown, body: unknown) => service.put(pathOf(subscription), body);
const shown = ({ key }: Shown) => read(service, 'WebhookSubscription', key);

async function markNotified({ key }: Shown): Promise<void> {
  await service.database.pool.query('insert into flaghoist_system.notified_subscription values ($1)', [key]);
}

async function addNotification(
  { key, user }: Shown,
  status: string,
  by: Pick<pg.Pool, 'query'> = service.database.pool,
): Promise<number> {
  // Claimed by nobody that there is: nobody tries to send it.
  const { rows } = await by.query(
    `with made as (
       insert into flaghoist_service.webhook_notification (id, subscription, "user", object_type, object_key,
         event_type,
         subscribed_object_key, occurred_at, status) values ('1-1', $1, $2, 'Voyage', 1, 'U', 1, '2026-11-15', $3)
           returning key, created_date),
     pending as (
       insert into flaghoist_system.pending_notification (notification_key, created_date, subscription_key, claimed_by)
       select key, created_date, $1, 0 from made where $3 = 'PENDING')
     select key from made`,
    [key, user.key, status],
  );
  return Number(rows[0].key);
}

describe('an active subscription', () => {
  test('is unsubscribed by PUT {"unsubscribed": true}', async () => {
    const made = await subscribe(service);
    const { status, body } = await put(made, { unsubscribed: true });
    expect([status, body]).toMatchObject([
      200,
      { state: 'UNSUBSCRIBED', unsubscribed: true, stateReason: 'Unsubscribed.' },
    ]);
    expect(body.stateDate >= made.stateDate).toBe(true);
    expect(await shown(made)).toEqual(body);
  });

  test('stays active with "unsubscribed": false', async () => {
    const made = await subscribe(service);
    expect((await put(made, { unsubscribed: false })).body).toMatchObject({ state: 'ACTIVE', unsubscribed: false });
  });

  test('is unsubscribed and changed by one PUT', async () => {
    const made = await subscribe(service);
    const { body } = await put(made, { unsubscribed: true, webhookUsername: 'last' });
    expect(body).toMatchObject({ state: 'UNSUBSCRIBED', webhookUsername: 'last' });
  });

  test('does not change if the PUT has a mistake', async () => {
    const made = await subscribe(service);
    expectErrorBody(await put(made, { unsubscribed: true, url: 'nowhere' }), 400);
    expect((await shown(made)).state).toBe('ACTIVE');
  });

  test('FLT-41: cannot be deleted: it must be unsubscribed first', async () => {
    const made = await subscribe(service);
    const { message } = expectErrorBody(await service.delete(pathOf(made)), 409);
    expect(message).toBe('The subscription must be unsubscribed before it is deleted: PUT {"unsubscribed": true}.');
    expect((await shown(made)).key).toBe(made.key);
  });
});

describe('a deactivated subscription', () => {
  test('can be unsubscribed', async () => {
    const made = await subscribe(service);
    await deactivate(service, made);
    expect((await put(made, { unsubscribed: true })).body.state).toBe('UNSUBSCRIBED');
  });

  test('can be given another url, and stays deactivated', async () => {
    const made = await subscribe(service);
    await deactivate(service, made);
    const { status, body } = await put(made, { url: 'https://other.example/' });
    expect([status, body]).toMatchObject([200, { url: 'https://other.example/', state: 'DEACTIVATED' }]);
    expect(body.unsubscribed).toBe(false);
  });

  test('is never reactivated: "unsubscribed": false is rejected, alone or with other attributes', async () => {
    const made = await subscribe(service);
    await deactivate(service, made);
    for (const body of [{ unsubscribed: false }, { unsubscribed: false, url: 'https://other.example/' }]) {
      const { message } = expectErrorBody(await put(made, body), 409);
      expect(message).toBe('The subscription was deactivated and cannot be reactivated. Create a new one.');
    }
    for (const state of ['ACTIVE', 'UNSUBSCRIBED'])
      expect(expectErrorBody(await put(made, { state }), 400).violations).toMatchObject([{ path: 'state' }]);
    expect(await shown(made)).toMatchObject({ state: 'DEACTIVATED', url: made.url });
  });

  test('cannot be deleted: it must be unsubscribed first', async () => {
    const made = await subscribe(service);
    await deactivate(service, made);
    expectErrorBody(await service.delete(pathOf(made)), 409);
  });
});

describe('an unsubscribed subscription', () => {
  test.each<[string, object]>([
    ['a change', { url: 'https://other.example/' }],
    ['nothing', {}],
    ['"unsubscribed": true once more', { unsubscribed: true }],
    ['"unsubscribed": false', { unsubscribed: false }],
    ['a body with mistakes', { url: 5, colour: 'red' }],
  ])('cannot be updated: %s is rejected', async (_, body) => {
    const made = await subscribe(service);
    await unsubscribe(service, made);
    const before = await shown(made);
    const { message } = expectErrorBody(await put(made, body), 409);
    expect(message).toBe('The subscription is unsubscribed and can no longer be changed. Create a new one.');
    expect(await shown(made)).toEqual(before);
  });

  test('rejects even a PUT that changes nothing', async () => {
    const made = await subscribe(service);
    await unsubscribe(service, made);
    expectErrorBody(await put(made, await shown(made)), 409);
  });

  test('can be deleted', async () => {
    const made = await subscribe(service);
    await unsubscribe(service, made);
    expect((await service.delete(pathOf(made))).status).toBe(204);
    expectErrorBody(await service.get(pathOf(made)), 404);
    expectErrorBody(await service.delete(pathOf(made)), 404);
  });

  test('can be deleted with its ETag, and not with an old one', async () => {
    const made = await subscribe(service);
    const old = (await service.get(pathOf(made))).headers.get('etag')!;
    await unsubscribe(service, made);
    expectErrorBody(await service.delete(pathOf(made), { 'if-match': old }), 412);
    const etag = (await service.get(pathOf(made))).headers.get('etag')!;
    expect((await service.delete(pathOf(made), { 'if-match': etag })).status).toBe(204);
  });
});

describe('a subscription that has had notifications', () => {
  test.each(['active', 'deactivated', 'unsubscribed'])('cannot be deleted while it is %s', async (state) => {
    const made = await subscribe(service);
    await markNotified(made);
    if (state === 'deactivated') await deactivate(service, made);
    if (state === 'unsubscribed') await unsubscribe(service, made);
    const { message } = expectErrorBody(await service.delete(pathOf(made)), 409);
    const instead =
      state === 'unsubscribed' ? 'It is unsubscribed already.' : 'Unsubscribe it instead: PUT {"unsubscribed": true}.';
    expect(message).toBe(`The subscription has had notifications and cannot be deleted. ${instead}`);
    expect((await shown(made)).key).toBe(made.key);
  });

  test('when it is unsubscribed, what is pending fails, and nothing else changes', async () => {
    const [made, other] = [await subscribe(service), await subscribe(service)];
    const pending = await addNotification(made, 'PENDING');
    const delivered = await addNotification(made, 'DELIVERED');
    const foreign = await addNotification(other, 'PENDING');
    await unsubscribe(service, made);
    const statusOf = async (key: number) => {
      const { status, isFailed, errorMessage } = await read(service, 'WebhookNotification', key);
      return [status, isFailed, errorMessage];
    };
    expect(await statusOf(pending)).toEqual(['FAILED', true, 'Unsubscribed.']);
    expect(await statusOf(delivered)).toEqual(['DELIVERED', false, null]);
    expect(await statusOf(foreign)).toEqual(['PENDING', false, null]);
  });
});

test('a notification that is being matched during the unsubscribe fails as well', async () => {
  const made = await subscribe(service);
  const matcher = await service.database.pool.connect();
  await matcher.query('begin');
  await matcher.query('select flaghoist_system.lock_subscriptions_shared()');
  const unsubscribing = unsubscribe(service, made);
  const waiting = `select from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and not granted
    and database = (select oid from pg_database where datname = current_database())`;
  await expect.poll(async () => (await service.database.pool.query(waiting)).rowCount, { interval: 10 }).toBe(1);
  const pending = await addNotification(made, 'PENDING', matcher);
  await matcher.query('commit');
  matcher.release();
  await unsubscribing;
  expect((await read(service, 'WebhookNotification', pending)).status).toBe('FAILED');
});

test('of two concurrent PUTs that unsubscribe, one succeeds and one is rejected', async () => {
  const made = await subscribe(service);
  const statuses = await Promise.all([1, 2].map(async () => (await put(made, { unsubscribed: true })).status));
  expect(statuses.sort()).toEqual([200, 409]);
});

test('a subscription that does not exist is not found, whatever is sent', async () => {
  const nowhere = { key: 99999999 };
  expectErrorBody(await put(nowhere, { unsubscribed: true }), 404);
  expectErrorBody(await put(nowhere, { url: 5 }), 404);
  expectErrorBody(await service.delete(pathOf(nowhere)), 404);
});

test('each move from each state leads to the documented state or rejection', () => {
  const states: State[] = ['ACTIVE', 'DEACTIVATED', 'UNSUBSCRIBED'];
  const outcomes = (move: Move) =>
    states.map((state) => {
      const verdict = judge(state, move);
      return verdict.kind === 'moved' ? verdict.state : verdict.kind === 'rejected' ? verdict.code : verdict.kind;
    });
  expect(outcomes('change')).toEqual(['ACTIVE', 'DEACTIVATED', 'unsubscribed']);
  expect(outcomes('stay')).toEqual(['ACTIVE', 'notReactivated', 'unsubscribed']);
  expect(outcomes('unsubscribe')).toEqual(['UNSUBSCRIBED', 'UNSUBSCRIBED', 'unsubscribed']);
  expect(outcomes('deactivate')).toEqual(['DEACTIVATED', 'DEACTIVATED', 'UNSUBSCRIBED']);
  expect(outcomes('delete')).toEqual(['stillSubscribed', 'stillSubscribed', 'gone']);
  expect(outcomes('deleteNotified')).toEqual(['hasNotifications', 'hasNotifications', 'hasNotifications']);
});
