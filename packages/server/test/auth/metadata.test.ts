// The metadata of the built-in issuer (RFC 8414), its keys, and what is not offered: introspection and revocation. Rows
// have their ids in the list of hostile inputs.

import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { administrator, createClient, testAudience } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { useTestService } from '../support/test-service.ts';
import { askForm, basic, expectToken, parametersOf } from './ask-token.ts';
import { statusOf } from './service-beside.ts';

const service = useTestService();

describe('the metadata', () => {
  const path = '/.well-known/oauth-authorization-server';

  test('MET-01 name the issuer exactly as its tokens do, and where everything is', async () => {
    const { status, headers, body } = await service.get(path, { authorization: '' });
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(body).toEqual({
      issuer: service.url(),
      token_endpoint: `${service.url()}/oauth/token`,
      jwks_uri: `${service.url()}/.well-known/jwks.json`,
      grant_types_supported: ['client_credentials'],
      response_types_supported: ['none'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      scopes_supported: ['read', 'write', 'webhook', 'admin'],
      service_documentation: `${service.url()}/docs`,
      audience: testAudience,
    });
    expect(body.issuer).toBe(decodeJwt(service.token()).iss);
    expect(body.issuer).not.toMatch(/[?#]/);
  });

  test('MET-01 are true: each way to authenticate that they name gets a token', async () => {
    const { body } = await service.get(path);
    const ways: Record<string, () => Promise<string>> = {
      client_secret_post: async () => expectToken(await askForm(service.url(), parametersOf())),
      client_secret_basic: async () => {
        const parameters = { grant_type: body.grant_types_supported[0], audience: testAudience };
        return expectToken(await askForm(service.url(), parameters, basic(administrator)));
      },
    };
    expect(Object.keys(ways).sort()).toEqual([...body.token_endpoint_auth_methods_supported].sort());
    for (const get of Object.values(ways)) expect(await statusOf(service.url(), await get())).toBe(200);
  });

  test('MET-01 of OpenID is not offered: no people log in', async () => {
    expectErrorBody(await service.get('/.well-known/openid-configuration'), 404);
  });

  test('are read without a token, also by HEAD, and nothing else can be done there', async () => {
    for (const place of [path, '/.well-known/jwks.json']) {
      const get = await fetch(`${service.url()}${place}`);
      const head = await fetch(`${service.url()}${place}`, { method: 'HEAD' });
      expect([get.status, head.status]).toEqual([200, 200]);
      expect(head.headers.get('content-length')).toBe(String((await get.arrayBuffer()).byteLength));
      expectErrorBody(await service.post(place, {}), 405);
      expectErrorBody(await service.delete(place), 405);
    }
  });
});

describe('the keys', () => {
  test('MET-02 are public keys, each with its id, use and algorithm', async () => {
    const { status, headers, body } = await service.get('/.well-known/jwks.json', { authorization: '' });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/jwk-set\+json/);
    expect(body.keys).toHaveLength(1);
    for (const key of body.keys) {
      expect(key).toEqual({
        kty: 'EC',
        crv: 'P-256',
        x: expect.stringMatching(/^[\w-]{43}$/),
        y: expect.stringMatching(/^[\w-]{43}$/),
        kid: expect.stringMatching(/^[\w-]+$/),
        use: 'sig',
        alg: 'ES256',
      });
    }
    expect(new Set(body.keys.map(({ kid }: { kid: string }) => kid)).size).toBe(body.keys.length);
  });
});

test('a cache does not keep the keys: it would hide a new one that signs already', async () => {
  expect((await service.get('/.well-known/jwks.json')).headers.get('cache-control')).toBe('no-cache');
});

describe('what there is not', () => {
  test.each([
    'introspect',
    'introspection',
    'revoke',
    'revocation',
    'token/introspect',
    'token_info',
    'authorize',
    'userinfo',
  ])('MET-05, MET-07, MET-08 /oauth/%s is nowhere, with or without a token', async (name) => {
    for (const headers of [undefined, { authorization: '' }])
      for (const answer of [
        await service.post(`/oauth/${name}`, { token: service.token(), token_type_hint: 'foo' }, headers),
        await service.get(`/oauth/${name}`, headers),
      ])
        expectErrorBody(answer, 404);
    expect(await statusOf(service.url(), service.token())).toBe(200);
  });

  test('MET-10 instead a client is disabled: its unexpired token is rejected within a second', async () => {
    const client = await createClient(service, ['read']);
    expect(await statusOf(service.url(), client.token)).toBe(200);
    await service.put(`/ws/rest/ApiClient/${client.key}`, { active: false });
    await expect.poll(() => statusOf(service.url(), client.token), { timeout: 1_000, interval: 20 }).toBe(401);
  });
});
