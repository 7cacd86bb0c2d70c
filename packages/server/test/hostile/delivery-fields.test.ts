// Hostile values in what a subscription says about its delivery: token endpoints, headers, certificates and subjects.
// Each is a 400 that names its place, or harmless; none is stored, and none is a fault of the service.

import { nkeys } from '@nats-io/transport-node';
import { describe, expect, test } from 'vitest';
import { createAddressPolicy } from '../../src/channels/guard/address-policy.ts';
import { checkUrl } from '../../src/channels/http/check-url.ts';
import { useAuthority } from '../channels/certificates.ts';
import rows from '../channels/ssrf-urls.json' with { type: 'json' };
import { post } from '../subscriptions/subscribe.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api', FLAGHOIST_ALLOWED_TARGETS: '' });
const client = useAuthority().issue('DNS:client');
service.secrets.plant('a private key', client.key.split('\n')[1]!);

const least = { eventType: 'Vessel.U', url: 'https://agent.example/hook' };

async function pathsOf(body: object): Promise<string[]> {
  const answer = await post(service, { ...least, ...body });
  expect([answer.status, answer.text]).toEqual([400, expect.any(String)]);
  return (answer.body.violations ?? []).map(({ path }: { path: string }) => path);
}

/** Those whose text tells. Names are resolved by servers that other tests have. */
const forbidden = rows.filter(
  ({ expected, input }) => expected === 'BLOCK' && checkUrl(input, createAddressPolicy([]), 'test') !== undefined,
);

test.each(forbidden)('$id: $input is no token endpoint', async ({ input }) => {
  const auth = { type: 'OAUTH2', tokenUrl: input, clientId: 'a', clientSecret: 'b' };
  // Text that PostgreSQL cannot store is rejected before it is read.
  const paths = await pathsOf({ channelInfo: { auth } });
  expect(paths.every((path) => path === 'channelInfo.auth.tokenUrl')).toBe(true);
});

const injections = [
  '\r\nX-Evil: 1',
  '\n',
  '\r',
  'a\u0085b',
  'a\u2028b',
  'a\x7f',
  '\ttab',
  ' lead',
  'trail ',
  'ü',
  '😀',
  '\x1b[2J',
];

describe('OAUTH2', () => {
  const auth = { type: 'OAUTH2', tokenUrl: 'https://login.example/token', clientId: 'a', clientSecret: 'a-secret' };

  const controls = ['', '\r\nX-Evil: 1', '\n', 'a\u0000', '\x1b[2J', 'a\u0085b', 'a\x7f', '\ttab'];
  const names = ['clientId', 'clientSecret', 'scope', 'audience'];
  const pairs = names.flatMap((name) => controls.map((value) => [name, value] as const));
  test.each(pairs)('%s %j is rejected', async (name, value) => {
    const paths = await pathsOf({ channelInfo: { auth: { ...auth, [name]: value } } });
    // Text that PostgreSQL cannot store is rejected before it is read.
    expect(paths.every((path) => path === `channelInfo.auth.${name}`)).toBe(true);
  });

  test.each(names)('%s that is too long, or no text, is rejected', async (name) => {
    for (const value of ['a'.repeat(5_000), 5, {}, ['a'], true])
      expect(await pathsOf({ channelInfo: { auth: { ...auth, [name]: value } } })).toEqual([
        `channelInfo.auth.${name}`,
      ]);
  });
});

describe('headers', () => {
  test.each(injections)('the value %j is rejected', async (value) => {
    expect(await pathsOf({ headers: { 'X-Api-Key': value } })).toEqual(['headers.X-Api-Key']);
  });

  test.each(['', ' ', 'X:', 'X-A:', 'a b', 'ü', 'X\r\nY', 'X\tY', '(x)', 'x'.repeat(5_000)])(
    'the name %j is rejected',
    async (name) => {
      expect((await pathsOf({ headers: { [name]: 'v' } })).length).toBeGreaterThan(0);
    },
  );

  test('names that reach prototypes are rejected', async () => {
    const answer = await service.post(
      '/ws/rest/WebhookSubscription',
      `{"eventType":"Vessel.U","url":"${least.url}","headers":{"__proto__":"x"}}`,
    );
    expect(answer.status).toBe(400);
  });
});

describe('certificates', () => {
  const begin = '-----BEGIN CERTIFICATE-----';
  test.each([
    '',
    begin,
    `${begin}\n-----END CERTIFICATE-----`,
    `${begin}\nAAAA\n-----END CERTIFICATE-----`,
    `${begin}\n${'A'.repeat(60_000)}\n-----END CERTIFICATE-----`,
    '/etc/passwd',
    'file:///etc/passwd',
    '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----',
    '\u0007'.repeat(100),
  ])('%j is rejected', async (certificate) => {
    const auth = { type: 'MTLS', certificate, privateKey: 'x' };
    expect(await pathsOf({ channelInfo: { auth } })).toContain('channelInfo.auth.certificate');
  });

  test('one that is too long is rejected for its length', async () => {
    const auth = { type: 'MTLS', certificate: 'A'.repeat(70_000), privateKey: 'x' };
    expect(await pathsOf({ channelInfo: { auth } })).toEqual(['channelInfo.auth.certificate']);
  });
});

describe('private keys', () => {
  const begin = '-----BEGIN PRIVATE KEY-----';
  test.each([
    '',
    begin,
    `${begin}\n-----END PRIVATE KEY-----`,
    `${begin}\nAAAA\n-----END PRIVATE KEY-----`,
    `${begin}\n${'A'.repeat(15_000)}\n-----END PRIVATE KEY-----`,
    '-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----',
    '/etc/passwd',
    'file:///etc/passwd',
    'A'.repeat(20_000),
    '\u0007'.repeat(100),
    '***',
    5,
    {},
  ])('%j is rejected, and not repeated', async (privateKey) => {
    const channelInfo = { auth: { type: 'MTLS', certificate: client.cert, privateKey } };
    expect(await pathsOf({ channelInfo })).toEqual(['channelInfo.auth.privateKey']);
  });

  test('that of the authority in the place of the certificate is rejected', async () => {
    const auth = { type: 'MTLS', certificate: client.key, privateKey: client.key };
    expect(await pathsOf({ channelInfo: { auth } })).toEqual(['channelInfo.auth.certificate']);
  });
});

describe('.creds files', () => {
  const block = (name: string, content: string) => `-----BEGIN ${name}-----\n${content}\n------END ${name}------\n`;
  const jwt = block('NATS USER JWT', 'eyJhIjoxfQ.eyJhIjoxfQ.c2lnbmVk');
  const seedOf = (content: string) => block('USER NKEY SEED', content);
  const key = (make: () => { getSeed(): Uint8Array }) => Buffer.from(make().getSeed()).toString();
  test.each<[string, unknown]>([
    ['nothing', ''],
    ['a path', '/etc/passwd'],
    ['no seed', jwt],
    ['no JWT', seedOf(key(nkeys.createUser))],
    ['an empty seed', `${jwt}${seedOf('')}`],
    ['a seed that is none', `${jwt}${seedOf('SUAAAA')}`],
    ['the seed of an account', `${jwt}${seedOf(key(nkeys.createAccount))}`],
    ['the seed of an operator', `${jwt}${seedOf(key(nkeys.createOperator))}`],
    ['a JWT that injects', `${block('NATS USER JWT', 'a.b.c","x":"')}${seedOf(key(nkeys.createUser))}`],
    ['many begins', '-----BEGIN NATS USER JWT-----\n'.repeat(500)],
    ['dashes alone', '-'.repeat(16_000)],
    ['too much', 'a'.repeat(20_000)],
    ['a number', 5],
    ['a placeholder', '***'],
  ])('%s is rejected', async (_, credentials) => {
    const auth = { type: 'CREDENTIALS', credentials };
    const channelInfo = { channelType: 'NATS', URL: 'tls://nats.agent.example', auth };
    expect(await pathsOf({ url: undefined, channelInfo })).toEqual(['channelInfo.auth.credentials']);
  });
});

test.each([
  '',
  '.',
  'a..b',
  '.a',
  'a.',
  '>',
  '*',
  'a.>',
  'a.*.b',
  'a b',
  'a\r\nPUB x 1',
  '$JS.API.STREAM.DELETE.X',
  '$SYS.REQ',
  '_INBOX.x',
  '{constructor}',
  '{__proto__}',
  '{objectType',
  'objectType}',
  '{{objectType}}',
  'x'.repeat(300),
  'ü',
  '\u0000',
])('the subject %j is rejected', async (subject) => {
  const channelInfo = { channelType: 'NATS', URL: 'tls://nats.agent.example', subject };
  expect((await post(service, { ...least, url: undefined, channelInfo })).status).toBe(400);
});

test.each([
  { retryPolicy: { attempts: 1e308 } },
  { retryPolicy: { intervalSeconds: '60' } },
  { retryPolicy: [] },
  { ratePerSecond: '5' },
  { ratePerSecond: 1e-300 },
  { acknowledgeSeconds: 5 },
  { headers: [] },
  { channelInfo: { auth: [] } },
  { channelInfo: { auth: { type: ['OAUTH2'] } } },
  { channelInfo: { auth: { type: 'OAUTH2', tokenUrl: {}, clientId: [], clientSecret: 1 } } },
])('%j is rejected', async (body) => {
  expect((await pathsOf(body)).length).toBeGreaterThan(0);
});
