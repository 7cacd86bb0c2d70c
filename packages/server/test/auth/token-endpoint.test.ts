// `POST /oauth/token`: who gets a token and who does not. Rows have their ids in the list of hostile inputs.

import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, test } from 'vitest';
import { describeUnharmed } from '../hostile/unharmed.ts';
import { administrator, createClient, type TestClient, testAudience } from '../support/access.ts';
import { useTestService } from '../support/test-service.ts';
import { askForm, askJson, basic, basicOf, expectRefused, expectToken, formOf, parametersOf } from './ask-token.ts';
import { holdClock } from './held-clock.ts';
import { labelled } from './labelled.ts';
import { startBeside, statusOf } from './service-beside.ts';

const service = useTestService();
const { clientId, clientSecret } = administrator;

describe('a valid request', () => {
  test('TOK-01 as JSON gets a Bearer token and no refresh token', async () => {
    const answer = await askJson(service.url(), parametersOf());
    const token = expectToken(answer);
    expect(answer.body).toMatchObject({ expires_in: 86_400, scope: 'admin' });
    expect(await statusOf(service.url(), token)).toBe(200);
  });

  test('TOK-02 as a form gets the same', async () => {
    const answer = await askForm(service.url(), parametersOf());
    expectToken(answer);
    expect(answer.body).toMatchObject({ expires_in: 86_400, scope: 'admin' });
  });

  test.each([
    'application/x-www-form-urlencoded;charset=UTF-8',
    'application/x-www-form-urlencoded; charset="utf-8"',
    'APPLICATION/X-WWW-FORM-URLENCODED',
  ])('as a form of the type %s gets the same', async (type) => {
    expectToken(await askForm(service.url(), parametersOf(), { 'content-type': type }));
  });

  test.each(['application/json; charset=utf-8', 'Application/JSON'])('as JSON of the type %s', async (type) => {
    expectToken(await askJson(service.url(), parametersOf(), { 'content-type': type }));
  });

  test.each(['Basic', 'basic', 'BASIC', 'bAsIc '])('with the client named by HTTP Basic, as "%s"', async (scheme) => {
    const parameters = parametersOf({ client_id: undefined, client_secret: undefined });
    const authorization = basic(administrator).authorization.replace('Basic', scheme);
    expectToken(await askForm(service.url(), parameters, { authorization }));
    expectToken(await askJson(service.url(), parameters, { authorization }));
  });

  test('TOK-25 with unknown parameters, also twice: they are ignored', async () => {
    expectToken(await askJson(service.url(), parametersOf({ organization: 'x', resource: ['a'], custom: { b: 1 } })));
    expectToken(await askForm(service.url(), `${formOf(parametersOf())}&x=1&x=2&=&toString=1&__proto__=1&&`));
  });

  test('the token is one of RFC 9068, for this client, this audience and one time', async () => {
    const [one, other] = [
      expectToken(await askJson(service.url(), parametersOf())),
      expectToken(await askJson(service.url(), parametersOf())),
    ];
    expect(decodeProtectedHeader(one)).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: expect.stringMatching(/^[\w-]+$/) });
    const claims = decodeJwt(one);
    expect(claims).toEqual({
      iss: service.url(),
      sub: clientId,
      client_id: clientId,
      client_key: expect.any(Number),
      aud: testAudience,
      scope: 'admin',
      iat: expect.any(Number),
      exp: expect.toBeOneOf([claims.iat! + 86_400, claims.iat! + 86_401]),
      jti: expect.stringMatching(/^[\da-f-]{36}$/),
    });
    expect(decodeJwt(other).jti).not.toBe(claims.jti);
  });
});

describe('the client', () => {
  test('TOK-04 named by Basic and in the body is a 400, also where both are right or one is empty', async () => {
    const headers = basic(administrator);
    expectRefused(await askForm(service.url(), parametersOf(), headers), 400, 'invalid_request');
    for (const change of [{ client_id: undefined }, { client_secret: undefined }])
      expectRefused(await askJson(service.url(), parametersOf(change), headers), 400, 'invalid_request');
  });

  test(
    'TOK-05 may have any visible character in its id, ' + 'encoded before Basic puts id and secret together',
    async () => {
      const { body: user } = await service.post('/ws/rest/ApiUser', { userCode: 'odd', name: 'Odd' });
      const oddId = 'a:b+c%20d/e=f&g?h#~';
      const odd = await service.post('/ws/rest/ApiClient', { user: user.key, scopes: ['read'], clientId: oddId });
      const credentials = { clientId: oddId, clientSecret: odd.body.clientSecret as string };
      const parameters = { grant_type: 'client_credentials', audience: testAudience };
      expect(decodeJwt(expectToken(await askForm(service.url(), parameters, basic(credentials)))).sub).toBe(oddId);
      expectToken(await askForm(service.url(), parametersOf({}, credentials)));
      // Not encoded, the colon ends the id, and the plus is a space.
      const unencoded = basicOf(`${oddId}:${credentials.clientSecret}`);
      expectRefused(await askForm(service.url(), parameters, unencoded), 401, 'invalid_client');
      const foreign = basic({ clientId: 'schlüssel-🚢', clientSecret: 'größe' });
      expectRefused(await askForm(service.url(), parameters, foreign), 401, 'invalid_client');
    },
  );

  test('TOK-07, TOK-08 unknown, or with a wrong secret: the same response', async () => {
    const unknown = await askJson(service.url(), parametersOf({ client_id: 'nobody' }));
    const wrong = await askJson(service.url(), parametersOf({ client_secret: 'x'.repeat(47) }));
    for (const answer of [unknown, wrong]) expectRefused(answer, 401, 'invalid_client');
    expect(unknown.text).toBe(wrong.text);
    const headersOf = ({ headers }: typeof unknown) => [...headers].filter(([name]) => name !== 'date');
    expect(headersOf(unknown)).toEqual(headersOf(wrong));
    expect(unknown.headers.get('www-authenticate')).toBeNull();
  });

  test('a wrong secret by Basic gets a challenge for Basic', async () => {
    const parameters = { grant_type: 'client_credentials', audience: testAudience };
    for (const clientSecret of ['wrong', '']) {
      const answer = await askForm(service.url(), parameters, basic({ clientId, clientSecret }));
      expectRefused(answer, 401, 'invalid_client');
      expect(answer.headers.get('www-authenticate')).toBe('Basic realm="flaghoist", charset="UTF-8"');
    }
  });

  test.each([
    ['no colon', basicOf('no-colon')],
    ['no id', basicOf(`:${clientSecret}`)],
    ['nothing in it', { authorization: 'Basic' }],
    ['no Base64', { authorization: 'Basic ???' }],
    ['two of them', { authorization: `${basic(administrator).authorization}, Basic eDp5` }],
    ['a broken escape', basicOf(`a%zz:${clientSecret}`)],
    ['bytes that are no UTF-8', basicOf(Buffer.from([0xff, 0x3a, 0xfe]))],
    ['another scheme', { authorization: 'Digest username="x"' }],
    ['a token', { authorization: 'Bearer x.y.z' }],
  ])('an Authorization header with %s is a 400', async (_, headers) => {
    const parameters = { grant_type: 'client_credentials', audience: testAudience };
    expectRefused(await askForm(service.url(), parameters, headers), 400, 'invalid_request');
    // It counts as one of two ways even where it names nobody.
    expectRefused(await askForm(service.url(), parametersOf(), headers), 400, 'invalid_request');
  });

  test.each(
    labelled<unknown>([undefined, '', null, 0, false, [], {}, [clientSecret], { $ne: null }, { toString: 'x' }]),
  )('TOK-10 with %s for a secret is a 400', async (_, secret) => {
    expectRefused(await askJson(service.url(), parametersOf({ client_secret: secret })), 400, 'invalid_request');
  });

  test.each(labelled([['a', 'b'], { $ne: null }, { $gt: '' }, 5, true, null, '', undefined, [clientId]]))(
    'TOK-11 with %s for an id is a 400',
    async (_, id) => {
      expectRefused(await askJson(service.url(), parametersOf({ client_id: id })), 400, 'invalid_request');
    },
  );

  const almostRightSecrets = [
    `${clientSecret} `,
    ` ${clientSecret}`,
    `${clientSecret}\n`,
    clientSecret.toUpperCase(),
    clientSecret.slice(0, -1),
    clientSecret.slice(1),
    `${clientSecret}x`,
    `${clientSecret}\u200b`,
    'n'.repeat(60_000),
  ];
  test.each(labelled(almostRightSecrets))('TOK-13 with an almost right secret is a 401: %s', async (_, secret) => {
    expectRefused(await askJson(service.url(), parametersOf({ client_secret: secret })), 401, 'invalid_client');
    expectRefused(await askForm(service.url(), parametersOf({ client_secret: secret })), 401, 'invalid_client');
  });

  const almostRightIds = [
    clientId.toUpperCase(),
    `${clientId} `,
    ` ${clientId}`,
    `${clientId}\u00a0`,
    'toString',
    '__proto__',
    'constructor',
    'admin',
    "' or 1=1 --",
  ];
  test.each(labelled(almostRightIds))('TOK-07 with an almost right id is a 401: %s', async (_, id) => {
    expectRefused(await askJson(service.url(), parametersOf({ client_id: id })), 401, 'invalid_client');
  });

  test('with a NUL in its id or secret gets nothing, and nothing breaks', async () => {
    expectRefused(await askForm(service.url(), parametersOf({ client_id: `${clientId}\0` })), 401, 'invalid_client');
    expectRefused(await askForm(service.url(), parametersOf({ client_secret: '\0' })), 401, 'invalid_client');
    expectRefused(await askJson(service.url(), parametersOf({ client_id: `${clientId}\0` })), 400, 'invalid_request');
    expectRefused(await askForm(service.url(), {}, basicOf(`a%00:${clientSecret}`)), 400, 'invalid_request');
  });

  describe('TOK-14 that is disabled or deleted, or whose user is, is a 401', () => {
    const spoil: [string, (client: TestClient) => Promise<unknown>][] = [
      ['disabled', ({ key }) => service.put(`/ws/rest/ApiClient/${key}`, { active: false })],
      ['deleted', ({ key }) => service.delete(`/ws/rest/ApiClient/${key}`)],
      ['its user disabled', ({ userKey }) => service.put(`/ws/rest/ApiUser/${userKey}`, { active: false })],
    ];
    test.each(spoil)('%s', async (_, change) => {
      const client = await createClient(service, ['read']);
      await change(client);
      const refused = () => askJson(service.url(), parametersOf({}, client));
      await expect.poll(async () => (await refused()).status, { timeout: 1_000, interval: 20 }).toBe(401);
      expectRefused(await refused(), 401, 'invalid_client');
    });
  });
});

describe('the lifetime of a token', () => {
  test('TOK-41 is at least what expires_in says, and less than a second more', async () => {
    const clock = holdClock(Math.floor(Date.now() / 1000) * 1000 + 400);
    const issuedMs = clock.nowMs();
    const beside = await startBeside(service.database, { FLAGHOIST_TOKEN_LIFETIME_SECONDS: '600' }, clock);
    const answer = await askJson(beside.localUrl, parametersOf());
    const token = expectToken(answer);
    expect(answer.body.expires_in).toBe(600);
    const { exp } = decodeJwt(token);
    expect(exp! * 1000 - issuedMs).toBe(600_600);
    clock.advance(exp! * 1000 - 1 - clock.nowMs());
    expect(await statusOf(beside.localUrl, token)).toBe(200);
    clock.advance(1);
    expect(await statusOf(beside.localUrl, token)).toBe(401);
  });

  test.each([-300_000, 300_000])('TOK-44 holds on a machine whose clock is %d ms off', async (shiftMs) => {
    const beside = await startBeside(service.database, {}, holdClock(Date.now() + shiftMs));
    const token = expectToken(await askJson(beside.localUrl, parametersOf()));
    const { exp, iat } = decodeJwt(token);
    expect(exp! - iat! - 86_400).toBeOneOf([0, 1]);
    expect(await statusOf(beside.localUrl, token)).toBe(200);
  });
});

describeUnharmed(service);
