// Who is calling, and what the interface looks like to them: worked out once, before the body of a request is read, and kept
// with the request.

import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Authenticator, Identity } from '../auth/authenticator.ts';
import { missingScope, missingToken } from '../auth/tokens/verified-token.ts';
import { ApiError } from '../errors.ts';
import { quoteText } from '../json/printable.ts';
import { isKnownVersion, newestVersion, oldestVersion } from '../model/api-versions.ts';
import type { SeenModels } from '../model/narrow-model.ts';
import type { Model, ObjectType } from '../model/object-type.ts';
import { type Scope, scopesNeeded } from '../model/scopes.ts';
import type { Caller } from '../objects/caller.ts';
import { singleHeader } from './asked-for.ts';

export interface Visitor {
  caller: Caller;
  scopes: ReadonlySet<Scope>;
  apiVersion: string;
  /** As the caller sees it. */
  model: Model;
}

export interface VisitorParts {
  authenticator: Authenticator;
  seenModels: SeenModels;
}

/** A promise only where the token is not known yet. */
export function recogniseVisitor(
  request: FastifyRequest,
  { authenticator, seenModels }: VisitorParts,
): void | Promise<void> {
  const meet = (identity: Identity) => {
    request.visitor = introduce(request, identity, seenModels);
  };
  const identity = authenticator.identify(request.headers.authorization);
  return identity instanceof Promise ? identity.then(meet) : meet(identity);
}

export function visitorOf({ visitor }: FastifyRequest): Visitor {
  if (!visitor) throw missingToken();
  return visitor;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the caller is known, and outside of the resources. */
    visitor: Visitor | null;
  }
}

/** The type as the caller sees it. */
export function typeSeen(request: FastifyRequest, type: ObjectType): ObjectType {
  return visitorOf(request).model.types.get(type.name)!;
}

/** For a route's `onRequest`: those who lack the scope are turned away before their body is read. */
export function requireScope(scope: Scope): onRequestHookHandler {
  const needed = scopesNeeded(scope);
  return function checkScope(request, _reply, done) {
    const { scopes } = visitorOf(request);
    const missing = needed.find((one) => !scopes.has(one));
    done(missing && missingScope(missing));
  };
}

function introduce(request: FastifyRequest, { caller, scopes, apiVersion }: Identity, seenModels: SeenModels): Visitor {
  const version = readVersion(request) ?? apiVersion;
  return { caller, scopes, apiVersion: version, model: seenModels.for({ version, scopes }) };
}

function readVersion(request: FastifyRequest): string | undefined {
  const version = singleHeader('API-Version', request.headers['api-version']);
  if (version === undefined || isKnownVersion(version)) return version;
  throw new ApiError(
    'invalidHeader',
    `The header "API-Version" is ${quoteText(version)}; known are the versions from ${oldestVersion} to ${newestVersion}.`,
  );
}
