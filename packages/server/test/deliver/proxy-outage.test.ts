// An egress proxy that is down is no fault of any receiver: nothing counts as an attempt, and all is sent when it is
// back. Its password never shows.

import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { closedPort } from '../channels/receiver.ts';
import { mistakesIn, pathOf } from '../subscriptions/subscribe.ts';
import { useTestService } from '../support/test-service.ts';
import { createVoyage, notificationsOf, settled, startHooks, subscribeTo } from './hooks.ts';

const port = await closedPort();
const password = 'password-of-the-egress-proxy';
const service = useTestService({
  FLAGHOIST_EGRESS_PROXY: `http://flaghoist:${password}@127.0.0.1:${port}`,
  FLAGHOIST_ALLOWED_TARGETS: '127.0.0.0/8',
  FLAGHOIST_DELIVERY_ATTEMPTS: '2',
  FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.1',
});

const asked: string[] = [];
const proxy = createServer();
proxy.on('connect', ({ url = '', headers }: IncomingMessage, client: Socket) => {
  asked.push(url);
  const expected = `Basic ${Buffer.from(`flaghoist:${password}`).toString('base64')}`;
  if (headers['proxy-authorization'] !== expected) return client.end('HTTP/1.1 407 No\r\n\r\n');
  const target = connect(Number(url.split(':')[1]), '127.0.0.1', () => {
    client.write('HTTP/1.1 200 OK\r\n\r\n');
    target.pipe(client).pipe(target);
  });
  for (const socket of [target, client]) socket.on('error', () => undefined);
});
afterAll(() => void proxy.close());

test('nothing counts as an attempt while the proxy is down, and all is sent when it is back', async () => {
  const hooks = await startHooks();
  const subscription = await subscribeTo(service, { url: `${hooks.url}/through` });
  await createVoyage(service);
  const postponed = () => service.observations.filter(({ kind }) => kind === 'delivery.postponed');
  await expect.poll(() => postponed().length, { timeout: 10_000 }).toBeGreaterThan(0);
  expect(postponed()[0]).toMatchObject({
    reason: 'The proxy of FLAGHOIST_EGRESS_PROXY cannot be used: ECONNREFUSED.',
  });
  expect(await notificationsOf(service, subscription)).toMatchObject([{ status: 'PENDING', attempts: 0 }]);
  proxy.listen(port, '127.0.0.1');
  await once(proxy, 'listening');
  const [notification] = await settled(service, subscription, ['DELIVERED'], 30_000);
  expect([notification.attempts, hooks.received.length]).toEqual([1, 1]);
  expect(asked).toEqual([new URL(hooks.url).host]);
  await service.put(pathOf(subscription), { unsubscribed: true });
});

test('a name is not resolved when it is saved, and a reserved one is rejected', async () => {
  const made = await subscribeTo(service, { url: 'https://known-to-the-proxy-only.example/' });
  expect(made.url).toBe('https://known-to-the-proxy-only.example/');
  expect(await mistakesIn(service, { eventType: 'Voyage.U', url: 'https://erp.internal/' })).toEqual([
    expect.stringContaining('host names that end in "internal" are never public'),
  ]);
});
