// Verifies tokens of an external issuer (Auth0, Keycloak, Entra and others) with the keys that the issuer publishes.
// No key location in a token is followed. Without any known keys, every token is refused.

import { compactVerify } from 'jose';
import type { Clock } from '../../clock.ts';
import type { JsonObject } from '../../json/parse-json.ts';
import type { Observe } from '../../observe/observation.ts';
import { judgeClaims, secondsOf } from '../tokens/token-claims.ts';
import { readTokenForm } from '../tokens/token-form.ts';
import { badToken, expiredToken, type TokenVerifier, type VerifiedToken } from '../tokens/verified-token.ts';
import { KnownKeys } from './known-keys.ts';

export interface ExternalIssuerParts {
  issuerUrl: string;
  audience: string;
  clock: Clock;
  observe: Observe;
  /** The maximum time that a request waits for keys. */
  deadlineMs?: number;
}

export class ExternalIssuer implements TokenVerifier {
  readonly #audience: string;
  readonly #clock: Clock;
  readonly #keys: KnownKeys;

  constructor({ audience, deadlineMs = 5_000, ...parts }: ExternalIssuerParts) {
    this.#audience = audience;
    this.#clock = parts.clock;
    this.#keys = new KnownKeys({ deadlineMs, ...parts });
  }

  /** The service starts even if the issuer cannot be reached. */
  start(): Promise<void> {
    return this.#keys.start();
  }

  stop(): Promise<void> {
    return this.#keys.stop();
  }

  /** Fetches the current keys of the issuer now. */
  refresh(): Promise<void> {
    return this.#keys.refresh();
  }

  async verify(token: string): Promise<VerifiedToken> {
    const form = readTokenForm(token);
    const header = form && readHeader(form.header);
    if (!header) throw badToken();
    const { issuer, keys } = await this.#keys.forKid(header.kid);
    const key = keys.get(header.kid);
    if (!key?.algorithms.includes(header.algorithm)) throw badToken();
    await compactVerify(token, key.publicKey, { algorithms: [header.algorithm] }).catch(() => {
      throw badToken();
    });
    const { claims } = form;
    const nowSeconds = Math.floor(this.#clock.now().getTime() / 1000);
    const verdict = judgeClaims(claims, { issuer, audience: this.#audience, nowSeconds });
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
    return this.#keys.hasThumbprint(signedBy);
  }
}

/** Undefined: not the header of an access token. Other members (`jku`, `x5u`, `jwk`) are ignored. */
function readHeader(header: JsonObject): { algorithm: string; kid: string } | undefined {
  const [algorithm, kid, type] = [header.get('alg'), header.get('kid'), header.get('typ')];
  const isAccessToken = typeof type === 'string' && /^(jwt|(application\/)?at\+jwt)$/i.test(type);
  if (typeof algorithm !== 'string' || typeof kid !== 'string' || !isAccessToken || header.has('crit'))
    return undefined;
  return kid !== '' && ['RS256', 'PS256', 'ES256'].includes(algorithm) ? { algorithm, kid } : undefined;
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
