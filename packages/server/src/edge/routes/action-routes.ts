// `/ws/rest/{Resource}/{key}/{action}` and `/ws/rest/{Resource}/{action}`: operations on an object or a type other than
// reading and writing. The model defines the input and output of each action; the composition root provides its
// handler.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';
import { actionScope } from '../../model/action-scope.ts';
import type { Action, Model, ObjectType } from '../../model/object-type.ts';
import type { ActionCall, ActionHandler } from '../../objects/action-call.ts';
import { restPath } from '../../paths.ts';
import { readMembers, readParameters } from '../request/action-members.ts';
import { readBody } from '../request/read-body.ts';
import { contextOf, requireScope, visibleType } from '../request/request-context.ts';
import { parseKey, readIdempotencyKey, refuseParameters, sendJson } from './object-routes.ts';

export interface ActionRouteOptions {
  model: Model;
  /** Keyed by type and action, for example `ApiClient.rotateSecret`. */
  actions: ReadonlyMap<string, ActionHandler>;
  limits: { bodyDepthMax: number };
}

export function addActionRoutes(app: FastifyInstance, { model, actions, limits }: ActionRouteOptions): void {
  for (const type of model.types.values()) {
    for (const action of type.actions.values()) {
      const handle = actions.get(`${type.name}.${action.name}`);
      if (!handle) throw new Error(`Nobody carries out ${type.name}.${action.name}.`);
      const route = { type, action, handle, bodyDepthMax: limits.bodyDepthMax };
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
      refuseNewer(request, type, action);
      const call = { ...membersOf(request, type), given: readParameters(action, request), idempotency: undefined };
      return sendJson(reply, 200, await handle(call));
    });
    app.options(url, async (_, reply) => reply.code(204).header('allow', 'GET, HEAD, OPTIONS').send());
    return;
  }
  app.post(url, { onRequest, preHandler: onRequest }, async (request: ActionRequest, reply) => {
    refuseNewer(request, type, action);
    refuseParameters(request);
    return sendJson(
      reply.header('cache-control', 'no-store'),
      action.answersStatus,
      await handle(readPosted(request, route)),
    );
  });
  app.options(url, async (_, reply) => reply.code(204).header('allow', 'POST, OPTIONS').send());
}

function readPosted(request: ActionRequest, { type, action, bodyDepthMax }: ActionRoute): ActionCall {
  const asked = membersOf(request, type);
  const { text, value } = hasBody(request) ? readBody(request, bodyDepthMax) : emptyBody;
  const object = asked.key === undefined ? '' : `/${asked.key}`;
  const idempotency = readIdempotencyKey(request, `${restPath}/${type.name}${object}/${action.name}`, text);
  return { ...asked, given: readMembers(action, value), idempotency };
}

function membersOf(request: ActionRequest, type: ObjectType): Pick<ActionCall, 'type' | 'key' | 'caller'> {
  const { key } = request.params;
  return {
    type: visibleType(request, type),
    key: key === undefined ? undefined : parseKey(key),
    caller: contextOf(request).caller,
  };
}

function refuseNewer(request: FastifyRequest, type: ObjectType, { name, since }: Action): void {
  if (visibleType(request, type).actions.has(name)) return;
  throw new ApiError(
    'newerVersion',
    `${name} came with API version ${since}; this request uses ${contextOf(request).apiVersion}. Ask for it with ` +
      `the header API-Version: ${since}.`,
  );
}

const emptyBody = { text: '', value: new Map() };

function hasBody({ body }: FastifyRequest): boolean {
  return body instanceof Buffer && body.length > 0;
}
