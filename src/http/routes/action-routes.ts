// `POST /ws/rest/{Resource}/{key}/{action}`: what can be done with an object besides reading and writing it. The model says
// what an action takes and answers; who carries it out is given by the composition root.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError, type Violation } from '../../errors.ts';
import type { JsonValue } from '../../json/parse-json.ts';
import { actionScope } from '../../model/action-scope.ts';
import type { Action, Model, ObjectType } from '../../model/object-type.ts';
import type { ActionHandler } from '../../objects/action-call.ts';
import { checkScalar, nameOf, type StoredValue } from '../../objects/check-scalar.ts';
import { refuseViolations } from '../../objects/refuse-change.ts';
import { didYouMean } from '../../query/nearest-name.ts';
import { readBody } from '../read-body.ts';
import { requireScope, typeSeen, visitorOf } from '../visitor.ts';
import { readIdempotencyKey, readKey, refuseParameters, restPath, sendJson } from './object-routes.ts';

export interface ActionRouteOptions {
  model: Model;
  /** By `ApiClient.rotateSecret`. */
  actions: ReadonlyMap<string, ActionHandler>;
  limits: { bodyDepthMax: number };
}

export function addActionRoutes(app: FastifyInstance, { model, actions, limits }: ActionRouteOptions): void {
  for (const type of model.types.values()) {
    for (const action of type.actions.values()) {
      const handle = actions.get(`${type.name}.${action.name}`);
      if (!handle) throw new Error(`Nobody carries out ${type.name}.${action.name}.`);
      addActionRoute(app, { type, action, handle, bodyDepthMax: limits.bodyDepthMax });
    }
  }
}

interface ActionRoute {
  type: ObjectType;
  action: Action;
  handle: ActionHandler;
  bodyDepthMax: number;
}

function addActionRoute(app: FastifyInstance, { type, action, handle, bodyDepthMax }: ActionRoute): void {
  const url = `${restPath}/${type.name}/:key/${action.name}`;
  const onRequest = requireScope(actionScope(type.access));
  app.post<{ Params: { key: string } }>(url, { onRequest, preHandler: onRequest }, async (request, reply) => {
    refuseNewer(request, type, action);
    refuseParameters(request);
    const key = readKey(request.params.key);
    const { caller } = visitorOf(request);
    const { text, value } = hasBody(request) ? readBody(request, bodyDepthMax) : emptyBody;
    const path = `${restPath}/${type.name}/${key}/${action.name}`;
    const idempotency = readIdempotencyKey(request, path, text);
    const answer = await handle({ key, given: readGiven(action, value), caller, idempotency });
    return sendJson(reply.header('cache-control', 'no-store'), 200, answer);
  });
  app.options(url, async (_, reply) => reply.code(204).header('allow', 'POST, OPTIONS').send());
}

function refuseNewer(request: FastifyRequest, type: ObjectType, { name, since }: Action): void {
  if (typeSeen(request, type).actions.has(name)) return;
  throw new ApiError(
    'newerVersion',
    `${name} came with API version ${since}; this request speaks ${visitorOf(request).apiVersion}. Ask for it with the header API-Version: ${since}.`,
  );
}

const emptyBody = { text: '', value: new Map() };

function hasBody({ body }: FastifyRequest): boolean {
  return body instanceof Buffer && body.length > 0;
}

function readGiven({ name, takes }: Action, body: JsonValue): Map<string, StoredValue> {
  if (!(body instanceof Map)) throw new ApiError('invalidBody', `The body must be an object, not ${nameOf(body)}.`);
  const known = takes.map((member) => member.name);
  const violations: Violation[] = [...body.keys()]
    .filter((member) => !known.includes(member))
    .map((member) => ({ path: member, message: `is nothing that ${name} takes.${didYouMean(member, known)}` }));
  const given = new Map<string, StoredValue>();
  for (const member of takes) {
    const value = body.get(member.name);
    if (value === undefined) {
      if (member.default !== undefined) given.set(member.name, member.default);
      else if (member.isRequired) violations.push({ path: member.name, message: 'is required.' });
      continue;
    }
    const checked = checkScalar(member, value);
    if (checked.isGood) given.set(member.name, checked.value);
    else violations.push({ path: member.name, message: checked.mistake });
  }
  refuseViolations(violations);
  return given;
}
