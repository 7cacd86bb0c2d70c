// Asks the token endpoint of an external issuer (RFC 6749 §3.2) for tokens: with a code, or with a refresh token.

import type { OperatorPost, OperatorResponse } from '../../channels/http/operator-get.ts';
import type { JsonObject, JsonValue } from '../../json/parse-json.ts';
import { readJson, unusable } from '../external-issuer/fetch-json.ts';
import type { SignInEndpoints } from '../external-issuer/issuer-keys.ts';

export interface ConsoleClient {
  clientId: string;
  /** Undefined: a public client. */
  clientSecret: string | undefined;
}

export interface IssuerTokens {
  accessToken: string;
  refreshToken: string | undefined;
  idToken: string | undefined;
}

export type IssuerAnswer =
  | { kind: 'tokens'; tokens: IssuerTokens }
  /** RFC 6749 §5.2 `invalid_grant`: the code or refresh token is wrong, used or expired. */
  | { kind: 'rejected' }
  /** The fault is not that of the person who signs in. */
  | { kind: 'fault'; reason: string }
  | { kind: 'away'; reason: string };

const deadlineMs = 10_000;

export async function askIssuer(
  post: OperatorPost,
  endpoints: SignInEndpoints,
  client: ConsoleClient,
  parameters: Record<string, string>,
): Promise<IssuerAnswer> {
  const { tokenUrl } = endpoints;
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(new Error(`did not respond within ${deadlineMs} ms`)), deadlineMs);
  try {
    const credentials = authenticate(client, endpoints);
    const body = new URLSearchParams({ ...parameters, ...credentials.parameters }).toString();
    const headers = {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      ...credentials.headers,
    };
    return await readAnswer(await post(tokenUrl, headers, body, deadline.signal), tokenUrl, deadline.signal);
  } catch (error) {
    return { kind: 'away', reason: unusable(tokenUrl, error).message };
  } finally {
    clearTimeout(timer);
  }
}

interface SentCredentials {
  headers: Record<string, string>;
  parameters: Record<string, string>;
}

/** RFC 6749 §2.3.1. Basic is the default of OpenID Connect Discovery. */
function authenticate(
  { clientId, clientSecret }: ConsoleClient,
  { clientAuthentication }: SignInEndpoints,
): SentCredentials {
  if (clientSecret === undefined) return { headers: {}, parameters: { client_id: clientId } };
  const methods = clientAuthentication ?? ['client_secret_basic'];
  if (!methods.includes('client_secret_basic') && methods.includes('client_secret_post'))
    return { headers: {}, parameters: { client_id: clientId, client_secret: clientSecret } };
  const credentials = [clientId, clientSecret].map(encodeForm).join(':');
  return { headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }, parameters: {} };
}

function encodeForm(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}

async function readAnswer(response: OperatorResponse, tokenUrl: string, signal: AbortSignal): Promise<IssuerAnswer> {
  const { status } = response;
  if (status >= 500 || status === 429) {
    await response.body?.cancel();
    return { kind: 'away', reason: `${tokenUrl} responded with status ${status}.` };
  }
  const value = await readJson(response, signal);
  const members = value instanceof Map ? value : new Map<string, JsonValue>();
  if (status === 200) return readTokens(members, tokenUrl);
  const error = members.get('error');
  if (error === 'invalid_grant') return { kind: 'rejected' };
  // Only a name, because a description may repeat what was sent.
  const name = typeof error === 'string' && /^[\w.-]{1,64}$/.test(error) ? error : `status ${status}`;
  return { kind: 'fault', reason: `${tokenUrl} responded with ${name}.` };
}

function readTokens(members: JsonObject, tokenUrl: string): IssuerAnswer {
  const [accessToken, type] = [members.get('access_token'), members.get('token_type')];
  if (typeof accessToken !== 'string' || typeof type !== 'string' || type.toLowerCase() !== 'bearer')
    return { kind: 'fault', reason: `${tokenUrl} responded without a Bearer token.` };
  return {
    kind: 'tokens',
    tokens: { accessToken, refreshToken: textOf(members, 'refresh_token'), idToken: textOf(members, 'id_token') },
  };
}

function textOf(members: JsonObject, name: string): string | undefined {
  const value = members.get(name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
