// Verifies tokens of an external issuer (Auth0, Keycloak, Entra and others) with the keys that the issuer publishes.
// No key location in a token is followed. Without any known keys, every token is rejected.

import type { Clock } from '../../clock.ts';
import type { JsonObject } from '../../json/parse-json.ts';
import { secondsOf } from '../tokens/token-claims.ts';
import { readTokenForm } from '../tokens/token-form.ts';
import { badToken, expiredToken, type TokenVerifier, type VerifiedToken } from '../tokens/verified-token.ts';
import type { KnownKeys } from './known-keys.ts';
import { verifySigned } from './verify-signed.ts';

export interface ExternalIssuerParts {
  keys: KnownKeys;
  audience: string;
  clock: Clock;
  /** The id of the console at the issuer. */
  consoleClientId: string | undefined;
}

const accessTokenType = /^(jwt|(application\/)?at\+jwt)$/i;

export class ExternalIssuer implements TokenVerifier {
  readonly #parts: ExternalIssuerParts;

  constructor(parts: ExternalIssuerParts) {
    this.#parts = parts;
  }

  async verify(token: string): Promise<VerifiedToken> {
    const form = readTokenForm(token);
    if (!form || !accessTokenType.test(form.type)) throw badToken();
    const { keys, audience, clock, consoleClientId } = this.#parts;
    const { verdict, claims, key } = await verifySigned({ token, form, audience }, { keys, clock });
    const clientId = readClientId(claims, consoleClientId);
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
function readClientId(claims: JsonObject, consoleClientId: string | undefined): string | undefined {
  const name = ['client_id', 'azp', 'appid'].find((claim) => claims.has(claim));
  const clientId = claims.get(name ?? 'sub');
  if (typeof clientId !== 'string' || clientId === '') return undefined;
  if (name === undefined) return clientId.replace(/@clients$/, '');
  return clientId === consoleClientId ? (personOf(claims, clientId) ?? clientId) : clientId;
}

/**
 * A person who signs in to the console is an ApiClient with the id `sub:` and the `sub` of the token. The prefix
 * separates persons from programs: some issuers let people choose their `sub`.
 */
function personOf(claims: JsonObject, clientId: string): string | undefined {
  const subject = claims.get('sub');
  const isPerson = typeof subject === 'string' && subject !== clientId && subject !== `${clientId}@clients`;
  return isPerson ? `sub:${subject}` : undefined;
}

/**
 * An ID token says who signed in to a client and grants no access. It may have the same `typ` and audience as an
 * access token (RFC 8725 §3.12).
 */
function isIdToken(claims: JsonObject): boolean {
  return ['nonce', 'at_hash', 'c_hash'].some((claim) => claims.has(claim));
}
