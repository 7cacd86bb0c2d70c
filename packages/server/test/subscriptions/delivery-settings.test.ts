// How the notifications of a subscription are delivered: headers, authorization, retries and rate. Secrets are never
// shown, and stay if they are sent back as they are shown.

import { describe, expect, test } from 'vitest';
import { useAuthority } from '../channels/certificates.ts';
import { useTestService } from '../support/test-service.ts';
import { mistakesIn, mistakesOf, pathOf, subscribe } from './subscribe.ts';

const service = useTestService();
const clientSecret = 'a-client-secret-of-oauth';
const headerValue = 'an-api-key-in-a-header';
service.secrets.plant('a client secret', clientSecret);
service.secrets.plant('the value of a header', headerValue);
const oauth = { type: 'OAUTH2', tokenUrl: 'https://login.example/token', clientId: 'flaghoist' };
const authority = useAuthority();
const client = authority.issue('DNS:client');
service.secrets.plant('a private key', client.key.split('\n')[1]!);

/** What is stored, decrypted by nobody. */
async function sealed(key: number): Promise<{ headers_sealed: string | null; channel_secret_sealed: string | null }> {
  const { rows } = await service.database.pool.query(
    'select headers_sealed, channel_secret_sealed from flaghoist_service.webhook_subscription where key = $1',
    [key],
  );
  return rows[0];
}

describe('headers', () => {
  test('are shown without their values, and stay if they are sent back', async () => {
    const made = await subscribe(service, { headers: { 'X-Api-Key': headerValue, 'X-Tenant': 'north' } });
    expect(made.headers).toEqual({ 'X-Api-Key': '***', 'X-Tenant': '***' });
    const before = await sealed(made.key);
    expect(before.headers_sealed).not.toContain(headerValue);
    const answer = await service.put(pathOf(made), { headers: { 'x-api-key': '***', 'X-Region': 'eu' } });
    expect(answer.body.headers).toEqual({ 'x-api-key': '***', 'X-Region': '***' });
    const whole = await service.put(pathOf(made), { ...answer.body, name: 'renamed' });
    expect([whole.status, whole.body.name, whole.body.headers]).toEqual([200, 'renamed', answer.body.headers]);
    const none = await service.put(pathOf(made), { headers: null });
    expect([none.body.headers, (await sealed(made.key)).headers_sealed]).toEqual([null, null]);
  });

  test.each<[string, unknown, string]>([
    ['no object', 'X: y', 'headers: must be an object of header names and values, not text.'],
    ['a number', { 'X-A': 5 }, 'headers.X-A: must be text: put the number in quotes.'],
    ['a list', { 'X-A': ['b'] }, 'headers.X-A: must be text, not an array.'],
    [
      'a line break',
      { 'X-A': 'b\r\nX-C: d' },
      'headers.X-A: must be visible ASCII characters, with spaces only between them.',
    ],
    ['an empty value', { 'X-A': '' }, 'headers.X-A: must be visible ASCII characters, with spaces only between them.'],
    ['a name with a space', { 'X A': 'b' }, 'headers.X A: is not a header name: letters, digits and - are.'],
    ['the same twice', { 'X-A': 'b', 'x-a': 'c' }, 'headers.x-a: is there twice; the case of a name does not matter.'],
    ['nothing stored', { 'X-A': '***' }, 'headers.X-A: has no stored value that *** could stand for: send the value.'],
    ['4 kB', { 'X-A': 'b'.repeat(4_094) }, 'headers: may have at most 4096 bytes in all; these have 4097.'],
  ])('%s is rejected', async (_, headers, mistake) => {
    expect(await mistakesIn(service, { eventType: 'BunkerOrder.U', url: 'https://a.example/', headers })).toEqual([
      mistake,
    ]);
  });

  test.each([
    'Host',
    'content-length',
    'Transfer-Encoding',
    'Content-Type',
    'Connection',
    'TE',
    'Webhook-Id',
    'webhook-signature',
    'Flaghoist-Event',
    'Proxy-Authorization',
    'Expect',
    'Upgrade',
    'Cookie',
    'User-Agent',
  ])('%s cannot be set', async (name) => {
    const mistakes = await mistakesIn(service, {
      eventType: 'Voyage.U',
      url: 'https://a.example/',
      headers: { [name]: 'x' },
    });
    expect(mistakes).toEqual([
      `headers.${name}: cannot be set: the service sets this header itself, or the protocol does.`,
    ]);
  });

  test('there may be 20 of them, and only over HTTP', async () => {
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`X-${i}`, 'v']));
    const made = await subscribe(service, { headers: many(20) });
    expect(Object.keys(made.headers)).toHaveLength(20);
    expect(mistakesOf(await service.put(pathOf(made), { headers: many(21) }))).toEqual([
      'headers: may be at most 20 headers; these are 21.',
    ]);
    const mail = { eventType: 'Voyage.U', channelInfo: { channelType: 'EMAIL', URL: 'a@agent.example' } };
    expect(await mistakesIn(service, { ...mail, headers: { 'X-A': 'b' } })).toEqual([
      'headers: cannot be set: EMAIL does not use it. Leave it out, or set it to null.',
    ]);
  });
});

test.each(['webhookUsername', 'webhookPassword'])('%s is only for channels that use it', async (name) => {
  for (const channelInfo of [{ channelType: 'STREAM' }, { channelType: 'EMAIL', URL: 'a@agent.example' }])
    expect(await mistakesIn(service, { eventType: 'Voyage.U', channelInfo, [name]: 'a-password' })).toEqual([
      `${name}: cannot be set: ${channelInfo.channelType} does not use it. Leave it out, or set it to null.`,
    ]);
  const stream = await subscribe(service, { url: undefined, channelInfo: { channelType: 'STREAM' }, [name]: null });
  expect(mistakesOf(await service.put(pathOf(stream), { [name]: 'a-password' }))).toHaveLength(1);
});

describe('auth', () => {
  const withAuth = (auth: unknown) => ({ channelInfo: { auth } });

  test('OAUTH2 is shown without its secret, which stays until the endpoint or the client changes', async () => {
    const made = await subscribe(
      service,
      withAuth({ ...oauth, clientSecret, scope: 'a b', audience: 'https://b.example' }),
    );
    const shown = { ...oauth, scope: 'a b', audience: 'https://b.example' };
    expect(made.channelInfo).toEqual({ channelType: 'HTTP', URL: made.url, auth: shown });
    const { channel_secret_sealed: before } = await sealed(made.key);
    const changed = await service.put(pathOf(made), withAuth({ ...shown, scope: 'c' }));
    expect(changed.body.channelInfo.auth).toEqual({ ...shown, scope: 'c' });
    expect((await sealed(made.key)).channel_secret_sealed).toBe(before);
    for (const other of [{ tokenUrl: 'https://thief.example/token' }, { clientId: 'another' }])
      expect(mistakesOf(await service.put(pathOf(made), withAuth({ ...shown, ...other })))).toEqual([
        'channelInfo.auth.clientSecret: is required.',
      ]);
    const renamed = await service.put(pathOf(made), { ...changed.body, name: 'x' });
    expect([renamed.status, renamed.body.channelInfo]).toEqual([200, changed.body.channelInfo]);
    const none = await service.put(pathOf(made), withAuth(null));
    expect(none.body.channelInfo).toEqual({ channelType: 'HTTP', URL: made.url });
    expect((await sealed(made.key)).channel_secret_sealed).toBeNull();
  });

  test('MTLS shows the certificate and never the key', async () => {
    const made = await subscribe(service, withAuth({ type: 'MTLS', certificate: client.cert, privateKey: client.key }));
    expect(made.channelInfo.auth).toEqual({ type: 'MTLS', certificate: client.cert });
    const { channel_secret_sealed } = await sealed(made.key);
    const again = await service.put(pathOf(made), { channelInfo: made.channelInfo, name: 'again' });
    expect([again.status, (await sealed(made.key)).channel_secret_sealed]).toEqual([200, channel_secret_sealed]);
  });

  test('MTLS needs an https URL, also if the URL is changed later', async () => {
    const mtls = { type: 'MTLS', certificate: client.cert, privateKey: client.key };
    const mistake = 'channelInfo.auth: needs an https URL: a certificate is presented only over TLS.';
    const plain = { eventType: 'Voyage.U', url: 'http://a.example/', ...withAuth(mtls) };
    expect(await mistakesIn(service, plain)).toEqual([mistake]);
    const made = await subscribe(service, withAuth(mtls));
    expect(mistakesOf(await service.put(pathOf(made), { url: 'http://a.example/' }))).toEqual([mistake]);
  });

  test('another channel drops it', async () => {
    const made = await subscribe(service, withAuth({ ...oauth, clientSecret }));
    const answer = await service.put(pathOf(made), { channelInfo: { channelType: 'EMAIL', URL: 'a@agent.example' } });
    expect(answer.body.channelInfo).toEqual({ channelType: 'EMAIL', URL: 'a@agent.example' });
    expect((await sealed(made.key)).channel_secret_sealed).toBeNull();
  });

  test.each<[string, () => unknown, string]>([
    ['no object', () => 'token', 'channelInfo.auth: must be an object with a type, not text.'],
    ['no type', () => ({}), 'channelInfo.auth.type: must be OAUTH2 or MTLS.'],
    ['another type', () => ({ type: 'NTLM' }), 'channelInfo.auth.type: must be OAUTH2 or MTLS.'],
    [
      'no token URL',
      () => ({ type: 'OAUTH2', clientId: 'a', clientSecret: 'b' }),
      'channelInfo.auth.tokenUrl: is required.',
    ],
    ['no secret', () => oauth, 'channelInfo.auth.clientSecret: is required.'],
    [
      'an unknown member',
      () => ({ ...oauth, clientSecret: 'x', scopes: 'a' }),
      'channelInfo.auth.scopes: is not part of OAUTH2. Did you mean "scope"?',
    ],
    [
      'a line break',
      () => ({ ...oauth, clientSecret: 'a\nb' }),
      'channelInfo.auth.clientSecret: cannot have control characters.',
    ],
    [
      'a token URL inside',
      () => ({ ...oauth, clientSecret: 'x', tokenUrl: 'http://169.254.169.254/latest' }),
      'channelInfo.auth.tokenUrl: cannot be sent to: its address is not a public one. The operator of this service can ' +
        'allow it with FLAGHOIST_ALLOWED_TARGETS.',
    ],
    [
      'no certificate',
      () => ({ type: 'MTLS', certificate: 'MIIB', privateKey: client.key }),
      'channelInfo.auth.certificate: must be a certificate as PEM: text that begins with -----BEGIN CERTIFICATE-----.',
    ],
    [
      'a key that is none',
      () => ({ type: 'MTLS', certificate: client.cert, privateKey: 'secret' }),
      'channelInfo.auth.privateKey: must be a private key as PEM: text that begins with -----BEGIN PRIVATE KEY-----.',
    ],
  ])('%s is rejected', async (_, auth, mistake) => {
    const body = { eventType: 'Voyage.U', url: 'https://a.example/', ...withAuth(auth()) };
    expect(await mistakesIn(service, body)).toEqual([mistake]);
  });

  test('the key of another certificate is rejected, and so is an expired certificate', async () => {
    const other = authority.issue('DNS:other');
    const expiredClient = authority.issue('DNS:expired', -1);
    const body = { eventType: 'Voyage.U', url: 'https://a.example/' };
    const mixed = { type: 'MTLS', certificate: client.cert, privateKey: other.key };
    expect(await mistakesIn(service, { ...body, ...withAuth(mixed) })).toEqual([
      'channelInfo.auth.privateKey: does not belong to the certificate.',
    ]);
    const expired = { type: 'MTLS', certificate: expiredClient.cert, privateKey: expiredClient.key };
    expect(await mistakesIn(service, { ...body, ...withAuth(expired) })).toEqual([
      expect.stringMatching(/^channelInfo\.auth\.certificate: expired on \d{4}-\d\d-\d\d\.$/),
    ]);
  });
});

describe('retryPolicy', () => {
  test('is filled in, and null is as the service is set', async () => {
    const made = await subscribe(service, {
      retryPolicy: { attempts: 12, intervalSeconds: 30, backoff: 'EXPONENTIAL' },
    });
    const policy = { attempts: 12, intervalSeconds: 30, backoff: 'EXPONENTIAL', maxIntervalSeconds: 86_400 };
    expect(made.retryPolicy).toEqual(policy);
    const answer = await service.put(pathOf(made), { retryPolicy: null });
    expect(answer.body.retryPolicy).toBeNull();
  });

  test.each<[unknown, string]>([
    [5, 'retryPolicy: must be an object, not a number.'],
    [{ attempts: 0 }, 'retryPolicy.attempts: must be between 1 and 100.'],
    [{ attempts: 101 }, 'retryPolicy.attempts: must be between 1 and 100.'],
    [{ attempts: 2.5 }, 'retryPolicy.attempts: must be a whole number.'],
    [{ intervalSeconds: 0.5 }, 'retryPolicy.intervalSeconds: must be between 1 and 2592000.'],
    [{ backoff: 'LINEAR' }, 'retryPolicy.backoff: must be one of FIXED, EXPONENTIAL, not "LINEAR".'],
    [{ interval: 5 }, 'retryPolicy.interval: is not part of a retry policy.'],
    [
      { attempts: 100, intervalSeconds: 86_400 },
      'retryPolicy: takes up to 99 days from the first attempt to the last one, and may take 30. Choose fewer attempts or ' +
        'shorter intervals.',
    ],
  ])('%j is rejected', async (retryPolicy, mistake) => {
    expect(await mistakesIn(service, { eventType: 'Voyage.U', url: 'https://a.example/', retryPolicy })).toEqual([
      mistake,
    ]);
  });
});

describe('a retry policy where bodies are kept for two days', () => {
  const brief = useTestService({ FLAGHOIST_BODY_RETENTION_DAYS: '2', FLAGHOIST_ROLES: 'api' });

  test('may take no longer than bodies are kept', async () => {
    const policy = (attempts: number) => ({ retryPolicy: { attempts, intervalSeconds: 86_400 } });
    await subscribe(brief, policy(3));
    expect(await mistakesIn(brief, { eventType: 'Voyage.U', url: 'https://a.example/', ...policy(4) })).toEqual([
      'retryPolicy: takes up to 3 days from the first attempt to the last one, and may take 2. Choose fewer attempts ' +
        'or shorter intervals.',
    ]);
  });
});

test.each([0, 0.009, 1_000.1, -1])('a rate of %d is rejected', async (ratePerSecond) => {
  expect(await mistakesIn(service, { eventType: 'Voyage.U', url: 'https://a.example/', ratePerSecond })).toEqual([
    'ratePerSecond: must be between 0.01 and 1000.',
  ]);
});
