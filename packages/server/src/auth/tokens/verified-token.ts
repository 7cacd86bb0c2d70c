// The content of a verified token, whether the built-in issuer or an external one issued it. Later steps do not depend
// on the issuer.

import { ApiError } from '../../errors.ts';
import type { Scope } from '../../model/scopes.ts';
import type { Access } from '../directory/access.ts';

export interface VerifiedToken {
  clientId: string;
  /** Undefined if the issuer does not know the key. A client that is recreated with an old id has a new key. */
  clientKey: number | undefined;
  /** Only in a token of the console: the user that has signed in with a link. Such a token belongs to no client. */
  userKey?: number;
  /** Undefined: all scopes that the client has been granted. */
  scopes: readonly Scope[] | undefined;
  expiresAtMs: number;
  /**
   * The signing key: its id for the built-in issuer, its thumbprint for an external issuer. When the key is no longer
   * trusted, the token is not trusted either.
   */
  signedBy: string;
}

/** Throws `badToken` or `expiredToken`. */
export interface TokenVerifier {
  verify(token: string, access: Access): Promise<VerifiedToken>;
  /** Whether the key that signed a previously verified token is still trusted. */
  isTrusted(token: VerifiedToken, access: Access): boolean;
}

/** Does not say which check failed: only someone who forges tokens would benefit. */
export function badToken(): ApiError {
  return new ApiError('unauthorized', 'The token is not valid.', { headers: challenge('invalid_token') });
}

export function expiredToken(): ApiError {
  return new ApiError('tokenExpired', 'Token expired.', { headers: challenge('invalid_token') });
}

/** RFC 6750 §3.1: a request without credentials gets no error code. */
export function missingToken(): ApiError {
  return new ApiError('unauthorized', 'A token is required: Authorization: Bearer <token>.', {
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
