// Verifies the signature of any token of an external issuer, and judges its claims. What the token is for is checked by
// the caller.

import { compactVerify } from 'jose';
import type { Clock } from '../../clock.ts';
import type { JsonObject } from '../../json/parse-json.ts';
import { type ClaimsVerdict, judgeClaims } from '../tokens/token-claims.ts';
import type { TokenForm } from '../tokens/token-form.ts';
import { badToken } from '../tokens/verified-token.ts';
import type { VerifyingKey } from './key-set.ts';
import type { KnownKeys } from './known-keys.ts';

const algorithms = ['RS256', 'PS256', 'ES256'];

export interface SignedToken {
  token: string;
  form: TokenForm;
  audience: string;
}

export interface SignedClaims {
  verdict: ClaimsVerdict;
  claims: JsonObject;
  key: VerifyingKey;
}

/** Throws `badToken` if the signature is not that of the issuer. */
export async function verifySigned(
  { token, form, audience }: SignedToken,
  { keys: known, clock }: { keys: KnownKeys; clock: Clock },
): Promise<SignedClaims> {
  const { algorithm, kid, claims } = form;
  if (kid === '' || !algorithms.includes(algorithm)) throw badToken();
  const { issuer, keys } = await known.forKid(kid);
  const key = keys.get(kid);
  if (!key?.algorithms.includes(algorithm)) throw badToken();
  await compactVerify(token, key.publicKey, { algorithms: [algorithm] }).catch(() => {
    throw badToken();
  });
  const nowSeconds = Math.floor(clock.now().getTime() / 1000);
  return { verdict: judgeClaims(claims, { issuer, audience, nowSeconds }), claims, key };
}
