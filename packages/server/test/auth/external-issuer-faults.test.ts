// Faults of an external issuer, by accident or on purpose (JWT-23, 55, 64): the known keys stay in use, no request
// waits forever, and no invalid token is accepted.

import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { heapUsed } from '../support/heap-used.ts';
import { type Answer, discoveryPath, keysPath, makeKey, sendJson, startLoopbackIssuer } from './loopback-issuer.ts';
import { openIssuer } from './open-issuer.ts';

/** Long enough for two good answers on a busy machine. */
const deadlineMs = 1_000;

const bomb = gzipSync(Buffer.alloc(64_000_000, ' '));

const faults: Record<string, Answer> = {
  'an end of the connection': (request) => request.socket.destroy(),
  'a 500': (_, response) => response.writeHead(500).end('out of order'),
  'a 404': (_, response) => response.writeHead(404).end(),
  'no answer at all': () => undefined,
  'a body that drips': (_, response) => drip(response),
  'an endless body': (_, response) => flood(response),
  'a small body that becomes a large one': (_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
  'an answer that breaks off': (_, response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{"keys":[', () => response.destroy());
  },
  'text that is no JSON': (_, response) => response.writeHead(200).end('<html>Sign in</html>'),
  'JSON of another shape': (_, response) => sendJson(response, [['keys']]),
  'no UTF-8': (_, response) => response.writeHead(200).end(Buffer.from('{"keys":"\xff"}', 'latin1')),
  'JSON that is too deep': (_, response) => response.writeHead(200).end('['.repeat(500_000)),
};

type Response = Parameters<Answer>[1];

function drip(response: Response): void {
  response.writeHead(200);
  const timer = setInterval(() => response.write(' '), 10);
  response.on('close', () => clearInterval(timer));
}

function flood(response: Response): void {
  response.writeHead(200);
  const chunk = Buffer.alloc(65_536, ' ');
  const write = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', write);
  write();
}

afterEach(() => vi.useRealTimers());

describe.each(Object.entries(faults))('%s', (_name, fault) => {
  test.each(['*', keysPath])('from the beginning rejects every token (%s)', async (path) => {
    const { key, sign, judge, observations } = await openIssuer({
      deadlineMs,
      prepare: (issuer) => issuer.faults.set(path, fault),
    });
    expect(await judge(await sign(key))).toBe('issuerAway');
    expect(await judge(await sign(await makeKey('first', 'ES256')))).toBe('issuerAway');
    expect(observations.map(({ kind }) => kind)).toEqual(['issuer.unreachable']);
  });

  test('later on leaves the known keys in use, however long it lasts', async () => {
    const { issuer, key, keys, sign, judge, clock } = await openIssuer({ deadlineMs });
    issuer.faults.set('*', fault);
    await keys.refresh();
    expect(await judge(await sign(key))).toBe('accepted');
    clock.advance(90 * 86_400_000);
    expect(await judge(await sign(key))).toBe('accepted');
    expect(await judge(await sign(await makeKey('first', 'ES256')))).toBe('unauthorized');
    expect(await judge(await sign(await makeKey('second', 'ES256')))).toBe('unauthorized');
  });

  test('is over when it is over', async () => {
    const { issuer, key, sign, judge, clock, observations } = await openIssuer({
      deadlineMs,
      prepare: ({ faults }) => faults.set('*', fault),
    });
    issuer.faults.clear();
    clock.advance(5_000);
    expect(await judge(await sign(key))).toBe('accepted');
    expect(observations.map(({ kind }) => kind)).toEqual(['issuer.unreachable', 'issuer.keysLoaded']);
  });
});

test('a body that drips is over at the deadline, whatever the collector has cleared away by then', async () => {
  const { issuer, keys, observations } = await openIssuer({ deadlineMs });
  issuer.faults.set('*', (_, response) => drip(response));
  const collecting = setInterval(heapUsed, 20);
  onTestFinished(() => clearInterval(collecting));
  await keys.refresh();
  expect(observations.at(-1)).toMatchObject({ kind: 'issuer.unreachable', reason: expect.stringContaining('1000 ms') });
});

test('no more than a megabyte or so of an endless body is taken', async () => {
  let sent = 0;
  const { issuer, keys } = await openIssuer({ deadlineMs: 20_000 });
  issuer.faults.set(keysPath, (_, response) => {
    flood(response);
    response.on('close', () => {
      sent = response.socket?.bytesWritten ?? Number.NaN;
    });
  });
  await keys.refresh();
  await vi.waitFor(() => expect(sent).toBeGreaterThan(1_048_576));
  // What the two sockets hold comes on top.
  expect(sent).toBeLessThan(32_000_000);
});

test('a redirect is not followed, neither for the metadata nor for the keys', async () => {
  const elsewhere = await startLoopbackIssuer();
  onTestFinished(() => elsewhere.stop());
  const { issuer, key, keys, sign, judge, observations } = await openIssuer();
  const stolen = await elsewhere.addKey('first');
  elsewhere.metadata = { issuer: issuer.url };
  for (const status of [301, 302, 303, 307, 308])
    for (const path of [discoveryPath, keysPath]) {
      issuer.faults.clear();
      issuer.faults.set(path, (_, response) =>
        response.writeHead(status, { location: `${elsewhere.url}${path}` }).end(),
      );
      await keys.refresh();
    }
  expect(elsewhere.asked).toEqual([]);
  expect(await judge(await sign(stolen))).toBe('unauthorized');
  expect(await judge(await sign(key))).toBe('accepted');
  expect(observations.filter(({ kind }) => kind === 'issuer.unreachable')).toHaveLength(10);
});

test('an error is not believed, even if it comes with keys', async () => {
  const { issuer, keys, sign, judge } = await openIssuer();
  const planted = await makeKey('planted', 'ES256');
  issuer.faults.set(keysPath, (_, response) => {
    response.statusCode = 500;
    response.end(JSON.stringify({ keys: [planted.publicJwk] }));
  });
  await keys.refresh();
  expect(await judge(await sign(planted))).toBe('unauthorized');
});

test('a problem is reported once, with its URL', async () => {
  const { issuer, keys, observations } = await openIssuer({ deadlineMs: 2_000 });
  const reasons: Record<string, string> = {};
  for (const name of ['no answer at all', 'a 500', 'text that is no JSON', 'an endless body']) {
    issuer.faults.set(discoveryPath, faults[name]!);
    await keys.refresh();
    const { reason } = observations.at(-1) as { reason: string };
    reasons[name] = reason.replaceAll(issuer.url, '');
  }
  const fallback = '/.well-known/oauth-authorization-server responded with status 404.';
  expect(reasons).toEqual({
    'no answer at all': `${discoveryPath} did not respond within 2000 ms.`,
    'a 500': `${discoveryPath} responded with status 500. ${fallback}`,
    'text that is no JSON': `${discoveryPath} sent a response that is not JSON. ${fallback}`,
    'an endless body': `${discoveryPath} responded with more than 1048576 bytes. ${fallback}`,
  });
});

describe('how often the issuer is asked', () => {
  test('100 tokens with made-up key ids cost one fetch, and one more after 30 s', async () => {
    const { key, sign, judge, keyFetches, clock } = await openIssuer();
    const flood = async () => {
      const tokens = await Promise.all(
        Array.from({ length: 100 }, (_, index) => sign({ ...key, kid: `kid-${index}` })),
      );
      for (const token of tokens.slice(0, 50)) expect(await judge(token)).toBe('unauthorized');
      const verdicts = await Promise.all(tokens.slice(50).map(judge));
      expect(new Set(verdicts)).toEqual(new Set(['unauthorized']));
    };
    expect(keyFetches()).toBe(1);
    await flood();
    expect(keyFetches()).toBe(2);
    clock.advance(29_999);
    await flood();
    expect(keyFetches()).toBe(2);
    clock.advance(1);
    await flood();
    expect(keyFetches()).toBe(3);
    expect(await judge(await sign(key))).toBe('accepted');
  });

  test('many requests at once share one fetch', async () => {
    const { issuer, sign, judge, keyFetches } = await openIssuer();
    const second = await issuer.addKey('second');
    const tokens = await Promise.all(Array.from({ length: 50 }, (_, at) => sign(second, { claims: { jti: `${at}` } })));
    expect(new Set(await Promise.all(tokens.map(judge)))).toEqual(new Set(['accepted']));
    expect(keyFetches()).toBe(2);
  });

  test('while no keys are known, it is every 5 s, and no request waits in between', async () => {
    const { issuer, key, sign, judge, clock } = await openIssuer({
      deadlineMs,
      prepare: ({ faults }) => faults.set('*', () => undefined),
    });
    const token = await sign(key);
    const askedAtStart = issuer.asked.length;
    for (let request = 0; request < 20; request++) expect(await judge(token)).toBe('issuerAway');
    expect(issuer.asked).toHaveLength(askedAtStart);
    clock.advance(5_000);
    expect(new Set(await Promise.all(Array.from({ length: 20 }, () => judge(token))))).toEqual(new Set(['issuerAway']));
    expect(issuer.asked).toHaveLength(askedAtStart + 1);
  });

  test('a request waits for one fetch at most, however slow the issuer', async () => {
    const { issuer, key, sign, judge, clock } = await openIssuer({ deadlineMs });
    issuer.faults.set('*', () => undefined);
    clock.advance(60_000);
    const asked = issuer.asked.length;
    expect(await judge(await sign({ ...key, kid: 'new' }))).toBe('unauthorized');
    expect(await judge(await sign({ ...key, kid: 'newer' }))).toBe('unauthorized');
    expect(issuer.asked).toHaveLength(asked + 1);
  });

  test('a known key costs nothing, whatever else the token says', async () => {
    const elsewhere = await startLoopbackIssuer();
    onTestFinished(() => elsewhere.stop());
    const { issuer, key, sign, judge } = await openIssuer();
    const stranger = await elsewhere.addKey('first');
    const header = { jku: `${elsewhere.url}/keys`, x5u: `${elsewhere.url}/x`, jwk: stranger.publicJwk };
    const asked = issuer.asked.length;
    expect(await judge(await sign(stranger, { header }))).toBe('unauthorized');
    expect(await judge(await sign(key, { claims: { iss: elsewhere.url } }))).toBe('unauthorized');
    expect([issuer.asked.length, elsewhere.asked.length]).toEqual([asked, 0]);
  });

  test.each([-86_400_000, 86_400_000])('a clock that steps by %i ms neither delays nor hastens it', async (step) => {
    const { issuer, key, sign, judge, clock } = await openIssuer();
    expect(await judge(await sign({ ...key, kid: 'made-up' }))).toBe('unauthorized');
    clock.step(step);
    const second = await issuer.addKey('second');
    expect(await judge(await sign(second))).toBe('unauthorized');
    clock.advance(30_000);
    expect(await judge(await sign(second))).toBe('accepted');
  });

  test('it is asked every 10 minutes without being needed, and silent while nothing changes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { issuer, keys, keyFetches, observations } = await openIssuer();
    vi.advanceTimersByTime(10 * 60_000);
    await vi.waitFor(() => expect(keyFetches()).toBe(2));
    await keys.refresh();
    await issuer.addKey('second');
    vi.advanceTimersByTime(10 * 60_000);
    await vi.waitFor(() => expect(observations).toHaveLength(2));
    expect(observations).toEqual([
      { kind: 'issuer.keysLoaded', issuer: issuer.url, keys: 1 },
      { kind: 'issuer.keysLoaded', issuer: issuer.url, keys: 2 },
    ]);
  });
});

describe('keys that come and go', () => {
  test('a new key is taken after one fetch, and the old one stays as long as it is listed', async () => {
    const { issuer, key, sign, judge, keyFetches } = await openIssuer();
    const second = await issuer.addKey('second', 'RS256');
    expect(await judge(await sign(second))).toBe('accepted');
    expect(await judge(await sign(key))).toBe('accepted');
    expect(keyFetches()).toBe(2);
  });

  test('a key that is not listed any more is not trusted any more, for tokens that were accepted as well', async () => {
    const { issuer, key, external, keys, sign, judge } = await openIssuer();
    const token = await sign(key);
    const verified = await external.verify(token);
    issuer.listed = [];
    await issuer.addKey('second');
    await keys.refresh();
    expect(external.isTrusted(verified)).toBe(false);
    expect(await judge(token)).toBe('unauthorized');
  });

  test('an id that comes to mean another key brings no trust with it', async () => {
    const { issuer, key, external, keys, sign, judge } = await openIssuer();
    const verified = await external.verify(await sign(key));
    issuer.listed = [];
    const other = await issuer.addKey(key.kid);
    await keys.refresh();
    expect(external.isTrusted(verified)).toBe(false);
    expect(await judge(await sign(key))).toBe('unauthorized');
    expect(await judge(await sign(other))).toBe('accepted');
  });

  test('an issuer that lists nothing is trusted for nothing', async () => {
    const { issuer, key, external, keys, sign, judge, observations } = await openIssuer();
    const verified = await external.verify(await sign(key));
    issuer.listed = [];
    await keys.refresh();
    expect(external.isTrusted(verified)).toBe(false);
    expect(await judge(await sign(key))).toBe('issuerAway');
    expect(observations.at(-1)).toEqual({
      kind: 'issuer.unreachable',
      issuer: issuer.url,
      reason: `${issuer.url} lists no key that can be used.`,
    });
  });
});

test('a stop does not wait for an issuer that does not respond', async () => {
  const { issuer, keys } = await openIssuer({ deadlineMs: 60_000 });
  issuer.faults.set('*', () => undefined);
  const refreshed = keys.refresh();
  await vi.waitFor(() => expect(issuer.asked).toHaveLength(3));
  await keys.stop();
  await refreshed;
});
