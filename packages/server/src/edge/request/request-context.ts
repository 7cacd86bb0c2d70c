// The caller of a request and the model that the caller can see. Both are determined once, before the body is read, and
// stored with the request.

import { quoteText } from '@flaghoist/source-text';
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Authenticator } from '../../auth/authenticator.ts';
import type { Identity } from '../../auth/directory/identity.ts';
import { missingScope, missingToken } from '../../auth/tokens/verified-token.ts';
import { viewAsHeader } from '../../auth/view-as/identify-viewed.ts';
import { ApiError } from '../../errors.ts';
import { isKnownVersion, newestVersion, oldestVersion } from '../../model/api-versions.ts';
import type { VisibleModels } from '../../model/narrow-model.ts';
import type { Model, ObjectType } from '../../model/object-type.ts';
import { type Scope, scopesNeeded } from '../../model/scopes.ts';
import type { Caller } from '../../objects/caller.ts';
import { isKeyText } from '../../query/attributes/attribute-value.ts';
import { singleHeader } from './request-reader.ts';

export interface RequestContext {
  caller: Caller;
  scopes: ReadonlySet<Scope>;
  apiVersion: string;
  /** The model as the caller sees it: limited by API version and scopes. */
  model: Model;
  /** An administrator looks as this caller. */
  isView: boolean;
}

export interface AuthenticationParts {
  authenticator: Authenticator;
  visibleModels: VisibleModels;
}

export async function authenticateRequest(
  request: FastifyRequest,
  { authenticator, visibleModels }: AuthenticationParts,
): Promise<void> {
  const { isView, caller, scopes, apiVersion } = await identifyCaller(request, authenticator);
  const version = readVersion(request) ?? apiVersion;
  request.callerContext = {
    caller,
    scopes,
    apiVersion: version,
    model: visibleModels.for({ version, scopes }),
    isView,
  };
}

/** Who calls now. A response that stays open calls it again and again. */
export async function identifyCaller(
  request: FastifyRequest,
  authenticator: Authenticator,
): Promise<Identity & { isView: boolean }> {
  const identity = await authenticator.identify(request.headers.authorization);
  const viewed = singleHeader(viewAsHeader, request.headers[viewAsHeader]);
  if (viewed === undefined) return { ...identity, isView: false };
  if (!isKeyText(viewed))
    throw new ApiError('invalidHeader', `The header "${viewAsHeader}" must be the key of an ApiUser.`);
  if (!looks.has(request.method))
    throw new ApiError(
      'viewOnly',
      `As another user you can only look. Send GET or HEAD, or omit the header "${viewAsHeader}".`,
    );
  return { ...(await authenticator.viewAs(identity, Number(viewed))), isView: true };
}

const looks = new Set(['GET', 'HEAD']);

export function contextOf({ callerContext }: FastifyRequest): RequestContext {
  if (!callerContext) throw missingToken();
  return callerContext;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the caller is authenticated, and for all requests outside of `/ws/rest`. */
    callerContext: RequestContext | null;
  }
}

/** The type as the caller sees it. */
export function visibleType(request: FastifyRequest, type: ObjectType): ObjectType {
  return contextOf(request).model.types.get(type.name)!;
}

/** For `onRequest` of a route: rejects a request without the scope before its body is read. */
export function requireScope(scope: Scope): onRequestHookHandler {
  const needed = scopesNeeded(scope);
  return function checkScope(request, _reply, done) {
    const { scopes } = contextOf(request);
    const missing = needed.find((one) => !scopes.has(one));
    done(missing && missingScope(missing));
  };
}

function readVersion(request: FastifyRequest): string | undefined {
  const version = singleHeader('API-Version', request.headers['api-version']);
  if (version === undefined || isKnownVersion(version)) return version;
  throw new ApiError(
    'invalidHeader',
    `The header "API-Version" is ${quoteText(version)}; supported are versions ${oldestVersion} to ${newestVersion}.`,
  );
}
