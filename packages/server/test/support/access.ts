// Clients, their tokens, and the administrator that every test service has.

import { expect } from 'vitest';
import type { Environment } from '../../src/config/load-settings.ts';
import type { TestService } from './test-service.ts';

export interface Credentials {
  clientId: string;
  clientSecret: string;
}

export const administrator: Credentials = {
  clientId: 'test-administrator',
  clientSecret: 'planted-client-secret-Zq8vX2mT7bR4nK6w',
};

export const testAudience = 'https://flaghoist.dev';

export const administratorSettings: Environment = {
  FLAGHOIST_BOOTSTRAP_CLIENT_ID: administrator.clientId,
  FLAGHOIST_BOOTSTRAP_CLIENT_SECRET: administrator.clientSecret,
  FLAGHOIST_ENCRYPTION_KEY: 'cGxhbnRlZC1lbmNyeXB0aW9uLWtleS0wMTIzNDU2Nzg=',
  FLAGHOIST_TOKEN_REQUESTS_PER_MINUTE: '0',
};

export async function fetchToken(
  url: string,
  { clientId, clientSecret }: Credentials,
  scope?: string,
): Promise<string> {
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_id: clientId,
      client_secret: clientSecret,
      audience: testAudience,
      grant_type: 'client_credentials',
      ...(scope === undefined ? {} : { scope }),
    }),
  });
  const body = (await response.json()) as { access_token: string };
  expect(response.status, JSON.stringify(body)).toBe(200);
  return body.access_token;
}

export interface TestClient extends Credentials {
  key: number;
  userKey: number;
  token: string;
  /** To be given to the requests of a test service. */
  headers: { authorization: string };
}

/** A client with these scopes, of a new user with these attributes. */
export async function createClient(
  service: TestService,
  scopes: string[],
  user: Record<string, unknown> = {},
): Promise<TestClient> {
  clients += 1;
  const userCode = `user-${clients}`;
  const createdUser = await service.post('/ws/rest/ApiUser', { userCode, name: `User ${clients}`, ...user });
  expect(createdUser.status, createdUser.text).toBe(201);
  const created = await service.post('/ws/rest/ApiClient', { user: createdUser.body.key, scopes });
  expect(created.status, created.text).toBe(201);
  const { key, clientId, clientSecret } = created.body;
  service.secrets.plant(`the secret of ${clientId}`, clientSecret);
  const token = await fetchToken(service.url(), { clientId, clientSecret });
  service.secrets.plantToken(`the token of ${clientId}`, token);
  return {
    key,
    userKey: createdUser.body.key,
    clientId,
    clientSecret,
    token,
    headers: { authorization: `Bearer ${token}` },
  };
}

let clients = 0;
