// Clients that we did not write get a token and call a resource with it.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as oauth from 'oauth4webapi';
import { ClientCredentials } from 'simple-oauth2';
import { beforeAll, describe, expect, test } from 'vitest';
import { createClient, type TestClient, testAudience } from '../support/access.ts';
import { useTestService } from '../support/test-service.ts';
import { statusOf } from './service-beside.ts';

const service = useTestService();
let client: TestClient;
beforeAll(async () => {
  client = await createClient(service, ['read', 'webhook']);
});

describe('oauth4webapi', () => {
  const insecure = { [oauth.allowInsecureRequests]: true };

  test('discovers the issuer, and gets a token by post and by Basic', async () => {
    const issuer = await discover();
    for (const authentication of [oauth.ClientSecretPost, oauth.ClientSecretBasic]) {
      const { access_token } = await getToken(issuer, authentication(client.clientSecret), { scope: 'read' });
      const url = new URL(`${service.url()}/ws/rest/Currency`);
      const answer = await oauth.protectedResourceRequest(access_token, 'GET', url, undefined, undefined, insecure);
      expect([answer.status, await answer.json()]).toEqual([200, []]);
    }
  });

  test('finds the metadata as RFC 8414 wants it: a response type, and no empty list', async () => {
    const issuer = await discover();
    expect(issuer.response_types_supported).toEqual(['none']);
    for (const [name, value] of Object.entries(issuer)) expect(value, name).not.toEqual([]);
  });

  test('finds the token to be one of RFC 9068, signed by a key of the key set', async () => {
    const issuer = await discover();
    const { access_token } = await getToken(issuer, oauth.ClientSecretPost(client.clientSecret));
    const request = new Request(service.url(), { headers: { authorization: `Bearer ${access_token}` } });
    const claims = await oauth.validateJwtAccessToken(issuer, request, testAudience, insecure);
    expect(claims).toMatchObject({ client_id: client.clientId, scope: 'read webhook' });
  });

  test('understands every error', async () => {
    const issuer = await discover();
    const errorOf = async (secret: string, parameters: Record<string, string>) => {
      const error = await getToken(issuer, oauth.ClientSecretPost(secret), parameters).catch((thrown) => thrown);
      return [error.constructor, error.status, error.error];
    };
    expect(await errorOf('wrong', {})).toEqual([oauth.ResponseBodyError, 401, 'invalid_client']);
    const right = client.clientSecret;
    expect(await errorOf(right, { scope: 'admin' })).toEqual([oauth.ResponseBodyError, 400, 'invalid_scope']);
    expect(await errorOf(right, { audience: 'x' })).toEqual([oauth.ResponseBodyError, 403, 'access_denied']);
  });

  test('reads the challenges of the resource', async () => {
    const url = new URL(`${service.url()}/ws/rest/Currency`);
    const refusal = oauth.protectedResourceRequest('x.y.z', 'GET', url, undefined, undefined, insecure);
    const error = await refusal.catch((thrown) => thrown);
    expect(error).toBeInstanceOf(oauth.WWWAuthenticateChallengeError);
    expect(error.cause).toEqual([{ scheme: 'bearer', parameters: { realm: 'flaghoist', error: 'invalid_token' } }]);
  });

  async function discover(): Promise<oauth.AuthorizationServer> {
    const url = new URL(service.url());
    const answer = await oauth.discoveryRequest(url, { algorithm: 'oauth2', ...insecure });
    return oauth.processDiscoveryResponse(url, answer);
  }

  async function getToken(
    issuer: oauth.AuthorizationServer,
    authentication: oauth.ClientAuth,
    parameters: Record<string, string> = {},
  ): Promise<oauth.TokenEndpointResponse> {
    const us: oauth.Client = { client_id: client.clientId };
    const asked = { audience: testAudience, ...parameters };
    const answer = await oauth.clientCredentialsGrantRequest(issuer, us, authentication, asked, insecure);
    return oauth.processClientCredentialsResponse(issuer, us, answer);
  }
});

describe('simple-oauth2', () => {
  test.each([
    ['header', 'form'],
    ['header', 'json'],
    ['body', 'form'],
    ['body', 'json'],
  ] as const)('gets a token with the client in the %s and the rest as %s', async (authorizationMethod, bodyFormat) => {
    const library = new ClientCredentials({
      client: { id: client.clientId, secret: client.clientSecret },
      auth: { tokenHost: service.url() },
      options: { authorizationMethod, bodyFormat },
    });
    const access = await library.getToken({ audience: testAudience, scope: 'read' });
    expect(access.expired()).toBe(false);
    expect(access.token).toMatchObject({ token_type: 'Bearer', scope: 'read', expires_at: expect.any(Date) });
    expect(await statusOf(service.url(), String(access.token.access_token))).toBe(200);
  });
});

describe('curl', async () => {
  const run = promisify(execFile);
  const curl = (...args: string[]) => run('curl', ['-sS', '--fail-with-body', ...args]).then(({ stdout }) => stdout);
  const isThere = await run('curl', ['--version']).then(
    () => true,
    () => false,
  );
  if (!isThere) process.stderr.write('There is no curl here: its tests are left out.\n');

  test.skipIf(!isThere)('gets a token as JSON and calls a resource', async () => {
    const { clientId, clientSecret } = client;
    const body = {
      client_id: clientId,
      client_secret: clientSecret,
      audience: testAudience,
      grant_type: 'client_credentials',
    };
    const json = ['-H', 'Content-Type: application/json', '-d', JSON.stringify(body)];
    await expectUsable(await curl('-X', 'POST', `${service.url()}/oauth/token`, ...json));
  });

  test.skipIf(!isThere)('gets a token as a form, with the client in it or as its user', async () => {
    const url = `${service.url()}/oauth/token`;
    const parameters = ['-d', 'grant_type=client_credentials', '--data-urlencode', `audience=${testAudience}`];
    const named = ['-d', `client_id=${client.clientId}`, '--data-urlencode', `client_secret=${client.clientSecret}`];
    await expectUsable(await curl(url, ...parameters, ...named));
    await expectUsable(await curl(url, ...parameters, '-u', `${client.clientId}:${client.clientSecret}`));
  });

  async function expectUsable(answer: string): Promise<void> {
    const { access_token } = JSON.parse(answer) as { access_token: string };
    const headers = ['-H', `Authorization: Bearer ${access_token}`];
    expect(await curl(`${service.url()}/ws/rest/Currency`, ...headers)).toBe('[]');
  }
});
