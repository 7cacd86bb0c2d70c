// What operators ask and set: health, metrics, how much one address or client may send, and whose word counts for an
// address.

import { beforeAll, describe, expect, test } from 'vitest';
import { createClient, type TestClient } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { create } from '../support/fleet.ts';
import { holdReads } from '../support/held-lock.ts';
import { converse } from '../support/raw-http.ts';
import { type TestService, useTestService } from '../support/test-service.ts';
import { describeUnharmed } from './unharmed.ts';

describe('health', () => {
  const service = useTestService();

  test('is told without saying anything else', async () => {
    const [live, ready] = [await service.get('/health/live'), await service.get('/health/ready')];
    expect([live.status, live.body]).toEqual([200, { status: 'live' }]);
    expect([ready.status, ready.body]).toEqual([200, { status: 'ready' }]);
    expect(await service.get('/health')).toMatchObject({ status: 200, body: { status: 'ready' } });
  });

  test('many who ask at the same time share one look at the database', async () => {
    const lock = await holdReads(service, 'flaghoist_system.applied_model');
    const asked = Array.from({ length: 20 }, () => service.get('/health/ready'));
    await Promise.race(asked);
    await lock.letGo();
    // Had the others had to look for themselves, they would have found it ready.
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(asked.map(() => 503));
    expect((await service.get('/health/ready')).status).toBe(200);
  });

  test.each([
    '/health/',
    '/health/live/',
    '/health/nonsense',
    '/debug',
    '/admin',
    '/.env',
    '/server-status',
    '/.git/config',
  ])('there is nothing at %s', async (path) => {
    expectErrorBody(await service.get(path), 404);
  });

  test.each(['/health', '/health/live', '/health/ready', '/metrics'])('%s takes only questions', async (path) => {
    for (const answer of [await service.post(path, {}), await service.put(path, {}), await service.delete(path)]) {
      expectErrorBody(answer, 405);
      expect(answer.headers.get('allow')).toBe('GET, HEAD');
    }
  });

  describeUnharmed(service);
});

describe('metrics', () => {
  const service = useTestService({ FLAGHOIST_METRICS_TOKEN: 'metrics-canary-token' });

  test.each([
    {},
    { authorization: '' },
    { authorization: 'Bearer' },
    { authorization: 'Bearer ' },
    { authorization: 'Bearer wrong' },
    { authorization: 'Bearer metrics-canary-toke' },
    { authorization: 'Bearer metrics-canary-tokenx' },
    { authorization: 'Bearer METRICS-CANARY-TOKEN' },
    { authorization: 'Basic metrics-canary-token' },
    { authorization: 'metrics-canary-token' },
    { authorization: '\u00ff'.repeat(27) },
    { 'x-authorization': 'Bearer metrics-canary-token' },
  ])('ask for their token: %j', async (headers) => {
    const answer = await service.get('/metrics', headers as Record<string, string>);
    expectErrorBody(answer, 401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(answer.text).not.toContain('canary');
  });

  test('do not take it from the query', async () => {
    const answer = await service.get('/metrics?token=metrics-canary-token&access_token=metrics-canary-token');
    expectErrorBody(answer, 401);
    expect(answer.text).not.toContain('canary');
  });

  test('are Prometheus text, line by line, with labels from closed sets whatever was asked for', async () => {
    for (const path of ['/ws/rest/Vessel', '/ws/rest/Vessel/0', '/ws/rest/"\n{}canary', '/canary', '/ws/rest/canary/1'])
      await service.get(encodeURI(path));
    await converse(service.url(), 'CANARY / HTTP/1.1\r\n\r\n');
    await converse(service.url(), 'PROPFIND /canary HTTP/1.1\r\nHost: x\r\n\r\n', { answers: 1 });
    const answer = await service.get('/metrics', { authorization: 'Bearer metrics-canary-token' });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    expect(answer.text.endsWith('\n')).toBe(true);
    const sample = /^[a-zA-Z_:][\w:]*(\{([a-zA-Z_]\w*="[^"\\\n]*",?)*\})? -?(\d+(\.\d+)?(e[+-]?\d+)?|NaN|[+-]Inf)$/;
    for (const line of answer.text.trimEnd().split('\n'))
      expect(line).toMatch(line.startsWith('#') ? /^# (HELP|TYPE) [a-zA-Z_:][\w:]* \S/ : sample);
    expect(answer.text).not.toMatch(/canary/i);
    expect(answer.text).toMatch(/^flaghoist_requests_total\{.*resource="Vessel",method="GET",status="200"\} [1-9]/m);
  });

  test('count no more series for a thousand different paths and keys than for one', async () => {
    const count = async () =>
      (await service.get('/metrics', { authorization: 'Bearer metrics-canary-token' })).text.split('\n').length;
    await service.get('/ws/rest/Vessel/1');
    await service.get('/nonsense');
    const before = await count();
    await Promise.all(Array.from({ length: 200 }, (_, index) => service.get(`/ws/rest/Vessel/${900_000_000 + index}`)));
    await Promise.all(Array.from({ length: 200 }, (_, index) => service.get(`/nonsense-${index}`)));
    // The answers to /metrics itself are one more series from the second time on.
    expect((await count()) - before).toBeLessThan(40);
  });

  describeUnharmed(service);
});

/** So many requests at once, each with headers of its own. */
function send(service: TestService, path: string, count: number, headers: (index: number) => Record<string, string>) {
  return Promise.all(Array.from({ length: count }, (_, index) => service.get(path, headers(index))));
}

const vessels = '/ws/rest/Vessel?limit=1';
/** Takes no token, so only the address counts. */
const open = '/.well-known/jwks.json';

describe('more requests than one address may send', () => {
  const service = useTestService({ FLAGHOIST_REQUESTS_PER_SECOND: '5' });

  test('are no matter where health is asked for', async () => {
    const answers = await send(service, '/health/live', 150, () => ({}));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test('are a 429 with Retry-After, and spoofed addresses change nothing', async () => {
    const answers = await send(service, open, 150, (index) => ({
      'x-forwarded-for': `10.0.${index >> 8}.${index & 255}`,
      'x-real-ip': `10.0.0.${index & 255}`,
      'x-client-ip': `10.0.0.${index & 255}`,
      'true-client-ip': `10.0.0.${index & 255}`,
      'cf-connecting-ip': `10.0.0.${index & 255}`,
      forwarded: `for=10.0.0.${index & 255}`,
    }));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(50);
    for (const answer of refused) {
      expectErrorBody(answer, 429);
      expect(answer.headers.get('retry-after')).toBe('1');
    }
  });

  test('are taken again once that time is over', async () => {
    await expect.poll(async () => (await service.get(vessels)).status, { timeout: 10_000, interval: 200 }).toBe(200);
  });
});

describe('behind a proxy that is trusted', () => {
  const service = useTestService({
    FLAGHOIST_REQUESTS_PER_SECOND: '20',
    FLAGHOIST_TRUSTED_PROXIES: '127.0.0.1/32,10.9.0.0/16',
  });
  let busy: TestClient;
  let quiet: TestClient;
  beforeAll(async () => {
    await create(service, 'Vessel', { vesselName: 'Proxied' });
    [busy, quiet] = [await createClient(service, ['read']), await createClient(service, ['read'])];
  });

  test('each address it names has a limit of its own', async () => {
    const answers = await send(service, open, 150, (index) => ({ 'x-forwarded-for': `192.0.2.${index}` }));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  });

  test('a client has one limit for all its addresses, and takes nothing from another client', async () => {
    const answers = await send(service, vessels, 150, (index) => ({
      ...busy.headers,
      'x-forwarded-for': `192.0.3.${index}`,
    }));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(50);
    for (const answer of refused) {
      expectErrorBody(answer, 429);
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    const other = await service.get(vessels, { ...quiet.headers, 'x-forwarded-for': '192.0.3.1' });
    expect(other.status).toBe(200);
  });

  test('what the client put in front of it does not count: the last address that is no proxy does', async () => {
    const answers = await send(service, open, 150, (index) => ({
      'x-forwarded-for': `198.51.100.${index & 255}, 203.0.113.7, 10.9.0.1`,
    }));
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(50);
  });

  test.each([
    '',
    ',',
    ',,,,',
    'nonsense',
    '::1, ::ffff:1.2.3.4',
    '1.2.3.4:80',
    '[::1]:80',
    'unknown',
    '_hidden',
    '999.1.1.1',
    '1.2.3.4,'.repeat(1000),
    "' or 1=1 --",
    '\u00ff',
  ])('an X-Forwarded-For that is none does no harm: %.30j', async (address) => {
    const { status } = await service.get(vessels, { 'x-forwarded-for': address });
    expect([200, 429]).toContain(status);
  });

  test('links still come from the base URL alone', async () => {
    const headers = {
      ...quiet.headers,
      'x-forwarded-for': '192.0.2.200',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
    };
    const answer = await service.get(vessels, headers);
    expect(answer.body[0].self.startsWith(`${service.url()}/`)).toBe(true);
    expect(answer.headers.get('link')).not.toContain('evil');
    expect(expectErrorBody(await service.get('/ws/rest/Vessel/0', headers), 400).uri).toBe(
      `${service.url()}/ws/rest/Vessel/0`,
    );
  });

  test('no request has failed by a fault of ours', () => {
    expect(service.observations.filter(({ kind }) => kind === 'request.failed')).toEqual([]);
  });
});
