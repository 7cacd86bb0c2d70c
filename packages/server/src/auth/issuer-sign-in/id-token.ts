// Checks the ID token of a sign-in (OpenID Connect Core §3.1.3.7): whether this installation has requested it. Who has
// signed in is read from the access token.

import type { Clock } from '../../clock.ts';
import { ApiError } from '../../errors.ts';
import type { KnownKeys } from '../external-issuer/known-keys.ts';
import { verifySigned } from '../external-issuer/verify-signed.ts';
import { readTokenForm } from '../tokens/token-form.ts';

export interface ExpectedIdToken {
  clientId: string;
  nonce: string;
}

export async function isIdTokenFor(
  token: string,
  { clientId, nonce }: ExpectedIdToken,
  parts: { keys: KnownKeys; clock: Clock },
): Promise<boolean> {
  const form = readTokenForm(token);
  if (!form) return false;
  try {
    const { verdict, claims } = await verifySigned({ token, form, audience: clientId }, parts);
    return verdict === 'good' && claims.get('nonce') === nonce;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return false;
    throw error;
  }
}
