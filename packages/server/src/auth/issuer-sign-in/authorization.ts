// The request that a browser takes to an external issuer: authorization code with PKCE (RFC 6749 §4.1, RFC 7636, OpenID
// Connect Core §3.1.2.1). What belongs to it stays in the browser, encrypted, so any process can complete the sign-in.

import { hash, randomBytes } from 'node:crypto';
import type { Encryption } from '../encryption/encryption.ts';

export interface Authorization {
  state: string;
  nonce: string;
  verifier: string;
  /** Milliseconds since 1970. */
  untilMs: number;
}

/** How long a person has to sign in at the issuer. */
export const authorizationSeconds = 600;

export function newAuthorization(nowMs: number): Authorization {
  const [state = '', nonce = '', verifier = ''] = [0, 1, 2].map(() => randomBytes(32).toString('base64url'));
  return { state, nonce, verifier, untilMs: nowMs + authorizationSeconds * 1000 };
}

const purpose = 'console authorization';

export function sealAuthorization(authorization: Authorization, encryption: Encryption): string {
  return encryption.encrypt(purpose, JSON.stringify(authorization));
}

/** Undefined: expired, or not encrypted by this installation. */
export function openAuthorization(sealed: string, encryption: Encryption, nowMs: number): Authorization | undefined {
  try {
    const authorization = JSON.parse(encryption.decrypt(purpose, sealed)) as Authorization;
    return nowMs < authorization.untilMs ? authorization : undefined;
  } catch {
    return undefined;
  }
}

export interface AuthorizationRequest {
  clientId: string;
  redirectUrl: string;
  scope: string;
  /** How the audience of the access token is requested. */
  audience: Record<string, string>;
}

export function authorizationUrl(
  endpoint: string,
  { clientId, redirectUrl, scope, audience }: AuthorizationRequest,
  { state, nonce, verifier }: Authorization,
): string {
  const url = new URL(endpoint);
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUrl,
    scope,
    state,
    nonce,
    code_challenge: hash('sha256', verifier, 'base64url'),
    code_challenge_method: 'S256',
    ...audience,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
