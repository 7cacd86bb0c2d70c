// The built-in issuer over HTTP: the token endpoint, its metadata (RFC 8414) and its keys. Transport only; decisions
// are made in `auth/`. Responses of the token endpoint must not be stored, and its errors have the body of RFC 6749.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { databaseNowMs, isVerifying } from '../../auth/directory/access.ts';
import { issueToken, type TokenEndpoint } from '../../auth/token-endpoint/issue-token.ts';
import { TokenError, type TokenErrorCode } from '../../auth/token-endpoint/token-error.ts';
import type { SentTokenRequest } from '../../auth/token-endpoint/token-request.ts';
import type { ApiError } from '../../errors.ts';
import { scopes } from '../../model/scopes.ts';
import { tokenPath } from '../../paths.ts';
import { bodyBytes, mediaTypeOf } from '../request/read-body.ts';

export function addTokenRoutes(app: FastifyInstance, endpoint: TokenEndpoint, baseUrl: string): void {
  app.post(tokenPath, { bodyLimit: 65_536 }, async (request, reply) => {
    rejectQuery(request);
    return reply.send(await issueToken(endpoint, readSent(request), request.ip));
  });

  app.get('/.well-known/oauth-authorization-server', async (_, reply) =>
    reply.header('cache-control', 'public, max-age=300').send({
      issuer: baseUrl,
      token_endpoint: `${baseUrl}${tokenPath}`,
      jwks_uri: `${baseUrl}/.well-known/jwks.json`,
      grant_types_supported: ['client_credentials'],
      // RFC 8414 §2 requires the member, and §3.2 forbids an empty list. There is no authorization endpoint.
      response_types_supported: ['none'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      scopes_supported: scopes,
      service_documentation: `${baseUrl}/docs`,
      audience: endpoint.audience,
    }),
  );

  app.get('/.well-known/jwks.json', async (_, reply) => {
    const access = await endpoint.directory.current();
    const nowMs = databaseNowMs(access, endpoint.clock);
    const keys = [...access.signingKeys.values()].filter((key) => isVerifying(key, nowMs));
    // A new key signs tokens a few seconds after it is published. A cache that keeps the old set longer would hide it.
    return reply
      .header('cache-control', 'no-cache')
      .type('application/jwk-set+json')
      .send({ keys: keys.map(({ publicJwk }) => publicJwk) });
  });
}

/** RFC 6749 §5.1; sent with errors too. */
export const tokenHeaders = { 'cache-control': 'no-store', pragma: 'no-cache' };

export function sendTokenError(reply: FastifyReply, { code, status, message, headers }: TokenError): FastifyReply {
  return reply
    .code(status)
    .headers(headers)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ error: code, error_description: describable(message) }));
}

/** For errors that occur before the request reaches the endpoint. */
export function asTokenError(error: ApiError): TokenError {
  const { retryAfterSeconds } = error;
  const headers = { ...error.headers };
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds);
  return new TokenError(codeOf(error), error.message, headers, error.status);
}

function codeOf({ status }: ApiError): TokenErrorCode {
  if (status === 503 || status === 507) return 'temporarily_unavailable';
  if (status >= 500) return 'server_error';
  return status === 429 ? 'too_many_requests' : 'invalid_request';
}

/** RFC 6749 §5.2 allows no quotes, no backslashes and only ASCII. */
function describable(message: string): string {
  return message.replaceAll('"', "'").replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?');
}

/** URLs end up in logs, so secrets are not accepted there. */
function rejectQuery({ url }: FastifyRequest): void {
  if (url.includes('?')) throw new TokenError('invalid_request', 'The parameters belong in the body, not in the URL.');
}

function readSent(request: FastifyRequest): SentTokenRequest {
  const type = mediaTypeOf(request, ['application/json', 'application/x-www-form-urlencoded']);
  return {
    body: bodyBytes(request),
    format: type === 'application/json' ? 'json' : 'form',
    authorization: request.headers.authorization,
  };
}
