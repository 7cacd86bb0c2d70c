// Whether the token of a response that stays open still allows it.

import type { FastifyRequest } from 'fastify';
import type { Authenticator } from '../../auth/authenticator.ts';
import { ApiError } from '../../errors.ts';
import type { Scope } from '../../model/scopes.ts';
import { contextOf, identifyCaller } from './request-context.ts';

/** `needed`: the scopes that the token must still have. */
export function stillAllowed(
  request: FastifyRequest,
  authenticator: Authenticator,
  needed: Iterable<Scope>,
): () => Promise<boolean> {
  const began = contextOf(request).caller;
  const scopesNeeded = [...needed];
  return async () => {
    try {
      const { caller, scopes } = await identifyCaller(request, authenticator);
      const isSame = caller.userKey === began.userKey && caller.isAdmin === began.isAdmin;
      return isSame && scopesNeeded.every((each) => scopes.has(each));
    } catch (error) {
      // An outage of the database says nothing about the token.
      return !(error instanceof ApiError) || error.status >= 500;
    }
  };
}
