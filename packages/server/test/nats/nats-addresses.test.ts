// Addresses, subjects and credentials of NATS: what is refused when it is saved, and that nothing forbidden is
// connected to.

import { describe, expect, test } from 'vitest';
import { createAddressPolicy } from '../../src/channels/guard/address-policy.ts';
import { fillSubject } from '../../src/channels/nats/fill-subject.ts';
import { checkServers } from '../../src/channels/nats/nats-servers.ts';
import { startReceiver } from '../channels/receiver.ts';
import { mistakesIn, mistakesOf, pathOf, subscribe } from '../subscriptions/subscribe.ts';
import { useTestService } from '../support/test-service.ts';
import { userCredentials } from './user-credentials.ts';

const nothingListed = createAddressPolicy([]);
const service = useTestService();

describe('a server address', () => {
  test.each([
    'nats://127.0.0.1:4222',
    'nats://127.1',
    'nats://0x7f.1:4222',
    'nats://2130706433',
    'nats://localhost:4222',
    'tls://a.localhost',
    'nats://[::1]:4222',
    'nats://[::ffff:127.0.0.1]',
    'nats://169.254.169.254',
    'tls://10.0.0.7:4222',
    'tls://nats.example:4222,tls://192.168.1.1:4222',
    'tls://8.8.8.8:4222,tls://[fe80::1]',
    'tls://8.8.8.8:25',
  ])('%s is refused, because it is not public', (url) => {
    expect(checkServers(url, nothingListed, 'test')).toMatch(/^cannot be sent to: /);
  });

  test.each([
    ['', /^must be the URL of a NATS server/],
    ['nats://', /^must be the URL/],
    ['nats.example:4222', /^must be the URL/],
    ['http://nats.example', /^must be the URL/],
    ['ws://nats.example', /^must be the URL/],
    ['nats://nats.example/path', /^must be the URL/],
    ['nats://nats.example?x=1', /^must be the URL/],
    ['nats://nats.example:0', /^must be the URL/],
    ['nats://nats.example:65536', /^must be the URL/],
    ['nats://nats..example', /^must be the URL/],
    ['nats://a.example,', /^must be the URL/],
    ['nats://a.example,,nats://b.example', /^must be the URL/],
    ['nats://user:secret@nats.example', /^cannot carry a user or password: send webhookUsername/],
    ['nats://a.example, nats://b.example', /^cannot have a space at position 18/],
    ['nats://a.example\r\nPUB x 1', /^cannot have .* at position 17/],
    ['nats://a\\b.example', /^cannot have .* at position 9/],
    [Array(17).fill('nats://a.example').join(','), /^may have at most 16 servers; these are 17\.$/],
  ])('%j is refused', (url, message) => {
    expect(checkServers(url, nothingListed, 'test')).toMatch(message);
  });

  test('in production it must have TLS, unless the operator lists the address', () => {
    expect(checkServers('nats://8.8.8.8', nothingListed, 'production')).toMatch(/^must be a tls URL/);
    expect(checkServers('nats://nats.example', nothingListed, 'production')).toMatch(/^must be a tls URL/);
    expect(checkServers('tls://nats.example,nats://b.example', nothingListed, 'production')).toMatch(/^must be a tls/);
    expect(checkServers('tls://nats.example', nothingListed, 'production')).toBeUndefined();
    expect(checkServers('nats://10.0.0.7', createAddressPolicy(['10.0.0.0/8']), 'production')).toBeUndefined();
  });

  test('several are taken, with and without a port', () => {
    for (const url of ['nats://nats.example', 'tls://A.example:4223/,nats://8.8.8.8', 'nats://[2606:4700::1111]:4222'])
      expect(checkServers(url, nothingListed, 'test')).toBeUndefined();
  });
});

describe('without allowed targets', () => {
  const strict = useTestService({ FLAGHOIST_ALLOWED_TARGETS: '192.0.2.1' });

  test('loopback is refused when it is saved, and not connected to if it was saved all the same', async () => {
    const canary = await startReceiver();
    const url = `nats://127.0.0.1:${canary.port}`;
    const channelInfo = { channelType: 'NATS', URL: url };
    expect(await mistakesIn(strict, { eventType: 'Voyage.C', channelInfo })).toEqual([
      expect.stringMatching(/^channelInfo\.URL: cannot be sent to: its address is not a public one\./),
    ]);
    const { key } = await subscribe(strict, { url: undefined, channelInfo: { ...channelInfo, URL: 'nats://8.8.8.8' } });
    await strict.database.pool.query('update flaghoist_service.webhook_subscription set url = $2 where key = $1', [
      key,
      url,
    ]);
    const answer = await strict.post(`/ws/rest/WebhookSubscription/${key}/ping`, {});
    expect(answer.body).toMatchObject({
      isDelivered: false,
      errorMessage: 'The host cannot be reached: its name has no address that notifications may be sent to.',
    });
    expect(canary.accepted).toBe(0);
  });
});

describe('a subject', () => {
  const channelInfo = (subject: unknown) => ({
    url: undefined,
    channelInfo: { channelType: 'NATS', URL: 'nats://127.0.0.1', subject },
  });

  test.each<[unknown, RegExp]>([
    ['', /cannot have an empty name/],
    ['a..b', /cannot have an empty name/],
    ['a.', /cannot have an empty name/],
    ['a.*', /cannot have wildcards/],
    ['a.>', /cannot have wildcards/],
    ['a b', /must be names of letters/],
    ['a\r\nPUB x 0', /must be names of letters/],
    ['a.{name}', /has the placeholder \{name\}; there are \{objectType\}/],
    ['a.{objectType', /must be names of letters/],
    ['$JS.API.STREAM.DELETE.X', /cannot begin with \$JS: NATS uses such subjects itself/],
    ['_INBOX.x', /cannot begin with _INBOX/],
    ['x'.repeat(256), /may have at most 255 characters; this has 256/],
    [7, /must be text, not a number/],
    [null, /must be text, not null/],
  ])('%j is refused', async (subject, message) => {
    const [mistake, ...more] = await mistakesIn(service, { eventType: 'Voyage.C', ...channelInfo(subject) });
    expect(more).toEqual([]);
    expect(mistake).toMatch(/^channelInfo\.subject: /);
    expect(mistake).toMatch(message);
  });

  test('no value that is filled in can add a name, a wildcard or a line', () => {
    const values = { objectType: 'A.*.>', operation: 'U\r\nPUB x', objectKey: 7, subscription: 8 };
    expect(fillSubject('f.{objectType}.{operation}.k{objectKey}-{subscription}', values)).toBe('f.A____.U__PUB_x.k7-8');
    expect(fillSubject('f.{objectType}', { ...values, objectType: '{operation}$&' })).toBe('f._operation___');
    expect(fillSubject('f.{objectType}', { ...values, objectType: '' })).toBe('f._');
  });
});

test.each<[string, object, RegExp]>([
  [
    'no text of a file',
    { type: 'CREDENTIALS', credentials: 'hunter2' },
    /auth\.credentials: must be the text of a \.c/,
  ],
  ['no credentials', { type: 'CREDENTIALS' }, /auth\.credentials: is required/],
  ['an OAuth 2.0 client', { type: 'OAUTH2', clientId: 'x' }, /auth\.type: must be CREDENTIALS or MTLS/],
])('%s is refused', async (_, auth, message) => {
  const channelInfo = { channelType: 'NATS', URL: 'nats://127.0.0.1', auth };
  const [mistake] = await mistakesIn(service, { eventType: 'Voyage.C', channelInfo });
  expect(mistake).toMatch(message);
  expect(mistake).not.toContain('hunter2');
});

test('credentials and a password exclude each other, whichever is set first', async () => {
  const auth = { type: 'CREDENTIALS', credentials: userCredentials(service) };
  const nats = { channelType: 'NATS', URL: 'nats://127.0.0.1' };
  const mistake =
    'cannot be set: CREDENTIALS and webhookUsername or webhookPassword both sign in. Keep one of them, and set ' +
    'what is not wanted to null.';
  const both = { eventType: 'Voyage.C', channelInfo: { ...nats, auth }, webhookUsername: 'fleet' };
  expect(await mistakesIn(service, both)).toEqual([`channelInfo.auth: ${mistake}`]);
  const signedIn = await subscribe(service, { url: undefined, channelInfo: { ...nats, auth } });
  for (const name of ['webhookUsername', 'webhookPassword'])
    expect(mistakesOf(await service.put(pathOf(signedIn), { [name]: 'a-password' }))).toEqual([`${name}: ${mistake}`]);
  const named = await subscribe(service, { url: undefined, channelInfo: nats, webhookPassword: 'a-token' });
  expect(mistakesOf(await service.put(pathOf(named), { channelInfo: { auth } }))).toEqual([
    `channelInfo.auth: ${mistake}`,
  ]);
  const changed = await service.put(pathOf(named), { channelInfo: { auth }, webhookPassword: null });
  expect(changed.status, changed.text).toBe(200);
});

test('headers of the subscriber are refused: they are for HTTP', async () => {
  const channelInfo = { channelType: 'NATS', URL: 'nats://127.0.0.1' };
  expect(await mistakesIn(service, { eventType: 'Voyage.C', channelInfo, headers: { 'X-Key': 'v' } })).toEqual([
    'headers: cannot be set: NATS does not use it. Leave it out, or set it to null.',
  ]);
});
