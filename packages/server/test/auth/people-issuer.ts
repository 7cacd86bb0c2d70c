// A real issuer that we did not write, the npm package `oidc-provider`, where people sign in with a browser and programs
// get tokens with their secret.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';
import { afterAll, beforeAll, expect } from 'vitest';
import { testAudience } from '../support/access.ts';

export interface PeopleIssuer {
  url(): string;
  /** Goes where a browser is sent, signs in as this person, and returns what comes back to the redirect URI. */
  signIn(url: string, person: string): Promise<URLSearchParams>;
  /** For the program `fleet-administrator`. */
  fetchToken(): Promise<string>;
  /** How often the token endpoint was asked with this grant. */
  grants(type: string): number;
  /** The refresh tokens of this person are no longer accepted. */
  revoke(person: string): Promise<void>;
  /** What the issuer does from now on. */
  readonly manner: IssuerManner;
}

export interface IssuerManner {
  /** Every request is cut off. */
  isAway: boolean;
  givesRefreshTokens: boolean;
  /** The audience of access tokens; undefined: opaque tokens. */
  audience: string | undefined;
}

export const redirectUrl = 'https://fleet.example/console';
export const consoleSecret = 'secret-of-the-console-at-the-issuer-7Hs2';

const clients = [
  { client_id: 'fleet-console', token_endpoint_auth_method: 'client_secret_basic' },
  { client_id: 'fleet-console-post', token_endpoint_auth_method: 'client_secret_post' },
  { client_id: 'fleet-console-public', token_endpoint_auth_method: 'none' },
];

/** To be called at the top of a test file. */
export function usePeopleIssuer(): PeopleIssuer {
  const server = createServer();
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const manner: IssuerManner = { isAway: false, givesRefreshTokens: true, audience: testAudience };
  const grants: string[] = [];
  const grantIds = new Map<string, Set<string>>();
  let provider: Provider;
  let person = '';
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    provider = new Provider(url(), {
      jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'first', alg: 'RS256', use: 'sig' }] },
      clients: [...clients.map(describeConsole), administrator],
      cookies: { keys: ['a key for the cookies of the issuer'] },
      findAccount: (_: unknown, accountId: string) => ({ accountId, claims: async () => ({ sub: accountId }) }),
      issueRefreshToken: async (_: unknown, client: { clientId: string }) =>
        client.clientId.startsWith('fleet-console') && manner.givesRefreshTokens,
      rotateRefreshToken: true,
      ttl: Object.fromEntries(shortLived.map((name) => [name, 3600])),
      interactions: { url: (_: unknown, interaction: { uid: string }) => `/interaction/${interaction.uid}` },
      loadExistingGrant: (context: GrantContext) => grantEverything(context),
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        resourceIndicators: {
          enabled: true,
          useGrantedResource: async () => true,
          defaultResource: async () => testAudience,
          getResourceServerInfo: () => ({
            scope: '',
            accessTokenTTL: 3600,
            ...(manner.audience === undefined
              ? { accessTokenFormat: 'opaque' }
              : { audience: manner.audience, accessTokenFormat: 'jwt', jwt: { sign: { alg: 'RS256', kid: 'first' } } }),
          }),
        },
      },
    });
    const respond = provider.callback();
    server.on('request', (request, response) => {
      if (manner.isAway) return void request.socket.destroy();
      if (request.url?.startsWith('/interaction/')) return void finish(request, response);
      if (request.url === '/token')
        request.on('data', (chunk: Buffer) => {
          grants.push(new URLSearchParams(chunk.toString()).get('grant_type') ?? '');
        });
      respond(request, response);
    });
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  async function finish(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await provider.interactionFinished(request, response, { login: { accountId: person } });
  }

  async function grantEverything(context: GrantContext): Promise<unknown> {
    const { clientId, accountId } = {
      clientId: context.oidc.client.clientId,
      accountId: context.oidc.account.accountId,
    };
    const grant = new provider.Grant({ clientId, accountId });
    grant.addOIDCScope('openid offline_access');
    grant.addResourceScope(testAudience, '');
    const id = await grant.save();
    grantIds.set(accountId, (grantIds.get(accountId) ?? new Set()).add(id));
    return grant;
  }

  return {
    url,
    manner,
    async signIn(start, as) {
      person = as;
      return browse(start);
    },
    fetchToken: () => fetchToken(url()),
    grants: (type) => grants.filter((grant) => grant === type).length,
    async revoke(whose) {
      for (const id of grantIds.get(whose) ?? []) await provider.RefreshToken.revokeByGrantId(id);
    },
  };
}

interface GrantContext {
  oidc: { client: { clientId: string }; account: { accountId: string } };
}

function describeConsole(client: object): object {
  const isPublic = 'token_endpoint_auth_method' in client && client.token_endpoint_auth_method === 'none';
  return {
    ...client,
    ...(isPublic ? {} : { client_secret: consoleSecret }),
    grant_types: ['authorization_code', 'refresh_token'],
    redirect_uris: [redirectUrl],
    response_types: ['code'],
  };
}

const shortLived = ['AccessToken', 'ClientCredentials', 'Grant', 'IdToken', 'Interaction', 'RefreshToken', 'Session'];

const administrator = {
  client_id: 'fleet-administrator',
  client_secret: 'secret-at-the-real-issuer-4Vd9Lq2Xw7Tz',
  grant_types: ['client_credentials'],
  redirect_uris: [],
  response_types: [],
};

/** Follows redirects with cookies until one leads to the console. */
async function browse(start: string): Promise<URLSearchParams> {
  const cookies = new Map<string, string>();
  for (let target = start, count = 0; count < 10; count += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(target, { redirect: 'manual', headers: { cookie } });
    const text = await response.text();
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(line)!;
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    expect(location, `${response.status} ${text}`).not.toBeNull();
    const next = new URL(location!, target);
    if (next.href.startsWith(redirectUrl)) return next.searchParams;
    target = next.href;
  }
  throw new Error('The issuer never led back to the console.');
}

async function fetchToken(url: string): Promise<string> {
  const { client_id, client_secret } = administrator;
  const response = await fetch(`${url}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource: testAudience }),
  });
  const body = (await response.json()) as { access_token: string };
  expect(response.status, JSON.stringify(body)).toBe(200);
  return body.access_token;
}
