// A real issuer that we did not write, the npm package `oidc-provider`, on loopback: clients get JWT access tokens for
// whatever audience they name.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';
import { afterAll, beforeAll, expect } from 'vitest';
import { testAudience } from '../support/access.ts';

export interface RealIssuer {
  url(): string;
  /** With the client's own credentials; no audience asks for an opaque token. */
  fetchToken(clientId: string, audience?: string | undefined): Promise<string>;
}

/** To be called at the top of a test file. The clients are given with the algorithm of their tokens. */
export function useRealIssuer(clients: Record<string, string>): RealIssuer {
  const server = createServer();
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const provider = new Provider(url(), {
      jwks: { keys: await Promise.all(['RS256', 'PS256', 'ES256'].map(makeKey)) },
      clients: Object.keys(clients).map(describeClient),
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_: unknown, audience: string, { clientId }: { clientId: string }) =>
            describeAudience(audience, clients[clientId]!),
        },
      },
      ttl: { ClientCredentials: 600 },
    });
    server.on('request', provider.callback());
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url, fetchToken: (clientId, audience = testAudience) => fetchToken(url(), clientId, audience) };
}

const clientSecret = 'secret-at-the-real-issuer-4Vd9Lq2Xw7Tz';

function describeClient(clientId: string): Record<string, unknown> {
  return {
    client_id: clientId,
    client_secret: clientSecret,
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
  };
}

function describeAudience(audience: string, algorithm: string): Record<string, unknown> {
  const jwt = { sign: { alg: algorithm, kid: algorithm } };
  return { scope: '', audience, accessTokenFormat: 'jwt', accessTokenTTL: 600, jwt };
}

async function makeKey(algorithm: string): Promise<Record<string, unknown>> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: algorithm, alg: algorithm, use: 'sig' };
}

async function fetchToken(url: string, clientId: string, audience: string): Promise<string> {
  const response = await fetch(`${url}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      ...(audience === '' ? {} : { resource: audience }),
    }),
  });
  const body = (await response.json()) as { access_token: string };
  expect(response.status, JSON.stringify(body)).toBe(200);
  return body.access_token;
}
