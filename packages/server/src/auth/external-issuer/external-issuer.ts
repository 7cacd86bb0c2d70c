// Verifies tokens of an external issuer (Auth0, Keycloak, Entra and others) with the keys that the issuer publishes.
// No key location in a token is followed. Without any known keys, every token is rejected.

import { compactVerify } from 'jose';
import type { Clock } from '../../clock.ts';
import type { JsonObject } from '../../json/parse-json.ts';
import { judgeClaims, secondsOf } from '../tokens/token-claims.ts';
import { readTokenForm } from '../tokens/token-form.ts';
import { badToken, expiredToken, type TokenVerifier, type VerifiedToken } from '../tokens/verified-token.ts';
import type { KnownKeys } from './known-keys.ts';

export interface ExternalIssuerParts {
  keys: KnownKeys;
  audience: string;
  clock: Clock;
}

const algorithms = ['RS256', 'PS256', 'ES256'];
const accessTokenType = /^(jwt|(application\/)?at\+jwt)$/i;

export class ExternalIssuer implements TokenVerifier {
  readonly #parts: ExternalIssuerParts;

  constructor(parts: ExternalIssuerParts) {
    this.#parts = parts;
  }

  async verify(token: string): Promise<VerifiedToken> {
    const form = readTokenForm(token);
    if (!form || form.kid === '' || !accessTokenType.test(form.type) || !algorithms.includes(form.algorithm))
      throw badToken();
    const { algorithm, kid, claims } = form;
    const { audience, clock } = this.#parts;
    const { issuer, keys } = await this.#parts.keys.forKid(kid);
    const key = keys.get(kid);
    if (!key?.algorithms.includes(algorithm)) throw badToken();
    await compactVerify(token, key.publicKey, { algorithms: [algorithm] }).catch(() => {
      throw badToken();
    });
    const nowSeconds = Math.floor(clock.now().getTime() / 1000);
    const verdict = judgeClaims(claims, { issuer, audience, nowSeconds });
    const clientId = readClientId(claims);
    if (verdict === 'bad' || clientId === undefined || isIdToken(claims)) throw badToken();
    if (verdict === 'expired') throw expiredToken();
    return {
      clientId,
      clientKey: undefined,
      scopes: undefined,
      expiresAtMs: secondsOf(claims.get('exp'))! * 1000,
      signedBy: key.thumbprint,
    };
  }

  isTrusted({ signedBy }: VerifiedToken): boolean {
    return this.#parts.keys.hasThumbprint(signedBy);
  }
}

/** RFC 9068 uses `client_id`; Auth0, Keycloak and Entra 2.0 use `azp`; Entra 1.0 uses `appid`. */
function readClientId(claims: JsonObject): string | undefined {
  const name = ['client_id', 'azp', 'appid'].find((claim) => claims.has(claim));
  const clientId = claims.get(name ?? 'sub');
  if (typeof clientId !== 'string' || clientId === '') return undefined;
  return name === undefined ? clientId.replace(/@clients$/, '') : clientId;
}

/**
 * An ID token says who signed in to a client and grants no access. It may have the same `typ` and audience as an
 * access token (RFC 8725 §3.12).
 */
function isIdToken(claims: JsonObject): boolean {
  return ['nonce', 'at_hash', 'c_hash'].some((claim) => claims.has(claim));
}
