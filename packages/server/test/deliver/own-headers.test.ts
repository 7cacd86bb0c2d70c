// The headers that say which change, subscription and attempt a delivery belongs to.

import { expect, test } from 'vitest';
import { makeScript, stylesheet } from '../shape/shaped.ts';
import { useTestService } from '../support/test-service.ts';
import { answering, createVoyage, type Received, settled, startHooks, subscribeTo } from './hooks.ts';

const service = useTestService({ FLAGHOIST_DELIVERY_ATTEMPTS: '2', FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.1' });

function ownHeaders({ headers }: Received): Record<string, unknown> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('flaghoist-')));
}

test.each<[string, () => object | Promise<object>]>([
  ['the envelope', () => ({})],
  ['the object alone', () => ({ rawObject: true })],
  ['the output of a stylesheet', () => ({ xsl: stylesheet('<xsl:template match="/">plain</xsl:template>') })],
  [
    'the message of a script',
    async () => ({ dlpAlertScript: (await makeScript(service, 'message.body = "written";')).code, useMsg: true }),
  ],
])('a delivery of %s says which change, subscription and attempt it is', async (_, wishes) => {
  const hooks = await startHooks();
  const subscription = await subscribeTo(service, { url: hooks.url, ...(await wishes()) });
  const voyage = await createVoyage(service);
  const [one] = await settled(service, subscription, ['DELIVERED'], 20_000);
  expect(ownHeaders(hooks.received[0]!)).toEqual({
    'flaghoist-event': `Voyage.C.${voyage}`,
    'flaghoist-sequence': one.id.split('-')[0],
    'flaghoist-subscription': String(subscription.key),
    'flaghoist-attempt': '1',
  });
});

test('attempts are counted from 1, and from 1 again after a resend', async () => {
  const hooks = await startHooks(answering(500, 500, 500, 200));
  const subscription = await subscribeTo(service, { url: hooks.url });
  await createVoyage(service);
  const [failed] = await settled(service, subscription, ['FAILED']);
  const path = `/ws/rest/WebhookSubscription/${subscription.key}/sendFailedNotifications`;
  expect((await service.post(path, {})).status).toBe(202);
  const [one] = await settled(service, subscription, ['DELIVERED']);
  expect(hooks.received.map(({ headers }) => headers['flaghoist-attempt'])).toEqual(['1', '2', '1', '2']);
  expect(new Set(hooks.received.map(({ headers }) => headers['flaghoist-sequence'])).size).toBe(1);
  expect(new Set(hooks.received.map(({ body }) => body))).toEqual(new Set([failed.body]));
  expect(one.attempts).toBe(4);
});

test('a ping has the sequence 0, in its header and in its body, which no change has', async () => {
  const hooks = await startHooks();
  const { key } = await subscribeTo(service, { url: hooks.url });
  await service.post(`/ws/rest/WebhookSubscription/${key}/ping`, {});
  const [received] = hooks.received;
  expect(ownHeaders(received!)).toEqual({
    'flaghoist-event': 'ping',
    'flaghoist-sequence': '0',
    'flaghoist-subscription': String(key),
    'flaghoist-attempt': '1',
  });
  const body = JSON.parse(received!.body);
  expect(Object.keys(body)).toEqual(['id', 'eventTime', 'isTest', 'message', 'subscription', 'sequence', 'occurredAt']);
  expect(body).toMatchObject({ isTest: true, sequence: 0 });
  expect(body.occurredAt).toMatch(new RegExp(`^${body.eventTime}\\.\\d{3}000Z$`));
});
