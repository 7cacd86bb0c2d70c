// How often a sign-in to the console may fail. The clock is held, so that limits end when a test says so.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { administrator } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { type Answer, useTestService } from '../support/test-service.ts';
import { askJson, parametersOf } from './ask-token.ts';
import { useBrowsers } from './console-browser.ts';
import { holdClock } from './held-clock.ts';
import { openBeside, type ServiceBeside } from './service-beside.ts';

const [perMinute, failuresPerMinute] = [60, 15];
const service = useTestService();
const browsers = useBrowsers(service);
const clock = holdClock();
let limited: ServiceBeside;
beforeAll(async () => {
  const settings = { FLAGHOIST_TOKEN_REQUESTS_PER_MINUTE: String(perMinute), FLAGHOIST_TRUSTED_PROXIES: '127.0.0.1' };
  limited = await openBeside(service.database, settings, clock);
});
afterAll(() => limited?.stop());
// All limits are over.
beforeEach(() => clock.advance(3_600_000));

const { clientId, clientSecret } = administrator;
const wrong = { clientId, clientSecret: 'wrong' };

function signInFrom(address: string, body: object): Promise<Answer> {
  return browsers.open(() => limited.localUrl).signIn(body, { 'x-forwarded-for': address });
}

async function renewFrom(address: string, cookie: string): Promise<Answer> {
  const headers = { 'x-forwarded-for': address, cookie: `flaghoist-console=${cookie}` };
  return browsers.open(() => limited.localUrl).send('POST', '/console/session/renewal', undefined, headers);
}

async function repeat(times: number, ask: (index: number) => Promise<{ status: number }>): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < times; index += 1) statuses.push((await ask(index)).status);
  return statuses;
}

describe('wrong secrets', () => {
  test('are throttled for their address, and the right one works from elsewhere', async () => {
    const statuses = await repeat(20, () => signInFrom('203.0.113.7', wrong));
    expect(statuses).toEqual([...Array(failuresPerMinute).fill(401), ...Array(5).fill(429)]);
    const refused = await signInFrom('203.0.113.7', administrator);
    expectErrorBody(refused, 429);
    expect(refused.headers.get('retry-after')).toBe('4');
    expect((await signInFrom('203.0.113.8', administrator)).status).toBe(200);
    clock.advance(4_000);
    expect((await signInFrom('203.0.113.7', administrator)).status).toBe(200);
  });

  test('count together with those at the token endpoint: the console gives no further guesses', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    const parameters = parametersOf({ client_secret: 'wrong' });
    expect(await repeat(10, () => askJson(limited.localUrl, parameters, headers))).toEqual(Array(10).fill(401));
    const statuses = await repeat(10, () => signInFrom('203.0.113.7', wrong));
    expect(statuses).toEqual([...Array(5).fill(401), ...Array(5).fill(429)]);
    expect((await askJson(limited.localUrl, parametersOf(), headers)).status).toBe(429);
  });

  test('of many ids are throttled as well, and so is nonsense', async () => {
    const guess = (index: number) => signInFrom('203.0.113.7', { clientId: `guess-${index}`, clientSecret });
    expect((await repeat(perMinute + 5, guess)).slice(perMinute)).toEqual(Array(5).fill(429));
    clock.advance(60_000);
    const nonsense = await repeat(perMinute + 1, () => signInFrom('203.0.113.7', {}));
    expect(nonsense).toEqual([...Array(perMinute).fill(400), 429]);
  });
});

test('a client signs in as often as it gets tokens, wherever it does', async () => {
  const statuses = await repeat(perMinute + 2, (index) => signInFrom(`198.51.100.${index}`, administrator));
  expect(statuses).toEqual([...Array(perMinute).fill(200), 429, 429]);
});

test('wrong cookies are throttled for their address, and renewals elsewhere go on', async () => {
  const browser = await browsers.signedIn();
  const cookieOf = (index: number) => `fhc_${String(index).padStart(22, '0')}.${'A'.repeat(43)}`;
  const statuses = await repeat(20, (index) => renewFrom('203.0.113.7', cookieOf(index)));
  expect(statuses).toEqual([...Array(failuresPerMinute).fill(401), ...Array(5).fill(429)]);
  expect((await renewFrom('203.0.113.7', browser.cookie!)).status).toBe(429);
  const many = await repeat(perMinute * 2, () => renewFrom('203.0.113.8', browser.cookie!));
  expect(new Set(many)).toEqual(new Set([200]));
});
