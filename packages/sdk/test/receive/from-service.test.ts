// The receiver behind a real service: what is delivered is verified and routed, and what fails is retried.

import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { settled, subscribeTo } from '../../../server/test/deliver/hooks.ts';
import { bunkerOrderBody, create, createFleet, createVoyage } from '../../../server/test/support/fleet.ts';
import { useTestService } from '../../../server/test/support/test-service.ts';
import { createReceiver, type Notification, type Ping, toNodeHandler } from '../../src/receiver.ts';
import { serve } from './serve.ts';

const service = useTestService({ FLAGHOIST_DELIVERY_ATTEMPTS: '5', FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '1' });

/** Known before the subscription, so that its receiver can start first. Shown once, in the answer that creates it. */
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

const ordersOf = async () => {
  const fleet = await createFleet(service);
  const voyage = await createVoyage(service, fleet);
  const order = await create(service, 'BunkerOrder', bunkerOrderBody(fleet, voyage.portCalls[0].key));
  return { fleet, voyage, order };
};

test('a change in the hierarchy of a bunker order is an update of the bunker order', async () => {
  const signingSecret = newSecret();
  const { voyage, order } = await ordersOf();
  const received: Notification[] = [];
  const receiver = createReceiver({
    secret: signingSecret,
    on: { 'BunkerOrder.U': (notification) => received.push(notification) },
    fallback: ({ event }) => expect.unreachable(event),
  });
  const url = await serve(toNodeHandler(receiver));
  const subscription = await subscribeTo(service, { eventType: `BunkerOrder.U.${order.key}`, url, signingSecret });
  const portCall = voyage.portCalls[0].key;
  expect((await service.put(`/ws/rest/PortCall/${portCall}`, { eta: '2026-11-20T08:00:00' })).status).toBe(200);
  const [notification] = await settled(service, subscription, ['DELIVERED']);
  expect(received).toMatchObject([
    {
      id: notification.id,
      event: 'BunkerOrder.U',
      objectType: 'PortCall',
      operation: 'U',
      objectKey: portCall,
      sequence: notification.sequence,
      occurredAt: notification.occurredAt,
      attempt: 1,
      replay: undefined,
      subscription: { key: subscription.key, eventType: `BunkerOrder.U.${order.key}` },
      resource: { key: order.key },
      changes: undefined,
      isTest: false,
      headers: { 'flaghoist-event': `PortCall.U.${portCall}` },
      body: notification.body,
    },
  ]);
});

test('a handler that throws is retried by the service, with the same id', async () => {
  const signingSecret = newSecret();
  const attempts: Notification[] = [];
  const errors: unknown[] = [];
  const receiver = createReceiver({
    secret: signingSecret,
    fallback: (notification) => {
      attempts.push(notification);
      if (attempts.length === 1) throw new Error('The database is busy.');
    },
    onError: (error, notification) => errors.push([(error as Error).message, notification?.id]),
  });
  const url = await serve(toNodeHandler(receiver));
  const subscription = await subscribeTo(service, { eventType: 'Vessel.C', url, signingSecret });
  await create(service, 'Vessel', { vesselName: 'Retried' });
  const [notification] = await settled(service, subscription, ['DELIVERED']);
  expect(attempts.map(({ id, attempt }) => [id, attempt])).toEqual([
    [notification.id, 1],
    [notification.id, 2],
  ]);
  expect(errors).toEqual([['The database is busy.', notification.id]]);
  // What the service has stored of the answer does not say what went wrong inside.
  expect(notification.attemptLog[0]).toMatchObject({
    statusCode: 500,
    answer: 'The handler failed. The log of the receiver says why.',
  });
});

test('a ping reaches onPing, and says that it is a test', async () => {
  const signingSecret = newSecret();
  const pings: Ping[] = [];
  const receiver = createReceiver({
    secret: signingSecret,
    fallback: ({ event }) => expect.unreachable(event),
    onPing: (ping) => pings.push(ping),
  });
  const url = await serve(toNodeHandler(receiver));
  const subscription = await subscribeTo(service, { eventType: 'Vessel.D', url, signingSecret });
  const { body } = await service.post(`/ws/rest/WebhookSubscription/${subscription.key}/ping`, {});
  expect(body).toMatchObject({ isDelivered: true, statusCode: 204 });
  expect(pings).toMatchObject([
    { id: body.id, isTest: true, sequence: 0, subscription: { key: subscription.key, eventType: 'Vessel.D' } },
  ]);
});

test('a receiver with another secret answers 401, and the service keeps the reason', async () => {
  const signingSecret = newSecret();
  const receiver = createReceiver({
    secret: newSecret(),
    fallback: ({ event }) => expect.unreachable(event),
  });
  const url = await serve(toNodeHandler(receiver));
  const subscription = await subscribeTo(service, { eventType: 'Vessel.C', url, signingSecret });
  const { body } = await service.post(`/ws/rest/WebhookSubscription/${subscription.key}/ping`, {});
  expect(body).toMatchObject({ isDelivered: false, statusCode: 401, answer: expect.stringContaining('signature') });
});

test('a secret is rotated without a rejected delivery', async () => {
  const signingSecret = newSecret();
  const received: string[] = [];
  let receiver = createReceiver({ secret: signingSecret, fallback: ({ id }) => received.push(id) });
  const url = await serve((request, response) => toNodeHandler(receiver)(request, response));
  const subscription = await subscribeTo(service, { eventType: 'Vessel.C', url, signingSecret });
  const answer = await service.post(`/ws/rest/WebhookSubscription/${subscription.key}/rotateSecret`, {});
  const rotated = answer.body.signingSecret;
  service.secrets.plant('a rotated signing secret', rotated);
  await create(service, 'Vessel', { vesselName: 'Before the receiver knows' });
  await settled(service, subscription, ['DELIVERED']);
  receiver = createReceiver({ secret: [rotated, signingSecret], fallback: ({ id }) => received.push(id) });
  await create(service, 'Vessel', { vesselName: 'With both' });
  await settled(service, subscription, ['DELIVERED', 'DELIVERED']);
  receiver = createReceiver({ secret: rotated, fallback: ({ id }) => received.push(id) });
  await create(service, 'Vessel', { vesselName: 'With the new one' });
  const notifications = await settled(service, subscription, ['DELIVERED', 'DELIVERED', 'DELIVERED']);
  expect(received).toEqual(notifications.map(({ id }) => id));
  expect(notifications.map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
});

test('a raw object, and what a stylesheet makes, are routed too', async () => {
  const [signingSecret, otherSecret] = [newSecret(), newSecret()];
  const { voyage, order } = await ordersOf();
  const received: Notification[] = [];
  const receiver = createReceiver({
    secret: [signingSecret, otherSecret],
    fallback: (notification) => received.push(notification),
  });
  const url = await serve(toNodeHandler(receiver));
  const xsl = Buffer.from(`<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
    <xsl:output method="text"/><xsl:template match="/">Order <xsl:value-of select="BunkerOrder/key"/></xsl:template>
    </xsl:stylesheet>`).toString('base64');
  const common = { eventType: `BunkerOrder.U.${order.key}`, url };
  const raw = await subscribeTo(service, { ...common, signingSecret, rawObject: true });
  const text = await subscribeTo(service, { ...common, signingSecret: otherSecret, xsl });
  const portCall = voyage.portCalls[0].key;
  await service.put(`/ws/rest/PortCall/${portCall}`, { eta: '2026-11-20T08:00:00' });
  const [rawNotification] = await settled(service, raw, ['DELIVERED']);
  await settled(service, text, ['DELIVERED']);
  const of = ({ key }: { key: number }) => received.filter(({ subscription }) => subscription.key === key);
  expect(of(raw)).toMatchObject([
    {
      event: 'BunkerOrder.U',
      objectType: 'PortCall',
      objectKey: portCall,
      sequence: rawNotification.sequence,
      occurredAt: undefined,
      resource: { key: order.key },
    },
  ]);
  expect(of(text)).toMatchObject([
    { event: 'PortCall.U', objectKey: portCall, resource: undefined, body: `Order ${order.key}` },
  ]);
});
