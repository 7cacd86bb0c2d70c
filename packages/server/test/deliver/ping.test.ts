// A test message: sent as notifications are, marked as one, and answered with what the receiver said.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { createClient } from '../support/access.ts';
import { useTestService } from '../support/test-service.ts';
import { answering, notificationsOf, readSubscription, startHooks, subscribeTo } from './hooks.ts';

const service = useTestService();
const hurried = useTestService({ FLAGHOIST_DELIVERY_TIMEOUT_SECONDS: '0.4' });

const ping = (key: number, headers?: Record<string, string>, by = service) =>
  by.post(`/ws/rest/WebhookSubscription/${key}/ping`, {}, headers);

test('answers what the receiver said, and the message is signed and marked', async () => {
  const hooks = await startHooks();
  const { key, signingSecret } = await subscribeTo(service, { url: `${hooks.url}/ping`, name: 'Pinged' });
  const answer = await ping(key);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body).toMatchObject({
    isDelivered: true,
    channelType: 'HTTP',
    url: `${hooks.url}/ping`,
    statusCode: 200,
    answer: 'thanks',
    errorMessage: null,
  });
  const [received] = hooks.received;
  const message = new Webhook(signingSecret).verify(received!.body, received!.headers as Record<string, string>);
  expect(message).toMatchObject({
    id: answer.body.id,
    isTest: true,
    subscription: { key, eventType: 'Voyage.C', name: 'Pinged' },
  });
});

test.each([
  ['an answer that is no success', answering(418), { statusCode: 418, errorMessage: 'The receiver answered 418.' }],
  ['no answer', () => undefined, { statusCode: null, errorMessage: 'No response within 0.4 s.' }],
])('%s is told, and counts as no attempt', async (_, respond, told) => {
  const hooks = await startHooks(respond);
  const subscription = await subscribeTo(hurried, { url: hooks.url });
  expect((await ping(subscription.key, undefined, hurried)).body).toMatchObject({ isDelivered: false, ...told });
  expect(await notificationsOf(hurried, subscription)).toEqual([]);
  expect(await readSubscription(hurried, subscription)).toMatchObject({ state: 'ACTIVE', consecutiveFailures: 0 });
});

test('a subscription that was only pinged can still be deleted', async () => {
  const hooks = await startHooks();
  const { key } = await subscribeTo(service, { url: hooks.url });
  await ping(key);
  await service.put(`/ws/rest/WebhookSubscription/${key}`, { unsubscribed: true });
  expect((await ping(key)).status).toBe(409);
  expect((await service.delete(`/ws/rest/WebhookSubscription/${key}`)).status).toBe(204);
});

test('a subscription is pinged so often a minute, and others all the same', async () => {
  const hooks = await startHooks();
  const [{ key }, other] = [
    await subscribeTo(service, { url: hooks.url }),
    await subscribeTo(service, { url: hooks.url }),
  ];
  const answers = await Promise.all(Array.from({ length: 60 }, () => ping(key)));
  const taken = answers.filter(({ status, body }) => status === 200 && body.isDelivered).length;
  // One more every two seconds.
  expect(taken).toBeGreaterThanOrEqual(30);
  expect(taken).toBeLessThan(60);
  const refused = answers.find(({ status }) => status !== 200)!;
  expect(refused.status).toBe(429);
  expect(refused.body.message).toBe('A subscription is pinged 30 times a minute at most.');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(hooks.received).toHaveLength(taken);
  expect((await ping(other.key)).status).toBe(200);
});

test("another user's is not there", async () => {
  const other = await createClient(service, ['write', 'webhook']);
  const { key } = await subscribeTo(service, { url: 'http://127.0.0.1:9/' });
  expect((await ping(key, other.headers)).status).toBe(404);
});

test('by e-mail it is a mail', async () => {
  const { key } = await subscribeTo(service, { channelInfo: { channelType: 'EMAIL', URL: 'ping@agent.example' } });
  expect((await ping(key)).body).toMatchObject({ isDelivered: true, channelType: 'EMAIL', url: 'ping@agent.example' });
  const folder = join(service.dataDir, 'mail');
  const [name] = await readdir(folder);
  expect(await readFile(join(folder, name!), 'utf8')).toMatch(/^To: ping@agent\.example/m);
});

test('credentials that a receiver answers with are not shown', async () => {
  const hooks = await startHooks((response, { headers }) => response.end(`you said ${headers.authorization}`));
  const password = 'planted-echoed-password-4Tz8';
  service.secrets.plant('an echoed password', password);
  const { key } = await subscribeTo(service, { url: hooks.url, webhookUsername: 'desk', webhookPassword: password });
  expect((await ping(key)).body.answer).toBe('you said Basic ***');
});

test('secrets that cannot be read are named, with what helps, and a ping works once they are replaced', async () => {
  const hooks = await startHooks();
  const auth = { type: 'OAUTH2', tokenUrl: `${hooks.url}/token`, clientId: 'a', clientSecret: 'a-client-secret' };
  const { key } = await subscribeTo(service, {
    url: hooks.url,
    headers: { 'X-Api-Key': 'an-api-key' },
    channelInfo: { auth },
  });
  const garble = (columns: string[]) =>
    service.database.pool.query(
      `update flaghoist_service.webhook_subscription set ${columns.map((column) => `${column} = 'garbage'`)}
       where key = $1`,
      [key],
    );
  const words = async () => {
    const { status, body } = await ping(key);
    expect(status).toBe(409);
    return body.message.replace('Secrets of the subscription cannot be read. To fix this, ', '');
  };
  await garble(['headers_sealed']);
  expect(await words()).toBe('send headers with all their values, or create a new subscription.');
  await garble(['channel_secret_sealed', 'signing_secret_sealed']);
  expect(await words()).toBe(
    'send headers with all their values and send channelInfo.auth with its secret and call rotateSecret, or create a ' +
      'new subscription.',
  );
  const path = `/ws/rest/WebhookSubscription/${key}`;
  const changed = await service.put(path, { headers: { 'X-Api-Key': 'an-api-key' }, channelInfo: { auth: null } });
  expect(changed.status, changed.text).toBe(200);
  const rotated = await service.post(`${path}/rotateSecret`, {});
  service.secrets.plant('a signing secret', rotated.body.signingSecret);
  expect((await ping(key)).body.isDelivered).toBe(true);
  await service.put(path, { webhookUsername: 'agent', webhookPassword: 'a-password' });
  await garble(['webhook_password']);
  expect(await words()).toBe('set webhookPassword, or create a new subscription.');
});
