// Notifications over NATS, against a real server: stored once, with the headers of HTTP, and what is told if not.

import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { describeNats, openClient, startNats } from '../channels/nats-server.ts';
import { createVoyage, settled, subscribeTo } from '../deliver/hooks.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService({
  FLAGHOIST_DELIVERY_ATTEMPTS: '2',
  FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.1',
  FLAGHOIST_DELIVERY_TIMEOUT_SECONDS: '5',
});

const overNats = (url: string, more: object = {}) => ({ channelInfo: { channelType: 'NATS', URL: url, ...more } });

function planted(name: string, text: string): string {
  service.secrets.plant(name, text);
  return text;
}

async function ping(key: number) {
  const answer = await service.post(`/ws/rest/WebhookSubscription/${key}/ping`, {});
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

describeNats('with a server', () => {
  test('a notification is stored once, with its id, its headers and a signature that holds', async () => {
    const node = await startNats();
    const client = await openClient(node);
    await client.createStream('CHANGES', { subjects: ['flaghoist.>'] });
    const subscription = await subscribeTo(service, overNats(node.url));
    expect(subscription.channelInfo).toEqual({
      channelType: 'NATS',
      URL: node.url,
      subject: 'flaghoist.{objectType}.{operation}.{objectKey}',
    });
    const voyage = await createVoyage(service);
    const [one] = await settled(service, subscription, ['DELIVERED']);
    const [stored, ...more] = await client.readStream('CHANGES');
    expect(more).toEqual([]);
    expect(stored).toMatchObject({ subject: `flaghoist.Voyage.C.${voyage}`, data: one.body });
    expect(stored!.headers).toEqual({
      'Nats-Msg-Id': one.id,
      'content-type': 'application/json',
      'webhook-id': one.id,
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      'webhook-signature': expect.stringMatching(/^v1,/),
      'flaghoist-event': `Voyage.C.${voyage}`,
      'flaghoist-sequence': one.id.split('-')[0],
      'flaghoist-subscription': String(subscription.key),
      'flaghoist-attempt': '1',
    });
    new Webhook(subscription.signingSecret).verify(stored!.data, stored!.headers);
    expect(JSON.stringify(one)).toContain('{\\"stream\\":\\"CHANGES\\",\\"seq\\":1}');
  });

  test('a replay within the duplicate window is delivered, and stored once', async () => {
    const node = await startNats();
    const client = await openClient(node);
    await client.createStream('CHANGES', { subjects: ['flaghoist.>'] });
    const subscription = await subscribeTo(service, overNats(node.url));
    await createVoyage(service);
    await settled(service, subscription, ['DELIVERED']);
    const answer = await service.post(`/ws/rest/WebhookSubscription/${subscription.key}/replay`, {});
    expect(answer.status, answer.text).toBe(202);
    const read = async () => JSON.stringify(await settled(service, subscription, ['DELIVERED']));
    await expect.poll(read, { timeout: 10_000 }).toContain('\\"duplicate\\":true');
    expect(await client.readStream('CHANGES')).toHaveLength(1);
  });

  test('a ping is published to the subject of the first event type, with the key 0', async () => {
    const node = await startNats();
    const client = await openClient(node);
    await client.createStream('CHANGES', { subjects: ['fleet.>'] });
    const { key } = await subscribeTo(service, {
      eventType: undefined,
      eventTypes: ['Voyage.*', 'Vessel.U'],
      ...overNats(node.url, { subject: 'fleet.s{subscription}.{objectType}.{operation}.{objectKey}' }),
    });
    expect(await ping(key)).toMatchObject({
      isDelivered: true,
      channelType: 'NATS',
      statusCode: null,
      answer: '{"stream":"CHANGES","seq":1}',
      errorMessage: null,
    });
    expect((await client.readStream('CHANGES')).map(({ subject }) => subject)).toEqual([`fleet.s${key}.Voyage.ping.0`]);
  });

  test('without a stream for the subject, the reason says to create one, and the next attempt succeeds', async () => {
    const node = await startNats();
    const client = await openClient(node);
    const subscription = await subscribeTo(service, overNats(node.url, { subject: 'none.{objectType}' }));
    expect((await ping(subscription.key)).errorMessage).toBe(
      'No stream of the NATS server has the subject none.Voyage. Create a stream for it, and check that JetStream is ' +
        'enabled.',
    );
    await client.createStream('LATER', { subjects: ['none.*'] });
    expect(await ping(subscription.key)).toMatchObject({ isDelivered: true });
  });

  test('a wrong password, no password and a missing permission are told without any secret', async () => {
    const password = planted('a password of NATS', 'right-3f9a1c77d2');
    const wrong = planted('a wrong password of NATS', 'wrong-93bd0a51e4');
    const node = await startNats(`authorization { users: [
      { user: admin, password: admin }
      { user: fleet, password: "${password}", permissions: { publish: ["fleet.>"], subscribe: ["_INBOX.>"] } }
      { user: deaf, password: "${password}", permissions: { publish: ["fleet.>"], subscribe: ["none"] } }
    ] }`);
    const client = await openClient(node, { user: 'admin', pass: 'admin' });
    await client.createStream('CHANGES', { subjects: ['fleet.>', 'other.>'] });
    const tell = async (wishes: object, subject = 'fleet.{objectType}') =>
      (await ping((await subscribeTo(service, { ...overNats(node.url, { subject }), ...wishes })).key)).errorMessage;
    const notAccepted = 'The NATS server does not accept the credentials.';
    expect(await tell({})).toBe(notAccepted);
    expect(await tell({ webhookUsername: 'fleet', webhookPassword: wrong })).toBe(notAccepted);
    const fleet = { webhookUsername: 'fleet', webhookPassword: password };
    expect(await tell(fleet)).toBe(null);
    expect(await tell(fleet, 'other.{objectType}')).toBe(
      'The NATS server does not permit the user to publish to other.Voyage.',
    );
    expect(await tell({ webhookUsername: 'deaf', webhookPassword: password })).toBe(
      'The NATS server does not permit the user to subscribe to _INBOX.>, where acknowledgements arrive.',
    );
  });

  test('a password without a user is a token', async () => {
    const token = planted('a token of NATS', 'token-77aa0b3c91');
    const node = await startNats(`authorization { token: "${token}" }`);
    const subscription = await subscribeTo(service, { ...overNats(node.url), webhookPassword: token });
    expect((await ping(subscription.key)).errorMessage).toMatch(/^No stream /);
  });

  test('a body over max_payload and a full stream are failures that say so', async () => {
    const node = await startNats('max_payload: 1kB');
    const client = await openClient(node);
    await client.createStream('FULL', { subjects: ['full.>'], max_msgs: 1, discard: 'new' });
    await client.createStream('SMALL', { subjects: ['small.>'], max_msg_size: 600 });
    const full = await subscribeTo(service, overNats(node.url, { subject: 'full.{objectType}' }));
    expect(await ping(full.key)).toMatchObject({ isDelivered: true });
    expect(await ping(full.key)).toMatchObject({
      errorMessage: 'The stream has not stored the message: the stream is full, or storing has failed (error 10077).',
      answer: 'maximum messages exceeded',
    });
    const small = await subscribeTo(service, overNats(node.url, { subject: 'small.{objectType}' }));
    expect((await ping(small.key)).errorMessage).toBe(
      'The stream has not stored the message: the message is larger than the stream allows (error 10054).',
    );
    await createVoyage(service);
    const [failed] = await settled(service, small, ['FAILED']);
    expect(failed.errorMessage).toMatch(
      /^The body has \d+ bytes, which with its headers is more than max_payload of the server: 1024\.$/,
    );
  });

  test('all servers down is a failure at once, and delivery goes on when one is back', async () => {
    const node = await startNats();
    const client = await openClient(node);
    await client.createStream('CHANGES', { subjects: ['flaghoist.>'] });
    const subscription = await subscribeTo(service, {
      ...overNats(node.url),
      retryPolicy: { attempts: 100, intervalSeconds: 1 },
    });
    expect(await ping(subscription.key)).toMatchObject({ isDelivered: true });
    await node.kill();
    expect((await ping(subscription.key)).errorMessage).toBe('The connection was refused.');
    await createVoyage(service);
    await settled(service, subscription, ['PENDING']);
    await node.start();
    await settled(service, subscription, ['DELIVERED'], 20_000);
    expect(await (await openClient(node)).readStream('CHANGES')).toHaveLength(2);
  });

  test('of several servers, one that answers is enough', async () => {
    const node = await startNats();
    const client = await openClient(node);
    await client.createStream('CHANGES', { subjects: ['flaghoist.>'] });
    const dead = await startNats();
    await dead.kill();
    const { key } = await subscribeTo(service, overNats(`${dead.url},${node.url}`));
    expect(await ping(key)).toMatchObject({ isDelivered: true });
  });
});
