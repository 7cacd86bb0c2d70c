// How often tokens may be asked for. The clock is held, so that buckets are refilled when a test says so and not
// before.

import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useTestDatabase } from '../support/test-database.ts';
import { askJson, expectRefused, expectToken, type Parameters, parametersOf, type TokenAnswer } from './ask-token.ts';
import { holdClock } from './held-clock.ts';
import { openBeside, type ServiceBeside, startBeside } from './service-beside.ts';

const database = useTestDatabase();
const perMinute = 60;
const wrongPerMinute = 15;
const limit = { FLAGHOIST_TOKEN_REQUESTS_PER_MINUTE: String(perMinute) };
const proxy = { FLAGHOIST_TRUSTED_PROXIES: '127.0.0.1' };
const wrong = parametersOf({ client_secret: 'wrong' });

const clock = holdClock();
let service: ServiceBeside;
let behindProxy: ServiceBeside;
beforeAll(async () => {
  service = await openBeside(database, limit, clock);
  behindProxy = await openBeside(database, { ...limit, ...proxy }, clock);
});
afterAll(async () => {
  await service?.stop();
  await behindProxy?.stop();
});
// All buckets are full again.
beforeEach(() => clock.advance(3_600_000));

/** As if the request came from there, over a proxy that is trusted. */
function askFrom(address: string, parameters: Parameters): Promise<TokenAnswer> {
  return askJson(behindProxy.localUrl, parameters, { 'x-forwarded-for': address });
}

describe('wrong secrets', () => {
  test('TOK-34 are throttled, and the right one goes on working from elsewhere', async () => {
    const statuses = await repeat(20, () => askFrom('203.0.113.7', wrong));
    expect(statuses).toEqual([...Array(wrongPerMinute).fill(401), ...Array(5).fill(429)]);
    const refused = await askFrom('203.0.113.7', parametersOf());
    expectRefused(refused, 429, 'too_many_requests');
    expect(refused.headers.get('retry-after')).toBe('4');
    expectToken(await askFrom('203.0.113.8', parametersOf()));
  });

  test('TOK-34 the right secret works again from the same address when the time is over', async () => {
    await repeat(20, () => askFrom('203.0.113.7', wrong));
    clock.advance(3_900);
    expectRefused(await askFrom('203.0.113.7', parametersOf()), 429, 'too_many_requests');
    clock.advance(100);
    expectToken(await askFrom('203.0.113.7', parametersOf()));
  });

  test.each([-3_600_000, 3_600_000])(
    'are throttled for the same time although the clock steps by %i ms',
    async (step) => {
      await repeat(20, () => askFrom('203.0.113.7', wrong));
      clock.step(step);
      expectRefused(await askFrom('203.0.113.7', parametersOf()), 429, 'too_many_requests');
      clock.advance(4_000);
      expectToken(await askFrom('203.0.113.7', parametersOf()));
      clock.step(-step);
    },
  );

  test('TOK-34 from 30 places do not lock the client out', async () => {
    for (let place = 1; place <= 30; place += 1)
      expect(await repeat(3, () => askFrom(`198.51.100.${place}`, wrong))).toEqual([401, 401, 401]);
    expectToken(await askFrom('203.0.113.8', parametersOf()));
  });

  test('of one client do not hold up another one at the same address', async () => {
    await repeat(20, () => askFrom('203.0.113.7', parametersOf({ client_id: 'nobody' })));
    expectToken(await askFrom('203.0.113.7', parametersOf()));
  });

  test.skipIf(process.platform !== 'linux')('TOK-34 from one real address do not hold up another', async () => {
    const from = (localAddress: string, parameters: object) => statusFrom(service.localUrl, localAddress, parameters);
    const statuses = await repeat(20, async () => ({ status: await from('127.0.0.2', wrong) }));
    expect(statuses).toEqual([...Array(wrongPerMinute).fill(401), ...Array(5).fill(429)]);
    expect(await from('127.0.0.2', parametersOf())).toBe(429);
    expect(await from('127.0.0.3', parametersOf())).toBe(200);
  });
});

describe('an address', () => {
  // 1,000 ids, and 100 places: token-throttle.long.test.ts.
  test('TOK-35 that tries 100 ids gets 429', async () => {
    const statuses = await repeat(100, (index) =>
      askJson(service.localUrl, parametersOf({ client_id: `guess-${index}` })),
    );
    expect(statuses).toEqual([...Array(perMinute).fill(401), ...Array(100 - perMinute).fill(429)]);
  });

  test('that sends nothing sensible gets 429 as well', async () => {
    const statuses = await repeat(perMinute + 1, () => askJson(service.localUrl, '{'));
    expect(statuses).toEqual([...Array(perMinute).fill(400), 429]);
  });

  test.each(['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'X-Client-IP', 'CF-Connecting-IP', 'True-Client-IP'])(
    'TOK-37 cannot pass for others by %s',
    async (header) => {
      const statuses = await repeat(perMinute + 1, (index) => {
        const address = `203.0.113.${index}`;
        return askJson(service.localUrl, wrong, { [header]: header === 'Forwarded' ? `for=${address}` : address });
      });
      expect(statuses.at(-1)).toBe(429);
      expect(statuses.filter((status) => status === 401)).toHaveLength(wrongPerMinute);
    },
  );

  test('TOK-37 cannot pretend to be another address by what it puts before the header of a proxy', async () => {
    const statuses = await repeat(20, (index) => askFrom(`192.0.2.${index}, 203.0.113.7`, wrong));
    expect(statuses).toEqual([...Array(wrongPerMinute).fill(401), ...Array(5).fill(429)]);
  });

  test('of IPv6 is a whole network: a host with one address has all of them', async () => {
    const statuses = await repeat(20, (index) => askFrom(`2001:db8:1:2:${index.toString(16)}::1`, wrong));
    expect(statuses).toEqual([...Array(wrongPerMinute).fill(401), ...Array(5).fill(429)]);
    expectToken(await askFrom('2001:db8:1:3::1', parametersOf()));
  });

  test('of IPv4 is the same in the clothes of IPv6', async () => {
    await repeat(15, () => askFrom('203.0.113.7', wrong));
    expectRefused(await askFrom('::ffff:203.0.113.7', wrong), 429, 'too_many_requests');
  });

  test.each(['nonsense', '', ',,,', '999.1.1.1', '::', 'fe80::1%eth0', '1.2.3.4:80', '\u00ff', 'x'.repeat(5_000)])(
    'that makes no sense breaks nothing: %s',
    async (address) => {
      expectToken(await askFrom(address, parametersOf()));
    },
  );
});

describe('a client', () => {
  test('gets as many tokens as are allowed, wherever it asks', async () => {
    const statuses = await repeat(perMinute + 5, (index) => askFrom(`198.51.100.${index}`, parametersOf()));
    expect(statuses).toEqual([...Array(perMinute).fill(200), ...Array(5).fill(429)]);
    clock.advance(1_000);
    expectToken(await askFrom('203.0.113.8', parametersOf()));
  });

  test('that returns exactly at the stated time gets its token, however often it came too early', async () => {
    const strict = await startBeside(database, { FLAGHOIST_TOKEN_REQUESTS_PER_MINUTE: '6' }, clock);
    const askOnce = () => askJson(strict.localUrl, parametersOf());
    expect(await repeat(6, askOnce)).toEqual(Array(6).fill(200));
    for (let left = 10; left > 0; left -= 1) {
      const wait = Number((await askOnce()).headers.get('retry-after'));
      expect([left, left + 1]).toContain(wait);
      clock.advance(1_000);
    }
    expectToken(await askOnce());
  });
});

test('without a limit there is none', async () => {
  const unlimited = await startBeside(database, { FLAGHOIST_TOKEN_REQUESTS_PER_MINUTE: '0' }, clock);
  const statuses = await repeat(200, () => askJson(unlimited.localUrl, wrong));
  expect(new Set(statuses)).toEqual(new Set([401]));
});

async function repeat(times: number, ask: (index: number) => Promise<{ status: number }>): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < times; index += 1) statuses.push((await ask(index)).status);
  return statuses;
}

function statusFrom(url: string, localAddress: string, parameters: object): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const sent = request(`${url}/oauth/token`, { method: 'POST', localAddress, headers, agent: false }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode!));
    });
    sent.on('error', reject);
    sent.end(JSON.stringify(parameters));
  });
}
