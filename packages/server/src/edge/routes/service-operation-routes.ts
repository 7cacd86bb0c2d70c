// `/ws/rest/{operation}`: the operations that belong to no type. A table of the model defines the input and output of
// each; the composition root provides its handler.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Authenticator } from '../../auth/authenticator.ts';
import type { Settings } from '../../config/settings-table.ts';
import { serviceOperations } from '../../model/catalogue/service-operations.ts';
import type { ServiceOperation } from '../../model/service-operation.ts';
import type { OperationCall, OperationHandler, OperationStreamHandler } from '../../objects/action-call.ts';
import { restPath } from '../../paths.ts';
import { readMembers, readParameters } from '../request/action-members.ts';
import { bodyBytes, readBody } from '../request/read-body.ts';
import { contextOf, requireScope } from '../request/request-context.ts';
import { rejectParameters } from '../request/request-query.ts';
import { stillAllowed } from '../request/still-allowed.ts';
import { whenGone } from '../response/when-gone.ts';
import { openEventResponse } from './event-response.ts';
import { readIdempotencyKey, sendJson } from './object-routes.ts';

export interface ServiceOperationRouteParts {
  /** By the name of the operation. */
  operations: ReadonlyMap<string, OperationHandler>;
  /** The same for operations that answer with events. */
  operationStreams: ReadonlyMap<string, OperationStreamHandler>;
  authenticator: Authenticator;
  settings: Settings;
}

export function addServiceOperationRoutes(app: FastifyInstance, parts: ServiceOperationRouteParts): void {
  for (const operation of serviceOperations) {
    if (operation.answersEvents) {
      addStreamRoute(app, operation, parts);
      continue;
    }
    const handle = parts.operations.get(operation.name);
    if (!handle) throw new Error(`There is no handler for ${operation.name}.`);
    addOperationRoute(app, operation, handle, parts.settings);
  }
}

function addOperationRoute(
  app: FastifyInstance,
  operation: ServiceOperation,
  handle: OperationHandler,
  settings: Settings,
): void {
  const url = `${restPath}/${operation.path}`;
  const onRequest = requireScope(operation.scope);
  if (operation.method === 'GET') {
    app.get(url, { onRequest }, async (request, reply) => {
      const call = { ...callerOf(request), given: readParameters(operation, request), idempotency: undefined };
      return sendJson(reply, 200, await handle({ ...call, signal: whenGone(reply) }));
    });
    return;
  }
  app.post(url, { onRequest, preHandler: onRequest }, async (request, reply) => {
    rejectParameters(request);
    const result = await handle({ ...readPosted(request, operation, settings), signal: whenGone(reply) });
    return sendJson(reply.header('cache-control', 'no-store'), operation.answersStatus, result);
  });
}

/** A response that stays open. It ends when the token has lost any of its scopes: they decide what it shows. */
function addStreamRoute(
  app: FastifyInstance,
  operation: ServiceOperation,
  { operationStreams, authenticator }: ServiceOperationRouteParts,
): void {
  const handle = operationStreams.get(operation.name);
  if (!handle) throw new Error(`There is no handler for ${operation.name}.`);
  app.get(`${restPath}/${operation.path}`, { onRequest: requireScope(operation.scope) }, async (request, reply) => {
    const call = { ...callerOf(request), given: readParameters(operation, request), idempotency: undefined };
    const isStillAllowed = stillAllowed(request, authenticator, call.scopes);
    await handle({ ...call, signal: whenGone(reply) }, () => openEventResponse(request, reply, isStillAllowed));
    return reply;
  });
}

function readPosted(
  request: FastifyRequest,
  operation: ServiceOperation,
  { bodyDepthMax }: Settings,
): Omit<OperationCall, 'signal'> {
  const hasBody = bodyBytes(request).length > 0;
  const { text, value } = hasBody ? readBody(request, bodyDepthMax) : { text: '', value: new Map() };
  const idempotency = readIdempotencyKey(request, `${restPath}/${operation.path}`, text);
  return { ...callerOf(request), given: readMembers(operation, value), idempotency };
}

function callerOf(request: FastifyRequest): Pick<OperationCall, 'caller' | 'model' | 'scopes'> {
  const { caller, model, scopes } = contextOf(request);
  return { caller, model, scopes };
}
