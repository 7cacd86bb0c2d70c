// Who is calling, as a request needs to know it.

import { newestVersion } from '../../model/api-versions.ts';
import { type Scope, withIncluded } from '../../model/scopes.ts';
import type { Caller } from '../../objects/caller.ts';
import type { Grant } from './grant.ts';

export interface Identity {
  caller: Caller;
  scopes: ReadonlySet<Scope>;
  /** The API version for requests that do not name one. */
  apiVersion: string;
}

/** `tokenScopes`: undefined for a token that has all scopes of its client. */
export function identityOfGrant({ user, client, scopes }: Grant, tokenScopes?: readonly Scope[]): Identity {
  const held = tokenScopes ? withIncluded(tokenScopes) : scopes;
  // A scope that was revoked after the token was issued does not apply to the token either.
  const both = withIncluded([...held].filter((scope) => scopes.has(scope)));
  return {
    caller: { userKey: user.key, client, isAdmin: both.has('admin'), edition: user.edition },
    scopes: both,
    apiVersion: user.apiVersion ?? newestVersion,
  };
}
