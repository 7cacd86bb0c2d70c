// `/ws/rest/{Resource}/{key}/{action}` and `/ws/rest/{Resource}/{action}`: operations on an object or a type other than
// reading and writing. The model defines the input and output of each action; the composition root provides its
// handler.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Authenticator } from '../../auth/authenticator.ts';
import type { Settings } from '../../config/settings-table.ts';
import { ApiError } from '../../errors.ts';
import { actionScope } from '../../model/action-scope.ts';
import type { Action, Model, ObjectType } from '../../model/object-type.ts';
import { scopesNeeded } from '../../model/scopes.ts';
import type { ActionCall, ActionHandler, StreamHandler } from '../../objects/action-call.ts';
import { restPath } from '../../paths.ts';
import { addDeprecationHeaders, noteDeprecated } from '../deprecation/deprecation-headers.ts';
import { deprecatedAction, deprecatedMembers, deprecatedType } from '../deprecation/find-deprecated.ts';
import { readMembers, readParameters } from '../request/action-members.ts';
import { bodyBytes, readBody } from '../request/read-body.ts';
import { contextOf, requireScope, visibleType } from '../request/request-context.ts';
import { readQuery, rejectParameters } from '../request/request-query.ts';
import { singleHeader } from '../request/request-reader.ts';
import { stillAllowed } from '../request/still-allowed.ts';
import { whenGone } from '../response/when-gone.ts';
import { openEventResponse } from './event-response.ts';
import { parseKey, readIdempotencyKey, sendJson } from './object-routes.ts';

export interface ActionRouteParts {
  model: Model;
  /** Keyed by type and action, for example `ApiClient.rotateSecret`. */
  actions: ReadonlyMap<string, ActionHandler>;
  /** The same for actions that answer with events. */
  streams: ReadonlyMap<string, StreamHandler>;
  authenticator: Authenticator;
  baseUrl: string;
  settings: Settings;
}

export function addActionRoutes(app: FastifyInstance, parts: ActionRouteParts): void {
  const { model, actions, settings } = parts;
  for (const type of model.types.values()) {
    for (const action of type.actions.values()) {
      if (action.answersEvents) {
        addStreamRoute(app, type, action, parts);
        continue;
      }
      const handle = actions.get(`${type.name}.${action.name}`);
      if (!handle) throw new Error(`There is no handler for ${type.name}.${action.name}.`);
      const route = { type, action, handle, bodyDepthMax: settings.bodyDepthMax };
      if (action.on !== 'type') addActionRoute(app, `${restPath}/${type.name}/:key/${action.name}`, route);
      if (action.on !== 'object') addActionRoute(app, `${restPath}/${type.name}/${action.name}`, route);
    }
  }
}

interface ActionRoute {
  type: ObjectType;
  action: Action;
  handle: ActionHandler;
  bodyDepthMax: number;
}

type ActionRequest = FastifyRequest<{ Params: { key?: string } }>;

function addActionRoute(app: FastifyInstance, url: string, route: ActionRoute): void {
  const { type, action, handle } = route;
  const onRequest = requireScope(actionScope(type.access, action));
  if (action.method === 'GET') {
    app.get(url, { onRequest }, async (request: ActionRequest, reply) => {
      beginAction(request, type, action);
      const call = { ...targetOf(request, type), given: readParameters(action, request), idempotency: undefined };
      return sendJson(reply, 200, await handle({ ...call, signal: whenGone(reply) }));
    });
    return;
  }
  app.post(url, { onRequest, preHandler: onRequest }, async (request: ActionRequest, reply) => {
    beginAction(request, type, action);
    rejectParameters(request);
    const result = await handle({ ...readPosted(request, route), signal: whenGone(reply) });
    return sendJson(reply.header('cache-control', 'no-store'), action.answersStatus, result);
  });
}

/** A response that stays open. */
function addStreamRoute(
  app: FastifyInstance,
  type: ObjectType,
  action: Action,
  { streams, authenticator, baseUrl }: ActionRouteParts,
): void {
  const handle = streams.get(`${type.name}.${action.name}`);
  if (!handle) throw new Error(`There is no handler for ${type.name}.${action.name}.`);
  const scope = actionScope(type.access, action);
  const onRequest = requireScope(scope);
  const url = `${restPath}/${type.name}/:key/${action.name}`;
  app.get(url, { onRequest }, async (request: ActionRequest, reply) => {
    rejectView(request);
    beginAction(request, type, action);
    const { key, ...target } = targetOf(request, type);
    const lastEventId = singleHeader('Last-Event-ID', request.headers['last-event-id']);
    const given = readParameters(action, request);
    const call = { ...target, key: key!, given, idempotency: undefined, signal: whenGone(reply), lastEventId };
    const isStillAllowed = stillAllowed(request, authenticator, scopesNeeded(scope));
    await handle(call, () => {
      addDeprecationHeaders(request, reply, baseUrl);
      return openEventResponse(request, reply, isStillAllowed);
    });
    return reply;
  });
}

/** A stream hands out notifications, which its consumer would then not get. */
function rejectView(request: FastifyRequest): void {
  if (contextOf(request).isView)
    throw new ApiError(
      'viewOnly',
      'A stream takes notifications from its consumer. It cannot be opened as another user.',
    );
}

type PostedCall = Omit<ActionCall, 'signal'>;

function readPosted(request: ActionRequest, { type, action, bodyDepthMax }: ActionRoute): PostedCall {
  const target = targetOf(request, type);
  const hasBody = bodyBytes(request).length > 0;
  const { text, value } = hasBody ? readBody(request, bodyDepthMax) : { text: '', value: new Map() };
  const object = target.key === undefined ? '' : `/${target.key}`;
  const idempotency = readIdempotencyKey(request, `${restPath}/${type.name}${object}/${action.name}`, text);
  if (value instanceof Map) noteDeprecated(request, deprecatedMembers(type, action, value.keys()));
  return { ...target, given: readMembers(action, value), idempotency };
}

function targetOf(request: ActionRequest, type: ObjectType): Pick<ActionCall, 'type' | 'model' | 'key' | 'caller'> {
  const { key } = request.params;
  return {
    type: visibleType(request, type),
    key: key === undefined ? undefined : parseKey(key),
    model: contextOf(request).model,
    caller: contextOf(request).caller,
  };
}

/** What every action checks first. */
function beginAction(request: FastifyRequest, type: ObjectType, action: Action): void {
  rejectNewer(request, type, action);
  noteDeprecated(request, [...deprecatedType(type), ...deprecatedAction(type, action)]);
  if (action.method !== 'GET') return;
  const sent = readQuery(request).map(([name]) => name);
  noteDeprecated(request, deprecatedMembers(type, action, sent));
}

function rejectNewer(request: FastifyRequest, type: ObjectType, { name, since }: Action): void {
  if (visibleType(request, type).actions.has(name)) return;
  throw new ApiError(
    'newerVersion',
    `${name} came with API version ${since}; this request uses ${contextOf(request).apiVersion}. Ask for it with ` +
      `the header API-Version: ${since}.`,
  );
}
