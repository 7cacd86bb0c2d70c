// Decides a token request in the order of RFC 6749: who the client is, whether its secret is right, what it requests,
// and whether that has been granted.

import type { Clock } from '../../clock.ts';
import { isScope, type Scope, withIncluded } from '../../model/scopes.ts';
import type { Observe } from '../../observe/observation.ts';
import type { ApiClient } from '../directory/access.ts';
import type { AccessDirectory } from '../directory/access-directory.ts';
import type { Encryption } from '../encryption/encryption.ts';
import type { OwnIssuer } from '../own-issuer/own-issuer.ts';
import { authenticateClient } from './authenticate-client.ts';
import { TokenError } from './token-error.ts';
import { readTokenRequest, type SentTokenRequest, type TokenRequest } from './token-request.ts';
import { retryAfter, type TokenThrottle } from './token-throttle.ts';

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
  rejectTooMany(endpoint.throttle.countRequest(address));
  const request = readTokenRequest(sent);
  checkGrant(request);
  const client = await identifyClient(endpoint, request, address);
  checkAudience(endpoint, request, client);
  const scopes = grantScopes(request, client);
  rejectTooMany(endpoint.throttle.countToken(client.clientId));
  const access = await endpoint.directory.current();
  const { lifetimeSeconds } = endpoint;
  const subject = { clientId: client.clientId, clientKey: client.key };
  const token = await endpoint.issuer.sign({ subject, scopes, lifetimeSeconds }, access);
  endpoint.observe({ kind: 'token.issued', clientId: client.clientId });
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: lifetimeSeconds,
    scope: scopes.join(' '),
  };
}

function checkGrant({ grantType }: TokenRequest): void {
  if (grantType !== 'client_credentials')
    throw new TokenError('unsupported_grant_type', 'The only grant_type is client_credentials.');
}

async function identifyClient(endpoint: TokenEndpoint, request: TokenRequest, address: string): Promise<ApiClient> {
  const result = await authenticateClient(endpoint, request, address);
  switch (result.kind) {
    case 'authenticated':
      return result.client;
    case 'limited':
      throw tooManyRequests(result.waitMs);
    case 'rejected':
      throw new TokenError(
        'invalid_client',
        'The client is unknown, or its secret is wrong.',
        request.usedBasic ? { 'www-authenticate': 'Basic realm="flaghoist", charset="UTF-8"' } : {},
      );
  }
}

function rejectTooMany(waitMs: number): void {
  if (waitMs > 0) throw tooManyRequests(waitMs);
}

function tooManyRequests(waitMs: number): TokenError {
  return new TokenError('too_many_requests', 'Too many token requests. A token can be used until it expires.', {
    'retry-after': retryAfter(waitMs),
  });
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
