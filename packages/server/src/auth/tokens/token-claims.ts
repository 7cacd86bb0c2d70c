// Checks the claims of a token: RFC 9068 §4 and RFC 7519 §4.1. Only for tokens with a verified signature, because the
// caller learns whether the token has expired.

import { tokenLifetimeMaxSeconds } from '../../config/settings-table.ts';
import { type JsonObject, type JsonValue, NumberLiteral } from '../../json/parse-json.ts';

export interface ExpectedClaims {
  issuer: string;
  audience: string;
  nowSeconds: number;
}

export type ClaimsVerdict = 'good' | 'expired' | 'bad';

/** How far the clock of another machine may be ahead. */
const leewaySeconds = 30;

/** An issuer may round `iat` down and `exp` up. */
const roundingSeconds = 1;

/** `sub` may be missing: Keycloak omits it unless the client has the scope `basic`. */
export function judgeClaims(claims: JsonObject, { issuer, audience, nowSeconds }: ExpectedClaims): ClaimsVerdict {
  const [expires, issued] = [secondsOf(claims.get('exp')), secondsOf(claims.get('iat'))];
  const notBefore = claims.has('nbf') ? secondsOf(claims.get('nbf')) : 0;
  if (expires === undefined || issued === undefined || notBefore === undefined) return 'bad';
  if (claims.get('iss') !== issuer || !isForAudience(claims.get('aud'), audience)) return 'bad';
  if (['sub', 'client_id'].some((name) => claims.has(name) && !isName(claims.get(name)))) return 'bad';
  if (issued > nowSeconds + leewaySeconds || notBefore > nowSeconds + leewaySeconds) return 'bad';
  if (expires <= issued || expires - issued > tokenLifetimeMaxSeconds + roundingSeconds) return 'bad';
  return expires > nowSeconds ? 'good' : 'expired';
}

/** Whole seconds since 1970. */
export function secondsOf(value: JsonValue | undefined): number | undefined {
  return value instanceof NumberLiteral && /^\d{1,11}$/.test(value.text) ? Number(value.text) : undefined;
}

function isForAudience(value: JsonValue | undefined, audience: string): boolean {
  if (!Array.isArray(value)) return value === audience;
  return value.every((one) => typeof one === 'string') && value.includes(audience);
}

function isName(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value.length >= 1 && value.length <= 255;
}
