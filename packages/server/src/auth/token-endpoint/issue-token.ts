// Decides a token request in the order of RFC 6749: who the client is, whether its secret is right, what it requests,
// and whether that has been granted.

import type { Clock } from '../../clock.ts';
import { isScope, type Scope, withIncluded } from '../../model/scopes.ts';
import type { Observe } from '../../observe/observation.ts';
import { isSecretOf } from '../clients/client-secret.ts';
import { type Access, type ApiClient, databaseNowMs } from '../directory/access.ts';
import type { AccessDirectory } from '../directory/access-directory.ts';
import type { Encryption } from '../encryption/encryption.ts';
import type { OwnIssuer } from '../own-issuer/own-issuer.ts';
import { TokenError } from './token-error.ts';
import { readTokenRequest, type SentTokenRequest, type TokenRequest } from './token-request.ts';
import type { TokenThrottle } from './token-throttle.ts';

export interface TokenResponse {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  scope: string;
}

export interface TokenEndpoint {
  directory: AccessDirectory;
  encryption: Encryption;
  issuer: OwnIssuer;
  throttle: TokenThrottle;
  audience: string;
  lifetimeSeconds: number;
  clock: Clock;
  observe: Observe;
}

export async function issueToken(
  endpoint: TokenEndpoint,
  sent: SentTokenRequest,
  address: string,
): Promise<TokenResponse> {
  endpoint.throttle.countRequest(address);
  const request = readTokenRequest(sent);
  checkGrant(request);
  const client = await authenticateClient(endpoint, request, address);
  checkAudience(endpoint, request, client);
  const scopes = grantScopes(request, client);
  endpoint.throttle.countToken(client.clientId);
  const access = await endpoint.directory.current();
  const token = await endpoint.issuer.sign({ clientId: client.clientId, clientKey: client.key, scopes }, access);
  endpoint.observe({ kind: 'token.issued', clientId: client.clientId });
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: endpoint.lifetimeSeconds,
    scope: scopes.join(' '),
  };
}

function checkGrant({ grantType }: TokenRequest): void {
  if (grantType !== 'client_credentials')
    throw new TokenError('unsupported_grant_type', 'The only grant_type is client_credentials.');
}

/**
 * An unknown client, a disabled client and a wrong secret get the same response in the same time, so that callers
 * cannot find out which ids exist.
 */
async function authenticateClient(endpoint: TokenEndpoint, request: TokenRequest, address: string): Promise<ApiClient> {
  const { throttle, directory } = endpoint;
  const { clientId, usedBasic } = request;
  throttle.checkFailures(address, clientId);
  const client =
    findClient(endpoint, request, await directory.current()) ?? findClient(endpoint, request, await directory.reload());
  if (client) return client;
  throttle.countFailure(address, clientId);
  throw new TokenError(
    'invalid_client',
    'The client is unknown, or its secret is wrong.',
    usedBasic ? { 'www-authenticate': 'Basic realm="flaghoist", charset="UTF-8"' } : {},
  );
}

function findClient(
  { encryption, clock }: TokenEndpoint,
  { clientId, clientSecret }: TokenRequest,
  access: Access,
): ApiClient | undefined {
  const client = access.clients.get(clientId);
  const nowMs = databaseNowMs(access, clock);
  const isSecretRight = isSecretOf(client, { clientId, secret: clientSecret }, { encryption, nowMs });
  return isSecretRight && client?.isActive && client.user.isActive ? client : undefined;
}

/** Compared exactly, including a trailing slash. */
function checkAudience(endpoint: TokenEndpoint, { audience }: TokenRequest, client: ApiClient): void {
  if (audience !== endpoint.audience || !client.audiences.includes(audience))
    throw new TokenError(
      'access_denied',
      'This installation has no such audience, or the client has not been granted it.',
    );
}

/** Without a `scope` parameter, the client gets all scopes that it has been granted. */
function grantScopes({ scope }: TokenRequest, client: ApiClient): Scope[] {
  if (scope === undefined || scope === '') return [...client.scopes];
  const granted = withIncluded(client.scopes);
  const asked = [...new Set(scope.split(' '))];
  if (!asked.every((one) => isScope(one) && granted.has(one)))
    throw new TokenError('invalid_scope', 'A requested scope has not been granted to the client.');
  return asked as Scope[];
}
