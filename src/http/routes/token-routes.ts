// The built-in issuer over HTTP: the token endpoint, its metadata (RFC 8414) and its keys. Transport only; what is decided is
// in `auth/`. Answers of the token endpoint are never to be stored, and its errors have the body of RFC 6749.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { databaseNowMs, isVerifying } from '../../auth/directory/access.ts';
import { issueToken, type TokenEndpoint } from '../../auth/token-endpoint/issue-token.ts';
import { TokenError, type TokenErrorCode } from '../../auth/token-endpoint/token-error.ts';
import type { SentTokenRequest } from '../../auth/token-endpoint/token-request.ts';
import type { ApiError } from '../../errors.ts';
import { scopes } from '../../model/scopes.ts';
import { mediaTypeOf } from '../media-type.ts';

export const tokenPath = '/oauth/token';

export function addTokenRoutes(app: FastifyInstance, endpoint: TokenEndpoint, baseUrl: string): void {
  app.post(tokenPath, { bodyLimit: 65_536 }, async (request, reply) => {
    refuseQuery(request);
    return reply.send(await issueToken(endpoint, readSent(request), request.ip));
  });

  app.options(tokenPath, async (_, reply) => reply.code(204).header('allow', 'POST, OPTIONS').send());

  app.get('/.well-known/oauth-authorization-server', async (_, reply) =>
    reply.header('cache-control', 'public, max-age=300').send({
      issuer: baseUrl,
      token_endpoint: `${baseUrl}${tokenPath}`,
      jwks_uri: `${baseUrl}/.well-known/jwks.json`,
      grant_types_supported: ['client_credentials'],
      response_types_supported: [],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      scopes_supported: scopes,
      service_documentation: `${baseUrl}/docs`,
    }),
  );

  app.get('/.well-known/jwks.json', async (_, reply) => {
    const access = await endpoint.directory.current();
    const nowMs = databaseNowMs(access, endpoint.clock);
    const keys = [...access.signingKeys.values()].filter((key) => isVerifying(key, nowMs));
    // A new key signs a few seconds after it is published: a cache that kept the old set for longer would hide it.
    return reply
      .header('cache-control', 'no-cache')
      .type('application/jwk-set+json')
      .send({ keys: keys.map(({ publicJwk }) => publicJwk) });
  });
}

/** RFC 6749 §5.1, on errors too. */
export const tokenHeaders = { 'cache-control': 'no-store', pragma: 'no-cache' };

export function sendTokenError(reply: FastifyReply, { code, status, message, headers }: TokenError): FastifyReply {
  return reply
    .code(status)
    .headers(headers)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ error: code, error_description: describable(message) }));
}

/** Of what went wrong before the request got to the endpoint. */
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

/** RFC 6749 §5.2 allows neither quote nor backslash, nor anything outside of ASCII. */
function describable(message: string): string {
  return message.replaceAll('"', "'").replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?');
}

/** A secret in a URL ends up in logs: it is not taken from there. */
function refuseQuery({ url }: FastifyRequest): void {
  if (url.includes('?'))
    throw new TokenError('invalid_request', 'The parameters belong into the body, not into the URL.');
}

function readSent(request: FastifyRequest): SentTokenRequest {
  const type = mediaTypeOf(request, ['application/json', 'application/x-www-form-urlencoded']);
  return {
    body: request.body instanceof Buffer ? request.body : Buffer.alloc(0),
    format: type === 'application/json' ? 'json' : 'form',
    authorization: request.headers.authorization,
  };
}
