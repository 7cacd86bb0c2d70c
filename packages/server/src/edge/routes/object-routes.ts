// `/ws/rest/{Resource}` and `/ws/rest/{Resource}/{key}` for every type of the model. Transport only: parses the
// request, calls `objects/`, and sets status and headers of the response.

import { quoteText } from '@flaghoist/source-text';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../../config/settings-table.ts';
import { ApiError } from '../../errors.ts';
import type { JsonValue } from '../../json/parse-json.ts';
import type { Model, ObjectType } from '../../model/object-type.ts';
import type { Idempotency } from '../../objects/answer-once.ts';
import { onlyUserFor } from '../../objects/caller.ts';
import { nameOf } from '../../objects/check-scalar.ts';
import { isMatched } from '../../objects/etag.ts';
import type { Objects } from '../../objects/objects.ts';
import type { ObjectAnswer } from '../../objects/read-object.ts';
import { batchName, restPath } from '../../paths.ts';
import { isKeyText } from '../../query/attributes/attribute-value.ts';
import { noteDeprecated } from '../deprecation/deprecation-headers.ts';
import { deprecatedInBody, deprecatedType } from '../deprecation/find-deprecated.ts';
import { readBody } from '../request/read-body.ts';
import { contextOf, requireScope, visibleType } from '../request/request-context.ts';
import { rejectParameters } from '../request/request-query.ts';
import { createRequestReader, type RequestReader, singleHeader } from '../request/request-reader.ts';
import { exchangeOf, type ResponsesInFlight } from '../response/responses-in-flight.ts';

export interface ObjectRouteParts {
  model: Model;
  objects: Objects;
  responses: ResponsesInFlight;
  baseUrl: string;
  settings: Settings;
}

export function addObjectRoutes(app: FastifyInstance, parts: ObjectRouteParts): void {
  const requestReader = createRequestReader(parts.settings);
  for (const type of parts.model.types.values()) {
    addListRoutes(app, type, parts, requestReader);
    addSingleObjectRoutes(app, type, parts, requestReader);
  }
}

function addListRoutes(
  app: FastifyInstance,
  whole: ObjectType,
  { objects, responses, settings, baseUrl }: ObjectRouteParts,
  requestReader: RequestReader,
): void {
  const { name, access, isCreatedByService } = whole;
  const url = `${restPath}/${name}`;

  app.get(url, { onRequest: requireScope(access.read) }, async (request, reply) => {
    const [type, { caller }] = [visibleType(request, whole), contextOf(request)];
    const listRequest = requestReader.list(type, request, onlyUserFor(type, caller));
    const onReceived = responses.receive(exchangeOf(request, reply));
    const { body, total, links } = await objects.list(listRequest, caller, onReceived);
    if (total !== undefined) reply.header('totalObjectsNumber', total);
    if (links !== undefined) reply.header('link', links);
    return sendJson(reply, 200, body);
  });

  if (access.write === 'nobody' || isCreatedByService) return;
  const bodyLimit = bodyLimitOf(whole, settings);
  const onRequest = requireScope(access.write);
  const create = async (request: FastifyRequest, reply: FastifyReply, path: string): Promise<FastifyReply> => {
    const [type, { caller }] = [visibleType(request, whole), contextOf(request)];
    const view = requestReader.view(type, request);
    const { text, value } = readBody(request, settings.bodyDepthMax);
    if (path !== url) requireArray(value);
    noteDeprecated(request, deprecatedInBody(type, value));
    const idempotency = readIdempotencyKey(request, path, text);
    const { key, etag, body } = await objects.create({ type, body: value, view, caller, idempotency });
    if (key !== null) reply.header('location', `${baseUrl}${url}/${key}`);
    if (etag !== null) reply.header('etag', etag);
    if (type.shownOnce.length > 0) reply.header('cache-control', 'no-store');
    return sendJson(reply, 201, body);
  };
  for (const path of [url, `${url}/${batchName}`])
    app.post(path, { bodyLimit, onRequest, preHandler: onRequest }, (request, reply) => create(request, reply, path));
}

function requireArray(value: JsonValue): void {
  if (!Array.isArray(value)) throw new ApiError('invalidBody', `The body must be an array, not ${nameOf(value)}.`);
}

function addSingleObjectRoutes(
  app: FastifyInstance,
  whole: ObjectType,
  { objects, responses, settings }: ObjectRouteParts,
  requestReader: RequestReader,
): void {
  const { name, access, isCreatedByService } = whole;
  const url = `${restPath}/${name}/:key`;

  app.get<KeyParams>(url, { onRequest: requireScope(access.read) }, async (request, reply) => {
    const [type, { caller }] = [visibleType(request, whole), contextOf(request)];
    const key = parseKey(request.params.key);
    const view = requestReader.view(type, request);
    const object = await objects.read(type, key, view, caller, responses.receive(exchangeOf(request, reply)));
    const ifNoneMatch = request.headers['if-none-match'];
    if (ifNoneMatch !== undefined && isMatched(ifNoneMatch, object.etag))
      return reply.code(304).header('etag', object.etag).send();
    return sendObject(reply, object);
  });

  if (access.write === 'nobody') return;
  const onRequest = requireScope(access.write);
  const bodyLimit = bodyLimitOf(whole, settings);
  app.put<KeyParams>(url, { bodyLimit, onRequest, preHandler: onRequest }, async (request, reply) => {
    const [type, { caller }] = [visibleType(request, whole), contextOf(request)];
    const key = parseKey(request.params.key);
    const view = requestReader.view(type, request);
    const { value } = readBody(request, settings.bodyDepthMax);
    noteDeprecated(request, deprecatedInBody(type, value));
    const ifMatch = request.headers['if-match'];
    return sendObject(reply, await objects.change({ type, key, body: value, view, caller, ifMatch }));
  });

  if (isCreatedByService) return;
  app.delete<KeyParams>(url, { onRequest }, async (request, reply) => {
    const [type, { caller }] = [visibleType(request, whole), contextOf(request)];
    const key = parseKey(request.params.key);
    noteDeprecated(request, deprecatedType(type));
    rejectParameters(request);
    await objects.delete({ type, key, caller, ifMatch: request.headers['if-match'] });
    return reply.code(204).send();
  });
}

interface KeyParams {
  Params: { key: string };
}

function bodyLimitOf(type: ObjectType, { bodyBytesMax, fileBodyBytesMax }: Settings): number {
  return holdsFiles(type) ? fileBodyBytesMax : bodyBytesMax;
}

/** Files make a body large, and an owner may contain files as sub-objects. */
function holdsFiles(type: ObjectType): boolean {
  return (
    type.scalars.some(({ kind }) => kind === 'binary') ||
    type.collections.some(({ of, isOwned }) => isOwned && holdsFiles(of))
  );
}

export function parseKey(text: string): number {
  if (text === '') throw new ApiError('unknownResource', 'Not found: a key is missing at the end of the path.');
  if (!isKeyText(text))
    throw new ApiError('invalidKey', `${quoteText(text)} is not a key; a positive integer was expected.`);
  return Number(text);
}

/**
 * Keys are stored per client. The same client sees different responses for another user or with other scopes, so both
 * are part of the stored client.
 */
export function readIdempotencyKey(request: FastifyRequest, path: string, bodyText: string): Idempotency | undefined {
  const { caller, scopes } = contextOf(request);
  const key = singleHeader('Idempotency-Key', request.headers['idempotency-key']);
  if (key === undefined) return undefined;
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw new ApiError('invalidHeader', 'The header "Idempotency-Key" must have 1 to 255 visible ASCII characters.');
  const client = [caller.client, caller.userKey, ...[...scopes].sort()].join(' ');
  return { scope: { client, path, key }, bodyText };
}

function sendObject(reply: FastifyReply, { body, etag }: ObjectAnswer): FastifyReply {
  return sendJson(reply.header('etag', etag), 200, body);
}

export function sendJson(reply: FastifyReply, status: number, body: string | Buffer): FastifyReply {
  return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(body);
}
