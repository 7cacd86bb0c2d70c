// The consumer of streams behind a real service: nothing is lost, and nothing is acknowledged before its handler has
// finished. Handlers that fail or take long: stream-handlers.test.ts.

import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createClient as createCaller } from '../../../server/test/support/access.ts';
import { bunkerOrderBody, create, createFleet, createVoyage } from '../../../server/test/support/fleet.ts';
import { useTestService } from '../../../server/test/support/test-service.ts';
import { createClient, type FlaghoistError, type Notification } from '../../src/index.ts';
import { consume, createVessels, gate, isDelivered, nameIn, statusesOf, subscribeToStream } from './consumer.ts';
import { openRelay } from './cutting-relay.ts';

const service = useTestService();

test('what has happened before and what happens then is handled in order, and then acknowledged', async () => {
  const key = await subscribeToStream(service);
  const before = await createVessels(service, 3);
  const [started, end] = [gate(), gate()];
  const ledger = consume(service.url(), key, async (notification) => {
    if (nameIn(notification) !== before[1]) return;
    started.open();
    await end.passed;
  });
  await started.passed;
  await expect.poll(() => statusesOf(service, key)).toEqual(['DELIVERED', 'PENDING', 'PENDING']);
  end.open();
  await ledger.reach(3);
  const then = await createVessels(service, 2);
  await ledger.reach(5);
  await isDelivered(service, key, 5);
  await ledger.stop();
  expect(ledger).toMatchObject({ handled: [...before, ...then], early: [], errors: [], atOnceMax: 1 });
});

test('an abort lets the running handler finish, acknowledges what it did, and leaves the rest', async () => {
  const key = await subscribeToStream(service);
  await createVessels(service, 3);
  const [started, end] = [gate(), gate()];
  const ledger = consume(service.url(), key, () => {
    started.open();
    return end.passed;
  });
  await started.passed;
  const stopped = ledger.stop();
  end.open();
  await stopped;
  expect([ledger.handled.length, ledger.early]).toEqual([1, []]);
  expect(await statusesOf(service, key)).toEqual(['DELIVERED', 'PENDING', 'PENDING']);
  // And the next consumer gets them at once.
  const next = consume(service.url(), key);
  await next.reach(2);
});

test('a signal that was aborted before ends the stream before it starts', async () => {
  const key = await subscribeToStream(service);
  const ledger = consume(service.url(), key, () => undefined, { signal: AbortSignal.abort() });
  await expect(ledger.ended).resolves.toBeUndefined();
});

test('as many handlers run at a time as asked for, and no more', async () => {
  const key = await subscribeToStream(service);
  await createVessels(service, 7);
  const end = gate();
  let running = 0;
  const handler = () => {
    running += 1;
    return end.passed;
  };
  const ledger = consume(service.url(), key, handler, { concurrency: 3 });
  await expect.poll(() => running).toBe(3);
  end.open();
  await ledger.reach(7);
  await isDelivered(service, key, 7);
  expect(ledger).toMatchObject({ atOnceMax: 3, early: [], errors: [] });
});

test('notifications are routed as those of a receiver, and verified if there is a secret', async () => {
  const signingSecret = `whsec_${randomBytes(32).toString('base64')}`;
  const fleet = await createFleet(service);
  const voyage = await createVoyage(service, fleet);
  const order = await create(service, 'BunkerOrder', bunkerOrderBody(fleet, voyage.portCalls[0].key));
  const eventType = `BunkerOrder.U.${order.key}`;
  const key = await subscribeToStream(service, { eventType, signingSecret, includeChanges: true });
  await service.put(`/ws/rest/PortCall/${voyage.portCalls[0].key}`, { eta: '2026-11-20T08:00:00' });
  const client = createClient({ url: service.url(), token: service.token() });
  const stop = new AbortController();
  const received = await new Promise<Notification<'BunkerOrder', 'U'>>((resolve, reject) => {
    const routes = { on: { 'BunkerOrder.U': resolve }, fallback: reject };
    void client.stream(key, routes, { secret: signingSecret, signal: stop.signal, onError: reject });
  });
  expect(received).toMatchObject({
    event: 'BunkerOrder.U',
    objectType: 'PortCall',
    resource: { key: order.key },
    changes: [expect.objectContaining({ objectType: 'PortCall', attribute: 'eta' })],
  });
  stop.abort();
});

test('a notification with another signature is neither handled nor acknowledged', async () => {
  const key = await subscribeToStream(service);
  await createVessels(service, 1);
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const ledger = consume(service.url(), key, () => undefined, { secret });
  await expect.poll(() => ledger.errors).toEqual([expect.stringContaining('signature does not match')]);
  await ledger.stop();
  expect([ledger.handled, [...ledger.acknowledged], await statusesOf(service, key)]).toEqual([[], [], ['PENDING']]);
});

test('a stream that cannot be is an error, and not tried again', async () => {
  const http = await service.post('/ws/rest/WebhookSubscription', {
    eventType: 'Vessel.C',
    url: 'http://127.0.0.1:9/',
  });
  service.secrets.plant('a signing secret', http.body.signingSecret);
  const ended = await subscribeToStream(service);
  await service.put(`/ws/rest/WebhookSubscription/${ended}`, { unsubscribed: true });
  const errorOf = (key: number, token = service.token()) => {
    const client = createClient({ url: service.url(), token });
    return client.stream(key, () => undefined).catch((error: FlaghoistError) => [error.name, error.status]);
  };
  expect(await errorOf(1)).toEqual(['FlaghoistError', 404]);
  expect(await errorOf(http.body.key)).toEqual(['FlaghoistError', 409]);
  expect(await errorOf(ended)).toEqual(['FlaghoistError', 409]);
  expect(await errorOf(ended, 'no token')).toEqual(['FlaghoistError', 401]);
  const { token } = await createCaller(service, ['read']);
  expect(await errorOf(await subscribeToStream(service), token)).toEqual(['FlaghoistError', 403]);
});

test('a stream that is unsubscribed while it runs ends with an error', async () => {
  const key = await subscribeToStream(service);
  await createVessels(service, 1);
  const ledger = consume(service.url(), key);
  await ledger.reach(1);
  await service.put(`/ws/rest/WebhookSubscription/${key}`, { unsubscribed: true });
  await expect(ledger.ended).rejects.toMatchObject({ name: 'FlaghoistError', status: 409 });
});

test('after a connection that is cut in the middle of an event, everything is handled', async () => {
  const key = await subscribeToStream(service);
  const names = await createVessels(service, 4);
  const relay = await openRelay(service.url());
  relay.places = [2_201];
  const ledger = consume(relay.url, key);
  await ledger.reach(4);
  await isDelivered(service, key, 4);
  expect([ledger.early, new Set(ledger.handled), relay.cuts]).toEqual([[], new Set(names), 1]);
});

test('a token that cannot be got for a while is no end of the stream', async () => {
  const key = await subscribeToStream(service);
  await createVessels(service, 1);
  const errors: unknown[] = [];
  let calls = 0;
  const token = () => {
    calls += 1;
    if (calls === 1) throw new Error('The issuer is away.');
    return service.token();
  };
  const client = createClient({ url: service.url(), token });
  const stop = new AbortController();
  const onError = (error: unknown) => errors.push((error as Error).message);
  await client.stream(key, () => stop.abort(), { signal: stop.signal, onError });
  expect(errors).toEqual(['The issuer is away.']);
  expect(await statusesOf(service, key)).toEqual(['DELIVERED']);
});
