// The limits of the token endpoint under many ids and addresses, and their memory. The clock is held. The rules are in
// token-throttle.test.ts.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTokenThrottle } from '../../src/auth/token-endpoint/token-throttle.ts';
import { heapUsed } from '../support/heap-used.ts';
import { useTestDatabase } from '../support/test-database.ts';
import { askJson, expectToken, type Parameters, parametersOf } from './ask-token.ts';
import { holdClock } from './held-clock.ts';
import { openBeside, type ServiceBeside } from './service-beside.ts';

const database = useTestDatabase();
const perMinute = 60;
const clock = holdClock();
let service: ServiceBeside;
beforeAll(async () => {
  const limit = { FLAGHOIST_TOKEN_REQUESTS_PER_MINUTE: String(perMinute) };
  service = await openBeside(database, { ...limit, FLAGHOIST_TRUSTED_PROXIES: '127.0.0.1' }, clock);
});
afterAll(() => service?.stop());
// All buckets are full again.
beforeEach(() => clock.advance(3_600_000));

const ask = (address: string, parameters: Parameters) =>
  askJson(service.localUrl, parameters, { 'x-forwarded-for': address });

test('TOK-34 wrong secrets from 100 places do not lock the client out', async () => {
  for (let place = 1; place <= 100; place += 1)
    for (let time = 0; time < 3; time += 1) {
      const { status } = await ask(`198.51.100.${place}`, parametersOf({ client_secret: 'wrong' }));
      expect(status).toBe(401);
    }
  expectToken(await ask('203.0.113.8', parametersOf()));
});

test('TOK-35 an address that tries 1,000 ids gets 429', async () => {
  const statuses: number[] = [];
  for (let index = 0; index < 1_000; index += 1)
    statuses.push((await ask('203.0.113.7', parametersOf({ client_id: `guess-${index}` }))).status);
  expect(statuses).toEqual([...Array(perMinute).fill(401), ...Array(1_000 - perMinute).fill(429)]);
});

describe('TOK-35 the memory of the limits', () => {
  const megabyte = 1_048_576;

  test('is bounded: 100,000 addresses, each with an id of its own, stay below 10 MB', () => {
    const throttle = createTokenThrottle(perMinute, clock);
    const before = heapUsed();
    for (let index = 0; index < 100_000; index += 1) {
      const address = `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
      throttle.countRequest(address);
      throttle.checkFailures(address, `client-${index}`);
      throttle.countFailure(address, `client-${index}`);
    }
    expect((heapUsed() - before) / megabyte).toBeLessThan(10);
    throttle.countToken('still used');
  });

  test('does not keep the requests: ids of 60 kB cost no more than short ones', () => {
    const throttle = createTokenThrottle(perMinute, clock);
    const before = heapUsed();
    for (let index = 0; index < 2_000; index += 1) {
      const body = Buffer.alloc(60_000, `${index} `).toString('latin1');
      throttle.countFailure(`10.0.${index >> 8}.${index & 255}`, body.slice(2));
    }
    expect((heapUsed() - before) / megabyte).toBeLessThan(5);
    throttle.countToken('still used');
  });
});
