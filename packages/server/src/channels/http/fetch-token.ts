// Requests an access token with the credentials of a client (RFC 6749 §4.4). Nothing that the token endpoint answers is
// stored or shown, except for known error codes: it may repeat the secret.

import type { OAuth2 } from '../receiver-auth.ts';
import { type Failed, failed, type OwnFault, type SendResult } from '../send-result.ts';
import { bodyBytesMax } from './exchange.ts';
import type { HttpChannel, HttpMessage } from './http-channel.ts';

export type TokenAnswer = Token | NoToken;

export interface Token {
  readonly kind: 'token';
  readonly text: string;
  readonly lifetimeMs: number;
}

export interface NoToken {
  readonly kind: 'none';
  readonly result: Failed | OwnFault;
  /** The endpoint does not accept the credentials in this place. */
  readonly isClientRejected: boolean;
}

/** Where a request has the client id and secret (RFC 6749 §2.3.1). */
export type CredentialsPlace = 'header' | 'body';

/** How long a token without `expires_in` is used. */
const defaultLifetimeMs = 300_000;

export function fetchToken(
  http: HttpChannel,
  auth: OAuth2,
  place: CredentialsPlace,
  timeoutMs: number,
): Promise<TokenAnswer> {
  const message = { ...tokenRequest(auth, place), keptBytes: bodyBytesMax, timeoutMs };
  return new Promise((resolve) => http.send(message, (result, body) => resolve(readAnswer(result, body))));
}

export function noToken(why: string): NoToken {
  return { kind: 'none', result: failed(`No token: ${why}`), isClientRejected: false };
}

function tokenRequest(auth: OAuth2, place: CredentialsPlace): HttpMessage {
  const { tokenUrl, clientId, clientSecret, scope, audience } = auth;
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  if (scope !== undefined) form.set('scope', scope);
  if (audience !== undefined) form.set('audience', audience);
  const headers = ['content-type', 'application/x-www-form-urlencoded', 'accept', 'application/json'];
  if (place === 'header') headers.push('authorization', basicCredentials(clientId, clientSecret));
  else {
    form.set('client_id', clientId);
    form.set('client_secret', clientSecret);
  }
  return { url: tokenUrl, headers, body: form.toString() };
}

/** Unlike elsewhere in HTTP, both are form-encoded first. */
function basicCredentials(clientId: string, clientSecret: string): string {
  const encode = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);
  return `Basic ${Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString('base64')}`;
}

function readAnswer(result: SendResult, body: Buffer | undefined): TokenAnswer {
  if (result.kind === 'ownFault') return { kind: 'none', result, isClientRejected: false };
  if (result.kind === 'failed') return readFailure(result, body);
  if (body && body.length >= bodyBytesMax) return noToken('the response of the token endpoint is too large.');
  const answer = parseObject(body);
  return answer ? readToken(answer) : noToken('the response of the token endpoint is not a JSON object.');
}

function readToken({ access_token: text, token_type: type, expires_in }: Record<string, unknown>): TokenAnswer {
  if (type !== undefined && String(type).toLowerCase() !== 'bearer')
    return noToken('the token endpoint gives tokens of another type than Bearer.');
  if (typeof text !== 'string' || !/^[\x21-\x7e]+$/.test(text))
    return noToken('the response of the token endpoint has no valid access_token.');
  const seconds = typeof expires_in === 'string' && expires_in !== '' ? Number(expires_in) : expires_in;
  const isGiven = typeof seconds === 'number' && seconds >= 0;
  return { kind: 'token', text, lifetimeMs: isGiven ? seconds * 1_000 : defaultLifetimeMs };
}

function readFailure(result: Failed, body: Buffer | undefined): NoToken {
  const { statusCode, retryAfterMs } = result;
  if (statusCode === null) return noToken(`the request to the token endpoint failed. ${result.reason}`);
  const error = parseObject(body)?.error;
  const code = errorCodes.find((known) => known === error);
  const detail = statusCode >= 300 && statusCode < 400 ? ': redirects are not followed' : code ? ` ${code}` : '';
  return {
    kind: 'none',
    result: { ...failed(`No token: the token endpoint answered ${statusCode}${detail}.`), retryAfterMs },
    isClientRejected: statusCode === 401 || code === 'invalid_client',
  };
}

/** RFC 6749 §5.2, RFC 8707 §2, and what well-known servers add. */
const errorCodes = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'invalid_target',
  'access_denied',
  'server_error',
  'temporarily_unavailable',
] as const;

function parseObject(body: Buffer | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body?.toString('utf8') ?? '');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
