// Which keys and tokens of an external issuer are accepted: those that Auth0, Keycloak and Entra issue to a client for
// itself, and nothing that only looks like them (JWT-23, 39, 40, 41, 55).

import { createHmac, generateKeyPairSync, type JsonWebKey, KeyObject, sign as signBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readMetadata } from '../../src/auth/external-issuer/issuer-keys.ts';
import { parseJson } from '../../src/json/parse-json.ts';
import { testAudience } from '../support/access.ts';
import { discoveryPath, type IssuerKey, makeKey, sendJson } from './loopback-issuer.ts';
import { openIssuer } from './open-issuer.ts';

const guid = '7f0c2d7e-54c6-4e0c-9b7f-3f5f1d6f0a11';

describe('a token for a client is taken, and the client found in it', () => {
  const gone = { sub: undefined, client_id: undefined };
  test.each([
    [
      'of Auth0',
      'planner',
      { sub: 'planner@clients', azp: 'planner', client_id: undefined, gty: 'client-credentials' },
    ],
    ['of Auth0, RFC 9068', 'planner', { sub: 'planner@clients', client_id: 'planner', jti: 'a1' }],
    ['with the client in sub alone', 'planner', { sub: 'planner@clients', client_id: undefined }],
    [
      'of Keycloak',
      'planner',
      {
        ...gone,
        sub: guid,
        azp: 'planner',
        typ: 'Bearer',
        aud: [testAudience, 'account'],
        acr: '1',
        'allowed-origins': ['/*'],
        realm_access: { roles: ['offline_access'] },
        resource_access: { account: { roles: ['view-profile'] } },
        clientHost: '10.0.0.1',
      },
    ],
    ['of Keycloak without the scope basic', 'planner', { ...gone, azp: 'planner', typ: 'Bearer' }],
    ['of Entra 2.0', guid, { ...gone, sub: 'b', azp: guid, azpacr: '1', ver: '2.0', roles: ['read'], nbf: 1 }],
    ['of Entra 1.0', guid, { ...gone, sub: 'b', appid: guid, appidacr: '1', ver: '1.0', idtyp: 'app' }],
  ])('%s', async (_, clientId, claims) => {
    const { issuer, external, sign } = await openIssuer();
    const key = await issuer.addKey('rsa', 'RS256');
    for (const typ of ['JWT', 'at+jwt', 'application/at+jwt', 'AT+JWT'])
      expect(await external.verify(await sign(key, { claims, header: { typ } }))).toMatchObject({
        clientId,
        scopes: undefined,
      });
  });
});

describe('a token is rejected', () => {
  const now = Math.floor(Date.now() / 1000);
  test.each<[string, Record<string, unknown>]>([
    ['of another issuer', { iss: 'http://127.0.0.1:1' }],
    ['without an issuer', { iss: undefined }],
    ['for another audience', { aud: 'https://flaghoist' }],
    ['for an audience with a slash more', { aud: `${testAudience}/` }],
    ['for several audiences that are none of ours', { aud: ['account', 'https://flaghoist'] }],
    ['for audiences that are not all text', { aud: [testAudience, 1] }],
    ['without an audience', { aud: undefined }],
    ['without a client', { sub: undefined, client_id: undefined }],
    ['with an empty client', { client_id: '' }],
    ['with a client that is no text', { client_id: undefined, azp: 5 }],
    ['with a client that is null, though there is a sub', { client_id: undefined, azp: null }],
    ['with an empty sub', { sub: '' }],
    ['without an end', { exp: undefined }],
    ['that lives for a year', { exp: now + 31_536_000 }],
    ['that was issued in the future', { iat: now + 120 }],
    ['that is not good yet', { nbf: now + 120 }],
    ['that is an ID token, by its nonce', { nonce: 'n-0S6_WzA2Mj' }],
    ['that is an ID token, by its hash of the access token', { at_hash: 'MTIzNDU2Nzg5MDEyMzQ1Ng' }],
  ])('%s', async (_, claims) => {
    const { key, sign, judge } = await openIssuer();
    expect(await judge(await sign(key, { claims }))).toBe('unauthorized');
  });

  test.each<[string, Record<string, unknown>]>([
    ['without typ', { typ: undefined }],
    ['of another typ', { typ: 'dpop+jwt' }],
    ['with a typ that only contains a good one', { typ: 'at+jwt2' }],
    ['without kid', { kid: undefined }],
    ['with an empty kid', { kid: '' }],
    ['with a kid that is a number', { kid: 1 }],
    ['with a kid that is a list', { kid: ['first'] }],
  ])('%s, and the issuer not asked', async (_, header) => {
    const { key, sign, judge, keyFetches } = await openIssuer();
    expect(await judge(await sign(key, { header }))).toBe('unauthorized');
    expect(keyFetches()).toBe(1);
  });

  test.each(['constructor', '__proto__', 'k'.repeat(4_096), "x' UNION SELECT '1';--"])(
    'with the kid %.20s',
    async (kid) => {
      const { key, sign, judge } = await openIssuer();
      expect(await judge(await sign(key, { header: { kid } }))).toBe('unauthorized');
    },
  );

  test('with crit, or with an algorithm that is not taken', async () => {
    const { issuer, key, judge, clock } = await openIssuer();
    const claims = {
      iss: issuer.url,
      aud: testAudience,
      sub: 'a',
      iat: now,
      exp: Math.floor(clock.nowMs() / 1000) + 60,
    };
    const header = { typ: 'at+jwt', kid: 'first' };
    const ecdsa = (bytes: Buffer) => signBytes('sha256', bytes, { key: pemOf(key), dsaEncoding: 'ieee-p1363' });
    expect(await judge(assemble({ ...header, alg: 'ES256' }, claims, ecdsa))).toBe('accepted');
    expect(await judge(assemble({ ...header, alg: 'ES256', crit: ['exp'] }, claims, ecdsa))).toBe('unauthorized');
    expect(await judge(assemble({ ...header, alg: 'ES256', crit: [] }, claims, ecdsa))).toBe('unauthorized');
    expect(await judge(assemble({ ...header, alg: 'none' }, claims, ecdsa))).toBe('unauthorized');
    for (const secret of [pemOf(key), JSON.stringify(key.publicJwk), key.publicJwk.x ?? ''])
      expect(await judge(assemble({ ...header, alg: 'HS256' }, claims, hmac(secret)))).toBe('unauthorized');
  });

  test('that has expired, with an error that says so', async () => {
    const { key, sign, judge, clock } = await openIssuer();
    const token = await sign(key, { claims: { exp: Math.floor(clock.nowMs() / 1000) + 60 } });
    expect(await judge(token)).toBe('accepted');
    clock.advance(60_000);
    expect(await judge(token)).toBe('tokenExpired');
  });
});

describe('a key is left out, and with it every token that it signed', () => {
  test.each<[string, (jwk: JsonWebKey) => unknown[]]>([
    ['twice under one id', (jwk) => [jwk, { ...generateRsa(2048).publicJwk, kid: jwk.kid }]],
    ['that shares its id with one that is not for us', (jwk) => [jwk, { kty: 'oct', k: 'c2VjcmV0', kid: jwk.kid }]],
    ['for encryption', (jwk) => [{ ...jwk, use: 'enc' }]],
    ['for other operations', (jwk) => [{ ...jwk, use: undefined, key_ops: ['encrypt', 'wrapKey'] }]],
    ['for an algorithm that is not taken', (jwk) => [{ ...jwk, alg: 'RS512' }]],
    ['for another kind of algorithm', (jwk) => [{ ...jwk, alg: 'ES256' }]],
    ['without an id', (jwk) => [{ ...jwk, kid: undefined }]],
    ['with an id that is no text', (jwk) => [{ ...jwk, kid: 7 }]],
    ['with a private part', (jwk) => [{ ...jwk, d: 'AQAB' }]],
    ['with half of its numbers', (jwk) => [{ ...jwk, n: undefined }]],
    ['with numbers of another kind', (jwk) => [{ ...jwk, n: 5 }]],
    ['of another issuer', (jwk) => [{ ...jwk, issuer: 'https://login.example/9188040d/v2.0' }]],
    ['that is a list', (jwk) => [[jwk]]],
    ['that is null', () => [null]],
  ])('%s', async (_, listedAs) => {
    const { issuer, key, keys, sign, judge, observations } = await openIssuer();
    const { publicJwk, ...rsa } = await makeKey('rsa', 'RS256');
    issuer.listed.push(...listedAs(publicJwk));
    await keys.refresh();
    expect(await judge(await sign({ ...rsa, publicJwk }))).toBe('unauthorized');
    expect(await judge(await sign(key))).toBe('accepted');
    // The key set is as it was: one key.
    expect(observations).toEqual([{ kind: 'issuer.keysLoaded', issuer: issuer.url, keys: 1 }]);
  });

  test('of RSA with less than 2048 bits, or an exponent of 1', async () => {
    const { issuer, key, keys, sign, judge, observations } = await openIssuer();
    const [weak, strong] = [generateRsa(1024), generateRsa(2048)];
    issuer.listed.push({ ...weak.publicJwk, kid: 'weak' }, { ...strong.publicJwk, kid: 'one', e: 'AQ' });
    await keys.refresh();
    const claims = { iss: issuer.url, aud: testAudience, sub: 'a', iat: 1, exp: 2 };
    const rsa = (bytes: Buffer) => signBytes('sha256', bytes, weak.pem);
    expect(await judge(assemble({ typ: 'JWT', alg: 'RS256', kid: 'weak' }, claims, rsa))).toBe('unauthorized');
    expect(await judge(await sign(key))).toBe('accepted');
    expect(observations).toHaveLength(1);
  });

  test('that is a shared secret', async () => {
    const { issuer, keys, judge, clock } = await openIssuer();
    issuer.listed.push({ kty: 'oct', kid: 'shared', alg: 'HS256', k: Buffer.from('secret').toString('base64url') });
    await keys.refresh();
    const seconds = Math.floor(clock.nowMs() / 1000);
    const claims = { iss: issuer.url, aud: testAudience, sub: 'a', iat: seconds, exp: seconds + 60 };
    expect(await judge(assemble({ typ: 'JWT', alg: 'HS256', kid: 'shared' }, claims, hmac('secret')))).toBe(
      'unauthorized',
    );
  });

  test('on another curve, or on none', async () => {
    const { issuer, keys, sign, judge } = await openIssuer();
    const other = await makeKey('other', 'ES384');
    const good = await makeKey('off', 'ES256');
    issuer.listed.push({ ...other.publicJwk, alg: undefined }, { ...good.publicJwk, x: good.publicJwk.y });
    await keys.refresh();
    expect(await judge(await sign(other))).toBe('unauthorized');
    expect(await judge(await sign(good))).toBe('unauthorized');
  });
});

describe('the algorithm', () => {
  const both = async (listedAs: (jwk: JsonWebKey) => unknown) => {
    const { issuer, keys, sign, judge } = await openIssuer();
    const verdicts: Record<string, string> = {};
    for (const algorithm of ['RS256', 'PS256', 'RS512']) {
      const key = await makeKey(`key-${algorithm}`, algorithm);
      issuer.listed.push(listedAs(key.publicJwk));
      await keys.refresh();
      verdicts[algorithm] = await judge(await sign(key));
    }
    return verdicts;
  };

  test('of an RSA key that names none, as those of Entra, may be RS256 or PS256', async () => {
    expect(await both((jwk) => ({ ...jwk, alg: undefined, issuer: 'https://login.example/{tenantid}/v2.0' }))).toEqual({
      RS256: 'accepted',
      PS256: 'accepted',
      RS512: 'unauthorized',
    });
  });

  test('of a key that names one may be no other', async () => {
    expect(await both((jwk) => ({ ...jwk, alg: 'RS256' }))).toEqual({
      RS256: 'accepted',
      PS256: 'unauthorized',
      RS512: 'unauthorized',
    });
  });
});

describe('the metadata', () => {
  test('may spell the issuer with a slash at the end, and then tokens must as well', async () => {
    const { issuer, key, sign, judge } = await openIssuer({
      prepare: (loopback) => {
        loopback.metadata = { issuer: `${loopback.url}/` };
      },
    });
    expect(await judge(await sign(key, { claims: { iss: `${issuer.url}/` } }))).toBe('accepted');
    expect(await judge(await sign(key))).toBe('unauthorized');
  });

  test('of an issuer with a path is found in front of the path too, as RFC 8414 has it', async () => {
    const path = '/realms/fleet';
    const { issuer, key, sign, judge } = await openIssuer({
      path,
      prepare: ({ url, faults }) => {
        faults.set(`${path}${discoveryPath}`, (_, response) => response.writeHead(404).end());
        faults.set(`/.well-known/oauth-authorization-server${path}`, (_, response) =>
          sendJson(response, { issuer: url, jwks_uri: `${url}/keys` }),
        );
      },
    });
    expect(await judge(await sign(key))).toBe('accepted');
    expect(issuer.asked).toEqual([
      '/realms/fleet/.well-known/openid-configuration',
      '/.well-known/oauth-authorization-server/realms/fleet',
      '/realms/fleet/keys',
    ]);
  });

  test('of another issuer is not believed, and its keys are not fetched', async () => {
    const { key, sign, judge, keyFetches, observations } = await openIssuer({
      prepare: (loopback) => {
        loopback.metadata = { issuer: 'https://elsewhere.example' };
      },
    });
    expect(keyFetches()).toBe(0);
    expect(await judge(await sign(key))).toBe('issuerAway');
    expect(observations[0]).toMatchObject({ reason: expect.stringContaining('names another issuer, or none') });
  });

  const https = 'https://issuer.example/fleet';
  test.each([
    [https, 'https://keys.example/jwks', true],
    [`${https}/`, 'https://issuer.example/jwks', true],
    ['https://issuer.example/FLEET', 'https://issuer.example/jwks', false],
    [`${https}//`, 'https://issuer.example/jwks', false],
    ['https://issuer.example', 'https://issuer.example/jwks', false],
    ['http://issuer.example/fleet', 'https://issuer.example/jwks', false],
    [https, 'http://issuer.example/jwks', false],
    [https, 'data:application/json,{"keys":[]}', false],
    [https, 'file:///etc/jwks.json', false],
    [https, '/jwks', false],
    [https, 5, false],
    [https, undefined, false],
    [5, 'https://issuer.example/jwks', false],
    [undefined, 'https://issuer.example/jwks', false],
  ])('with the issuer %j and the keys at %j is %s for the issuer at https', (issuer, jwks_uri, isGood) => {
    const read = () => readMetadata(parseJson(JSON.stringify({ issuer, jwks_uri })), 'https://x.example', https);
    if (isGood) expect(read()).toEqual({ issuer, keysUrl: jwks_uri });
    else expect(read).toThrow(/names/);
  });
});

/** Signed by hand: no library would make some of these. */
function assemble(header: object, claims: object, sign: (bytes: Buffer) => Buffer): string {
  const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${signed}.${sign(Buffer.from(signed)).toString('base64url')}`;
}

function hmac(secret: string): (bytes: Buffer) => Buffer {
  return (bytes) => createHmac('sha256', secret).update(bytes).digest();
}

function generateRsa(modulusLength: number): { publicJwk: JsonWebKey; pem: string } {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength });
  return {
    publicJwk: publicKey.export({ format: 'jwk' }),
    pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function pemOf({ privateKey }: IssuerKey): string {
  return KeyObject.from(privateKey as never)
    .export({ type: 'pkcs8', format: 'pem' })
    .toString();
}
