// When a stream ends, and which requests are rejected.

import { describe, expect, test } from 'vitest';
import { openBeside } from '../auth/service-beside.ts';
import { createClient } from '../support/access.ts';
import { useTestService } from '../support/test-service.ts';
import { openStream } from './stream-client.ts';
import { useStreamed } from './streamed.ts';

const service = useTestService();
const { subscribe } = useStreamed(service);

test('a stop ends streams and pulls at once, and does not wait for them', async () => {
  const { key } = await subscribe();
  const settings = {
    FLAGHOIST_DATA_DIR: service.dataDir,
    FLAGHOIST_ROLES: 'api',
    FLAGHOIST_BASE_URL: service.url(),
    FLAGHOIST_STOP_TIMEOUT_SECONDS: '60',
  };
  const other = await openBeside(service.database, settings);
  const stream = await openStream({ url: () => other.localUrl, token: service.token }, key);
  const pulled = fetch(`${other.localUrl}/ws/rest/WebhookSubscription/${key}/pull`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.token()}`, 'content-type': 'application/json' },
    body: '{"waitSeconds":60}',
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  const startedAt = performance.now();
  await other.stop();
  expect(performance.now() - startedAt).toBeLessThan(30_000);
  expect(await (await pulled).json()).toEqual([]);
  await expect.poll(() => stream.isEnded()).toBe(true);
}, 60_000);

test('a stream ends when its client loses the scope', async () => {
  const client = await createClient(service, ['read', 'webhook']);
  const made = await service.post(
    '/ws/rest/WebhookSubscription',
    { eventType: 'Vessel.U', channelInfo: { channelType: 'STREAM' } },
    client.headers,
  );
  service.secrets.plant('a signing secret', made.body.signingSecret);
  const stream = await openStream({ url: service.url, token: () => client.token }, made.body.key);
  await service.put(`/ws/rest/ApiClient/${client.key}`, { scopes: ['read'] });
  await expect.poll(() => stream.isEnded(), { timeout: 20_000 }).toBe(true);
}, 30_000);

test('a stream ends when it is unsubscribed, and cannot be opened again', async () => {
  const { key } = await subscribe();
  const stream = await openStream(service, key);
  await service.put(`/ws/rest/WebhookSubscription/${key}`, { unsubscribed: true });
  await expect.poll(() => stream.isEnded(), { timeout: 5_000 }).toBe(true);
  const answer = await service.get(`/ws/rest/WebhookSubscription/${key}/stream`);
  expect([answer.status, answer.body.message]).toEqual([
    409,
    'The subscription is unsubscribed: nothing more is sent. Create a new one.',
  ]);
});

describe('is rejected:', () => {
  test('a subscription over HTTP, of another user, or none at all', async () => {
    const pushed = await service.post('/ws/rest/WebhookSubscription', {
      eventType: 'Vessel.U',
      url: 'https://a.example/',
    });
    service.secrets.plant('a signing secret', pushed.body.signingSecret);
    const { key } = await subscribe();
    const stranger = await createClient(service, ['read', 'webhook']);
    for (const action of ['stream', 'pull', 'acknowledge']) {
      const call = (of: number, headers?: Record<string, string>) =>
        action === 'stream'
          ? service.get(`/ws/rest/WebhookSubscription/${of}/stream`, headers)
          : service.post(`/ws/rest/WebhookSubscription/${of}/${action}`, {}, headers);
      expect((await call(pushed.body.key)).status).toBe(409);
      expect((await call(key, stranger.headers)).status).toBe(404);
      expect((await call(99_999_999)).status).toBe(404);
      expect((await call(key, { authorization: 'Bearer none' })).status).toBe(401);
    }
  });

  test.each<[string, object, string]>([
    ['pull', { limit: 0 }, 'limit: must be between 1 and 1000.'],
    ['pull', { limit: 1_001 }, 'limit: must be between 1 and 1000.'],
    ['pull', { waitSeconds: 61 }, 'waitSeconds: must be between 0 and 60.'],
    ['acknowledge', {}, 'notifications: is required, or `upTo`; one of the two.'],
    ['acknowledge', { notifications: [1], upTo: 2 }, 'notifications: is required, or `upTo`; one of the two.'],
    ['acknowledge', { notifications: 'all' }, 'notifications: must be an array of keys.'],
    ['acknowledge', { notifications: [0] }, 'notifications[0]: must be a key, a positive integer.'],
  ])('%s of %j', async (action, body, message) => {
    const { key } = await subscribe();
    const answer = await service.post(`/ws/rest/WebhookSubscription/${key}/${action}`, body);
    expect([answer.status, answer.body.message]).toEqual([400, message]);
  });

  test('a stream with an address, and a change to or from STREAM', async () => {
    const body = { eventType: 'Vessel.U', channelInfo: { channelType: 'STREAM', URL: 'https://a.example/' } };
    const answer = await service.post('/ws/rest/WebhookSubscription', body);
    expect(answer.body.message).toBe('channelInfo.URL: cannot be set: STREAM has no address.');
    const { key } = await subscribe();
    const changed = await service.put(`/ws/rest/WebhookSubscription/${key}`, {
      channelInfo: { channelType: 'HTTP', URL: 'https://a.example/' },
    });
    expect(changed.body.message).toBe(
      'channelInfo.channelType: cannot be changed from STREAM to HTTP: create another subscription.',
    );
  });
});
