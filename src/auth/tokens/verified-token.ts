// What a good token says. Two issuers make such tokens, the built-in one and an external one; whoever goes on from here
// does not see which.

import { ApiError } from '../../errors.ts';
import type { Scope } from '../../model/scopes.ts';
import type { Access } from '../directory/access.ts';

export interface VerifiedToken {
  clientId: string;
  /** Undefined where the issuer does not know it. A client that is made anew under an old id has another. */
  clientKey: number | undefined;
  /** Undefined: all that the client has been granted. */
  scopes: readonly Scope[] | undefined;
  expiresAtMs: number;
  /** The key it was signed with (our own by its id, an external one by its thumbprint): once that is not trusted, the token is not. */
  signedBy: string;
}

/** Throws `badToken` or `expiredToken`. */
export interface TokenVerifier {
  verify(token: string, access: Access): Promise<VerifiedToken>;
  /** Whether a token that was good before is still signed by a key that is trusted. */
  isTrusted(token: VerifiedToken, access: Access): boolean;
}

/** Says no more than it must: which of the checks failed is of use only to whoever forges tokens. */
export function badToken(): ApiError {
  return new ApiError('unauthorized', 'The token is not valid.', { headers: challenge('invalid_token') });
}

export function expiredToken(): ApiError {
  return new ApiError('tokenExpired', 'Token expired.', { headers: challenge('invalid_token') });
}

/** RFC 6750 §3.1: without credentials there is no error to be named. */
export function missingToken(): ApiError {
  return new ApiError('unauthorized', 'A token is needed, as Authorization: Bearer <token>.', {
    headers: challenge(undefined),
  });
}

export function missingScope(scope: Scope): ApiError {
  return new ApiError('insufficientScope', `The token lacks the scope ${scope}, which this request needs.`, {
    headers: challenge('insufficient_scope', scope),
  });
}

function challenge(error: string | undefined, scope?: Scope): Record<string, string> {
  const parts = ['realm="flaghoist"'];
  if (error) parts.push(`error="${error}"`);
  if (scope) parts.push(`scope="${scope}"`);
  return { 'www-authenticate': `Bearer ${parts.join(', ')}` };
}
