// The consumer of streams behind a real service: nothing is lost, and nothing is acknowledged before its handler has
// finished.

import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createClient as createCaller } from '../../../server/test/support/access.ts';
import { bunkerOrderBody, create, createFleet, createVoyage } from '../../../server/test/support/fleet.ts';
import { useTestService } from '../../../server/test/support/test-service.ts';
import { createClient, type FlaghoistError, type Notification } from '../../src/index.ts';
import { createVerify } from '../../src/receive/verify-signature.ts';
import { consume, createVessels, isDelivered, nameIn, subscribeToStream } from './consumer.ts';
import { openRelay } from './cutting-relay.ts';

const service = useTestService();

/** A promise that a test ends. */
function gate(): { open(): void; passed: Promise<void> } {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, passed };
}

async function statusesOf(subscription: number): Promise<string[]> {
  const { body } = await service.get(
    `/ws/rest/WebhookNotification?filter=subscription(EQ)${subscription}&sort=key(AS)`,
  );
  return body.map(({ status }: { status: string }) => status);
}

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
  await expect.poll(() => statusesOf(key)).toEqual(['DELIVERED', 'PENDING', 'PENDING']);
  end.open();
  await ledger.reach(3);
  const then = await createVessels(service, 2);
  await ledger.reach(5);
  await isDelivered(service, key, 5);
  await ledger.stop();
  expect(ledger).toMatchObject({ handled: [...before, ...then], early: [], errors: [], atOnceMax: 1 });
});

test('what a handler failed to do is sent again', async () => {
  const key = await subscribeToStream(service, { acknowledgeSeconds: 1 });
  const names = await createVessels(service, 3);
  const attempts: number[] = [];
  const ledger = consume(service.url(), key, (notification) => {
    if (nameIn(notification) !== names[1]) return;
    attempts.push(notification.attempt);
    if (attempts.length === 1) throw new Error('The database is busy.');
  });
  await ledger.reach(3);
  await isDelivered(service, key, 3);
  expect(ledger).toMatchObject({
    handled: [names[0], names[2], names[1]],
    errors: ['The database is busy.'],
    early: [],
  });
  expect(attempts).toEqual([1, 2]);
});

test('a notification whose handler always fails is skipped when the program says so, and the others go on', async () => {
  const key = await subscribeToStream(service, { acknowledgeSeconds: 1 });
  const names = await createVessels(service, 3);
  const asked: [name: string, attempt: number, error: unknown][] = [];
  const poison = new Error('It cannot be processed.');
  const ledger = consume(
    service.url(),
    key,
    (notification) => {
      if (nameIn(notification) === names[1]) throw poison;
    },
    {
      poisonAfter: 2,
      onPoison: async (notification, error) => {
        asked.push([nameIn(notification), notification.attempt, error]);
        return asked.length === 1 ? 'retry' : 'skip';
      },
    },
  );
  await isDelivered(service, key, 3);
  await ledger.stop();
  expect(asked).toEqual([
    [names[1], 2, poison],
    [names[1], 3, poison],
  ]);
  expect(ledger.handled).toEqual([names[0], names[2]]);
  expect(ledger.errors).toEqual(Array(3).fill('It cannot be processed.'));
});

test('only failures of the handler count: not what is sent while a notification waits for it', async () => {
  const key = await subscribeToStream(service, { acknowledgeSeconds: 1 });
  const [first, second] = await createVessels(service, 2);
  const end = gate();
  let failures = 0;
  const asked: { attempt: number; failures: number }[] = [];
  const ledger = consume(
    service.url(),
    key,
    async (notification) => {
      if (nameIn(notification) === first) return end.passed;
      failures += 1;
      throw new Error('It cannot be processed.');
    },
    {
      poisonAfter: 3,
      onPoison: async ({ attempt }) => {
        asked.push({ attempt, failures });
        return 'skip';
      },
    },
  );
  const attemptsOfSecond = async () => {
    const path = `/ws/rest/WebhookNotification?filter=subscription(EQ)${key}&sort=key(AS)`;
    return (await service.get(path)).body[1]?.attempts;
  };
  await expect.poll(attemptsOfSecond, { timeout: 20_000 }).toBeGreaterThanOrEqual(3);
  end.open();
  await isDelivered(service, key, 2, 20_000);
  await ledger.stop();
  expect([ledger.handled, asked]).toEqual([[first], [{ attempt: expect.any(Number), failures: 3 }]]);
  expect(asked[0]!.attempt, second).toBeGreaterThan(3);
});

test('without a hook, or if the hook fails, a notification that fails is sent again and again', async () => {
  const key = await subscribeToStream(service, { acknowledgeSeconds: 1 });
  const [name] = await createVessels(service, 1);
  const failing = () => {
    throw new Error('Later.');
  };
  const withoutHook = consume(service.url(), key, failing, { poisonAfter: 1 });
  await expect.poll(() => withoutHook.errors.length, { timeout: 10_000 }).toBe(2);
  await withoutHook.stop();
  const onPoison = async () => {
    throw new Error('The hook fails, too.');
  };
  const ledger = consume(service.url(), key, failing, { poisonAfter: 1, onPoison });
  await expect.poll(() => ledger.errors.length, { timeout: 10_000 }).toBe(4);
  await ledger.stop();
  expect(new Set(ledger.errors)).toEqual(new Set(['Later.', 'The hook fails, too.']));
  const last = consume(service.url(), key);
  await last.reach(1);
  expect(last.handled).toEqual([name]);
});

test('a hook can stop the stream: it ends with the error of the handler, and the notification stays', async () => {
  const key = await subscribeToStream(service);
  await createVessels(service, 2);
  const failing = () => {
    throw new Error('Nothing works.');
  };
  const ledger = consume(service.url(), key, failing, { poisonAfter: 1, onPoison: async () => 'stop' });
  await expect(ledger.ended).rejects.toThrow('Nothing works.');
  expect([ledger.errors.length, await statusesOf(key)]).toEqual([1, ['PENDING', 'PENDING']]);
  const client = createClient({ url: service.url(), token: service.token() });
  await expect(client.stream(key, failing, { poisonAfter: 0 })).rejects.toThrow('`poisonAfter` must be a positive');
});

test('a handler that takes longer than acknowledgeSeconds is not called again meanwhile', async () => {
  const key = await subscribeToStream(service, { acknowledgeSeconds: 1 });
  await createVessels(service, 1);
  const end = gate();
  const ledger = consume(service.url(), key, () => end.passed);
  const attemptsOf = async () => {
    const { body } = await service.get(`/ws/rest/WebhookNotification?filter=subscription(EQ)${key}`);
    return body[0]?.attempts;
  };
  await expect.poll(attemptsOf, { timeout: 10_000 }).toBeGreaterThanOrEqual(2);
  end.open();
  await isDelivered(service, key, 1);
  expect(ledger).toMatchObject({ handled: [expect.any(String)], errors: [], early: [] });
});

test('while a handler takes long, its notification gets each new signature, and so does what waits', async () => {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const key = await subscribeToStream(service, { acknowledgeSeconds: 1, signingSecret: secret });
  await createVessels(service, 2);
  const end = gate();
  const handled: Notification[] = [];
  const handler = async (notification: Notification) => {
    handled.push(notification);
    if (handled.length === 1) await end.passed;
  };
  const signedAt = ({ headers }: Notification) => Number(headers['webhook-timestamp']);
  const ledger = consume(service.url(), key, handler);
  await expect.poll(() => handled.length).toBe(1);
  const first = { ...handled[0]!.headers };
  await expect.poll(() => signedAt(handled[0]!)).toBeGreaterThanOrEqual(Number(first['webhook-timestamp']) + 2);
  const { 'webhook-signature': signature, 'webhook-timestamp': _, ...others } = handled[0]!.headers;
  expect(await createVerify(secret)(handled[0]!.headers, Buffer.from(handled[0]!.body))).toBeUndefined();
  expect(signature).not.toBe(first['webhook-signature']);
  expect(first).toMatchObject(others);
  end.open();
  await ledger.reach(2);
  await ledger.stop();
  expect(signedAt(handled[1]!)).toBeGreaterThan(Number(first['webhook-timestamp']));
  expect(handled.map(({ attempt }) => attempt)).toEqual([1, 1]);
  expect(ledger.errors).toEqual([]);
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
  expect(await statusesOf(key)).toEqual(['DELIVERED', 'PENDING', 'PENDING']);
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
  expect([ledger.handled, [...ledger.acknowledged], await statusesOf(key)]).toEqual([[], [], ['PENDING']]);
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

test('an acknowledgement that gets through late is not lost, and the handler is not called again', async () => {
  const key = await subscribeToStream(service, { acknowledgeSeconds: 1 });
  const names = await createVessels(service, 3);
  let failures = 0;
  const ledger = consume(
    service.url(),
    key,
    () => undefined,
    { concurrency: 3 },
    (path) => {
      if (!path.endsWith('/acknowledge') || failures === 2) return;
      failures += 1;
      throw new TypeError('fetch failed');
    },
  );
  await isDelivered(service, key, 3);
  await ledger.stop();
  expect(ledger).toMatchObject({ handled: names, errors: [], early: [] });
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
  expect(await statusesOf(key)).toEqual(['DELIVERED']);
});
