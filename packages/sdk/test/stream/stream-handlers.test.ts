// Handlers of a stream that fail, or take longer than the service waits for them.

import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { useTestService } from '../../../server/test/support/test-service.ts';
import { createClient, type Notification } from '../../src/index.ts';
import { createVerify } from '../../src/receive/verify-signature.ts';
import { consume, createVessels, gate, isDelivered, nameIn, statusesOf, subscribeToStream } from './consumer.ts';

const service = useTestService();

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
  expect([ledger.errors.length, await statusesOf(service, key)]).toEqual([1, ['PENDING', 'PENDING']]);
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
