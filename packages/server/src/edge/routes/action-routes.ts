// `/ws/rest/{Resource}/{key}/{action}` and `/ws/rest/{Resource}/{action}`: operations on an object or a type other than
// reading and writing. The model defines the input and output of each action; the composition root provides its
// handler.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Settings } from '../../config/settings-table.ts';
import { ApiError } from '../../errors.ts';
import { actionScope } from '../../model/action-scope.ts';
import type { Action, Model, ObjectType } from '../../model/object-type.ts';
import type { ActionCall, ActionHandler } from '../../objects/action-call.ts';
import { restPath } from '../../paths.ts';
import { readMembers, readParameters } from '../request/action-members.ts';
import { bodyBytes, readBody } from '../request/read-body.ts';
import { contextOf, requireScope, visibleType } from '../request/request-context.ts';
import { rejectParameters } from '../request/request-query.ts';
import { parseKey, readIdempotencyKey, sendJson } from './object-routes.ts';

export interface ActionRouteParts {
  model: Model;
  /** Keyed by type and action, for example `ApiClient.rotateSecret`. */
  actions: ReadonlyMap<string, ActionHandler>;
  settings: Settings;
}

export function addActionRoutes(app: FastifyInstance, { model, actions, settings }: ActionRouteParts): void {
  for (const type of model.types.values()) {
    for (const action of type.actions.values()) {
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
      rejectNewer(request, type, action);
      const call = { ...targetOf(request, type), given: readParameters(action, request), idempotency: undefined };
      return sendJson(reply, 200, await handle(call));
    });
    return;
  }
  app.post(url, { onRequest, preHandler: onRequest }, async (request: ActionRequest, reply) => {
    rejectNewer(request, type, action);
    rejectParameters(request);
    const result = await handle(readPosted(request, route));
    return sendJson(reply.header('cache-control', 'no-store'), action.answersStatus, result);
  });
}

function readPosted(request: ActionRequest, { type, action, bodyDepthMax }: ActionRoute): ActionCall {
  const target = targetOf(request, type);
  const hasBody = bodyBytes(request).length > 0;
  const { text, value } = hasBody ? readBody(request, bodyDepthMax) : { text: '', value: new Map() };
  const object = target.key === undefined ? '' : `/${target.key}`;
  const idempotency = readIdempotencyKey(request, `${restPath}/${type.name}${object}/${action.name}`, text);
  return { ...target, given: readMembers(action, value), idempotency };
}

function targetOf(request: ActionRequest, type: ObjectType): Pick<ActionCall, 'type' | 'key' | 'caller'> {
  const { key } = request.params;
  return {
    type: visibleType(request, type),
    key: key === undefined ? undefined : parseKey(key),
    caller: contextOf(request).caller,
  };
}

function rejectNewer(request: FastifyRequest, type: ObjectType, { name, since }: Action): void {
  if (visibleType(request, type).actions.has(name)) return;
  throw new ApiError(
    'newerVersion',
    `${name} came with API version ${since}; this request uses ${contextOf(request).apiVersion}. Ask for it with ` +
      `the header API-Version: ${since}.`,
  );
}
