// Tokens that our own key has signed, with invalid claims. Rows have their ids in the list of hostile inputs.

import { beforeAll, describe, expect, test } from 'vitest';
import { describeUnharmed } from '../hostile/unharmed.ts';
import { administrator, createClient, fetchToken, testAudience } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import type { Claims } from './forge-token.ts';
import { holdClock } from './held-clock.ts';
import { labelled } from './labelled.ts';
import { startBeside } from './service-beside.ts';
import { expectBadToken, useTokenTarget } from './token-target.ts';

const target = useTokenTarget();
const { service, forge } = target;
const nowSeconds = Math.floor(Date.now() / 1000);
const lifetimeMax = 2_592_000;

test('a token with nothing wrong in it is taken', async () => {
  expect((await target.ask(withClaims({}))).status).toBe(200);
});

describe('the key id', () => {
  const ids = [
    ...[
      'unknown',
      '',
      ' ',
      'k'.repeat(10_240),
      '../../../dev/null',
      '/dev/null',
      '__proto__',
      'constructor',
      'toString',
    ],
    ...["x' UNION SELECT '1';--", '|sleep 10', '`id`', '$(sleep 10)', '; sleep 10', '%00', '\u0000'],
    ...[undefined, null, 0, 1, true, [], {}],
  ];
  test.each(labelled(ids))('JWT-23, JWT-25, JWT-26 %s', async (_, kid) => {
    const startedAt = performance.now();
    await target.expectRejected(withHeader({ kid }));
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  test('JWT-23 in a list, or with something before or behind it', async () => {
    const { kid } = forge();
    for (const spelling of [[kid], { kid }, `${kid} `, ` ${kid}`, kid.toUpperCase(), kid.slice(1), `${kid}\u0000`])
      await target.expectRejected(withHeader({ kid: spelling }));
  });
});

describe('the header', () => {
  test.each(
    labelled([undefined, null, '', 'JWT', 'jwt', 'id+jwt', 'logout+jwt', 'dpop+jwt', 'at+jwt ', 1, ['at+jwt']]),
  )('JWT-39 of the type %s', async (_, typ) => target.expectRejected(withHeader({ typ })));

  test.each(labelled([['foo'], [], ['exp'], ['b64'], ['kid'], null, 'exp', {}, 1]))(
    'JWT-40 with %s for critical',
    async (_, crit) => {
      await target.expectRejected(withHeader({ crit }));
      await target.expectRejected(withHeader({ crit, b64: false, foo: 1, exp: 1 }));
    },
  );
});

describe('the time', () => {
  test('JWT-07 that has passed gives this error', async () => {
    for (const seconds of [0, 1, 30, 3_000]) {
      const answer = await target.ask(withClaims({ iat: nowSeconds - 3_600, exp: nowSeconds - seconds }));
      expect(expectErrorBody(answer, 401)).toMatchObject({ statusText: 'Unauthorized', message: 'Token expired.' });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="flaghoist", error="invalid_token"');
    }
  });

  test('JWT-07 that has passed gives the same error for a token that was accepted before', async () => {
    const clock = holdClock();
    const beside = await startBeside(service.database, { FLAGHOIST_TOKEN_LIFETIME_SECONDS: '60' }, clock);
    const token = await fetchToken(beside.localUrl, administrator);
    const ask = async () => {
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetch(`${beside.localUrl}/ws/rest/Voyage`, { headers });
      return { status: response.status, headers: response.headers, text: await response.text() };
    };
    expect((await ask()).status).toBe(200);
    // `exp` is rounded up to the second.
    clock.advance(61_000);
    for (let times = 0; times < 2; times += 1) expect(expectErrorBody(await ask(), 401).message).toBe('Token expired.');
    clock.advance(-61_000);
    expect((await ask()).status).toBe(200);
  });

  test('JWT-07 that has passed is reported only for valid tokens: the other claims are checked first', async () => {
    const over = { iat: nowSeconds - 3_600, exp: nowSeconds - 60 };
    await target.expectRejected(withClaims({ ...over, aud: 'https://other.example' }));
    await target.expectRejected(withClaims({ ...over, iss: 'https://other.example' }));
    const token = withClaims(over);
    await target.expectRejected(`${token.slice(0, -4)}AAAA`);
  });

  test.each(labelled([undefined, null, '9999999999', 'x', -1, true, [], {}, [nowSeconds + 60], nowSeconds + 0.5]))(
    'JWT-28 with exp %s',
    async (_, exp) => target.expectRejected(withClaims({ exp })),
  );

  test.each(['1e308', '1e10', '9999999999.0', '1E9', '-0', '99999999999999999999', 'NaN', 'Infinity', '0x7fffffff'])(
    'JWT-29 with exp written as %s',
    async (exp) => target.expectRejected(withRawClaim('exp', exp)),
  );

  test('JWT-29 with a lifetime that is too long, none, or less than none', async () => {
    for (const exp of [nowSeconds + lifetimeMax + 60, 9_999_999_999, nowSeconds, nowSeconds - 60, 0])
      await target.expectRejected(withClaims({ iat: nowSeconds, exp }));
    expect((await target.ask(withClaims({ iat: nowSeconds, exp: nowSeconds + lifetimeMax }))).status).toBe(200);
  });

  test.each(labelled([nowSeconds + 3_600, String(nowSeconds), null, true, 'x', -1, [0], 0.5]))(
    'JWT-31 with nbf %s',
    async (_, nbf) => target.expectRejected(withClaims({ nbf })),
  );

  test.each(labelled([undefined, null, String(nowSeconds), nowSeconds + 1_800, 'x', true, -1, 1.5, {}]))(
    'JWT-32, JWT-33 with iat %s',
    async (_, iat) => target.expectRejected(withClaims({ iat })),
  );
});

describe('who it is for and from', () => {
  const audiences = [
    ...[undefined, null, '', [], {}, { x: 1 }, 1, [[testAudience]], [testAudience, 1], [null], { 0: testAudience }],
    ...['https://flaghoist', `${testAudience}/`, testAudience.toUpperCase(), testAudience.slice(0, -1)],
    ...[`${testAudience}.evil.example`, ` ${testAudience}`, `${testAudience} x`, ['https://flaghoist'], '*'],
  ];
  test.each(labelled(audiences))('JWT-34, JWT-35, JWT-38 the audience %s', async (_, aud) => {
    await target.expectRejected(withClaims({ aud }));
  });

  const issuers: (url: string) => unknown[] = (url) => [
    ...[undefined, null, '', [url], { url }, 1, 'https://other.example', `${url}/`, `${url} `, url.toUpperCase()],
    ...[url.replace('http:', 'https:'), url.slice(0, -1), `${url}@evil.example`, `${url}#x`, `${url}?x`],
    ...[url.replace('127.0.0.1', 'localhost'), url.replace('//', '//evil@')],
  ];
  test('JWT-37 an issuer that is not exactly ours', async () => {
    for (const iss of issuers(service.url())) await target.expectRejected(withClaims({ iss }));
  });

  const names = [
    ...[undefined, null, '', 5, {}, [], [administrator.clientId], true, 'x'.repeat(256), 'nobody'],
    ...["' OR 1=1--", '__proto__', 'constructor', 'toString', `${administrator.clientId} `, '\u0000'],
  ];
  test.each(labelled(names))('JWT-44, JWT-46 the client %s', async (_, name) => {
    await target.expectRejected(withClaims({ sub: name, client_id: name }));
    await target.expectRejected(withClaims({ sub: name }));
    await target.expectRejected(withClaims({ client_id: name }));
  });

  test('a client that is not its subject', async () => {
    const other = await createClient(service, ['read']);
    await target.expectRejected(withClaims({ client_id: other.clientId }));
    await target.expectRejected(withClaims({ sub: other.clientId }));
  });

  test.each(labelled([undefined, null, 0, -1, 1.5, 1, '1', [], {}]))(
    'the key of another client: %s',
    async (_, key) => {
      await target.expectRejected(withClaims({ client_key: key }));
    },
  );

  test.each(labelled([undefined, null, 1, [], {}]))('no id of its own: %s', async (_, jti) => {
    await target.expectRejected(withClaims({ jti }));
  });
});

describe('a token of the console', () => {
  let userKey: number;
  let clientKey: number;
  beforeAll(async () => {
    ({ userKey, key: clientKey } = await createClient(service, ['write']));
  });
  const ofUser = (change: Claims = {}) =>
    withClaims({ sub: 'somebody', client_id: 'console', client_key: undefined, user_key: userKey, ...change });

  test('with nothing wrong in it is taken', async () => {
    expect((await target.ask(ofUser())).status).toBe(200);
  });

  test.each(labelled([null, 0, -1, 1.5, '1', 999_999_999, 2 ** 53, true, [], {}, '']))(
    'for the user %s',
    async (_, key) => target.expectRejected(ofUser({ user_key: key })),
  );

  test.each(labelled([undefined, null, '', 'Console', 'console ', administrator.clientId, 1, ['console']]))(
    'for the client %s',
    async (_, clientId) => target.expectRejected(ofUser({ client_id: clientId })),
  );

  test('that names a client as well, or a client as its user', async () => {
    await target.expectRejected(ofUser({ client_key: clientKey }));
    await target.expectRejected(ofUser({ client_key: null }));
    await target.expectRejected(ofUser({ user_key: clientKey }));
    await target.expectRejected(withClaims({ user_key: userKey }));
  });

  test('is not that of an ApiClient with the id console, nor the other way round', async () => {
    const { body } = await service.post('/ws/rest/ApiClient', { clientId: 'console', user: userKey, scopes: ['read'] });
    service.secrets.plant('the secret of the client console', body.clientSecret);
    const own = { sub: 'console', client_id: 'console' };
    expect((await target.ask(withClaims({ ...own, client_key: body.key }))).status).toBe(200);
    await target.expectRejected(withClaims({ ...own, client_key: undefined }));
    await target.expectRejected(withClaims({ ...own, client_key: body.key, user_key: userKey }));
    const admin = (await service.get('/ws/rest/ApiUser?filter=userCode(EQ)admin')).body[0];
    expectLacking(
      await service.post('/ws/rest/Port', {}, bearer(withClaims({ ...own, client_key: body.key }))),
      'write',
    );
    expect((await service.get('/ws/rest/ApiUser', bearer(ofUser({ user_key: admin.key })))).status).toBe(200);
  });

  test('has no scope that its user does not have', async () => {
    expectLacking(await service.get('/ws/rest/ApiUser', bearer(ofUser({ scope: 'admin' }))), 'admin');
    expectLacking(await service.post('/ws/rest/Port', {}, bearer(ofUser({ scope: 'read' }))), 'write');
  });
});

function expectLacking(answer: Awaited<ReturnType<typeof target.ask>>, scope: string): void {
  expect(expectErrorBody(answer, 403).message).toContain(`lacks the scope ${scope}`);
  expect(answer.headers.get('www-authenticate')).toBe(
    `Bearer realm="flaghoist", error="insufficient_scope", scope="${scope}"`,
  );
}

function bearer(token: string): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}

describe('scopes', () => {
  test.each(labelled([undefined, null, 1, ['admin'], { admin: true }, true]))(
    'that are no text: %s',
    async (_, scope) => {
      await target.expectRejected(withClaims({ scope }));
    },
  );

  test.each(['', ' ', 'none', 'ADMIN', 'admin,read', 'admin\tread', '__proto__', 'constructor'])(
    'that are unknown grant nothing: "%s"',
    async (scope) => expectLacking(await target.ask(withClaims({ scope })), 'read'),
  );

  test('that the client does not have are not had by its token either', async () => {
    const reader = await createClient(service, ['read']);
    const claims = {
      sub: reader.clientId,
      client_id: reader.clientId,
      client_key: reader.key,
      scope: 'admin write read webhook',
    };
    const headers = { authorization: `Bearer ${withClaims(claims)}` };
    expect((await service.get('/ws/rest/Voyage', headers)).status).toBe(200);
    expectLacking(await service.post('/ws/rest/Vessel', { vesselName: 'X' }, headers), 'write');
    expectLacking(await service.get('/ws/rest/ApiUser', headers), 'admin');
  });

  test('JWT-65 that are missing are a 403 that names them', async () => {
    const reader = await createClient(service, ['read']);
    expectLacking(await service.post('/ws/rest/Vessel', { vesselName: 'X' }, reader.headers), 'write');
    expectLacking(await service.put('/ws/rest/Vessel/1', {}, reader.headers), 'write');
    expectLacking(await service.delete('/ws/rest/Vessel/1', reader.headers), 'write');
  });
});

describe('names that mean something elsewhere', () => {
  test.each(['__proto__', 'constructor', 'prototype'])('JWT-59 %s makes a token invalid', async (name) => {
    await target.expectRejected(withRawClaim(name, '{"scope":"admin"}'));
    const header = `${JSON.stringify(forge().header()).slice(0, -1)},"${name}":{}}`;
    expectBadToken(await target.ask(forge().sign(header, forge().claims())));
    expect('scope' in {}).toBe(false);
  });

  test.each(['toString', 'hasOwnProperty', 'valueOf', 'length', 'then', ''])(
    '"%s" is a claim like any other',
    async (name) => {
      expect((await target.ask(withClaims({ [name]: 'x' }))).status).toBe(200);
    },
  );
});

function withClaims(change: Claims): string {
  return forge().sign(forge().header(), forge().claims(change));
}

function withHeader(change: Claims): string {
  return forge().sign(forge().header(change), forge().claims());
}

/** With the value written as the text is, which may be no JSON. */
function withRawClaim(name: string, value: string): string {
  const claims = JSON.stringify(forge().claims({ [name]: undefined }));
  return forge().sign(forge().header(), `${claims.slice(0, -1)},"${name}":${value}}`);
}

describeUnharmed(service);
