// `/ws/rest/{Resource}` and `/ws/rest/{Resource}/{key}` for every type of the model. Transport only: reads the request,
// hands it to `objects/`, and puts the answer into status and headers.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';
import { quoteText } from '../../json/printable.ts';
import type { Model, ObjectType } from '../../model/object-type.ts';
import { isMatched } from '../../objects/etag.ts';
import type { Objects } from '../../objects/objects.ts';
import type { Caller } from '../../objects/objects-context.ts';
import type { ObjectAnswer } from '../../objects/read-object.ts';
import { isKeyText } from '../../query/attribute-value.ts';
import { type AskedFor, singleHeader, understandRequests } from '../asked-for.ts';
import { readBody } from '../read-body.ts';
import { readQuery } from '../request-query.ts';

export interface ObjectRouteOptions {
  model: Model;
  objects: Objects;
  /** Where resources are found, without a slash at the end. */
  restUrl: string;
  limits: {
    bodyBytesMax: number;
    fileBodyBytesMax: number;
    bodyDepthMax: number;
    filtersMax: number;
  };
}

export const restPath = '/ws/rest';

export function addObjectRoutes(app: FastifyInstance, options: ObjectRouteOptions): void {
  const askedFor = understandRequests(options.limits);
  for (const type of options.model.types.values()) {
    addListRoutes(app, type, options, askedFor);
    addSingleObjectRoutes(app, type, options, askedFor);
  }
}

function addListRoutes(
  app: FastifyInstance,
  type: ObjectType,
  { objects, limits, restUrl }: ObjectRouteOptions,
  askedFor: AskedFor,
): void {
  const url = `${restPath}/${type.name}`;
  const bodyLimit = holdsFiles(type) ? limits.fileBodyBytesMax : limits.bodyBytesMax;

  app.get(url, async (request, reply) => {
    const { body, total, links } = await objects.list(askedFor.list(type, request));
    if (total !== undefined) reply.header('totalObjectsNumber', total);
    if (links !== undefined) reply.header('link', links);
    return sendJson(reply, 200, body);
  });

  app.post(url, { bodyLimit }, async (request, reply) => {
    const view = askedFor.view(type, request);
    const { text, value } = readBody(request, limits.bodyDepthMax);
    const caller = callerOf();
    const idempotency = readIdempotencyKey(request, caller, url, text);
    const answer = await objects.create({
      type,
      body: value,
      view,
      caller,
      idempotency,
    });
    if (answer.key !== null) reply.header('location', `${restUrl}/${type.name}/${answer.key}`);
    if (answer.etag !== null) reply.header('etag', answer.etag);
    return sendJson(reply, 201, answer.body);
  });

  app.options(url, async (_, reply) => reply.code(204).header('allow', 'GET, HEAD, POST, OPTIONS').send());
}

function addSingleObjectRoutes(
  app: FastifyInstance,
  type: ObjectType,
  { objects, limits }: ObjectRouteOptions,
  askedFor: AskedFor,
): void {
  const url = `${restPath}/${type.name}/:key`;
  const bodyLimit = holdsFiles(type) ? limits.fileBodyBytesMax : limits.bodyBytesMax;

  app.get<KeyParams>(url, async (request, reply) => {
    const key = readKey(request.params.key);
    const view = askedFor.view(type, request);
    const answer = await objects.read(type, key, view);
    const ifNoneMatch = request.headers['if-none-match'];
    if (ifNoneMatch !== undefined && isMatched(ifNoneMatch, answer.etag))
      return reply.code(304).header('etag', answer.etag).send();
    return sendObject(reply, answer);
  });

  app.put<KeyParams>(url, { bodyLimit }, async (request, reply) => {
    const key = readKey(request.params.key);
    const view = askedFor.view(type, request);
    const { value } = readBody(request, limits.bodyDepthMax);
    return sendObject(
      reply,
      await objects.change({ type, key, body: value, view, caller: callerOf(), ifMatch: request.headers['if-match'] }),
    );
  });

  app.delete<KeyParams>(url, async (request, reply) => {
    const key = readKey(request.params.key);
    refuseParameters(request);
    await objects.delete({ type, key, caller: callerOf(), ifMatch: request.headers['if-match'] });
    return reply.code(204).send();
  });

  app.options(url, async (_, reply) => reply.code(204).header('allow', 'GET, HEAD, PUT, DELETE, OPTIONS').send());
}

interface KeyParams {
  Params: { key: string };
}

/** Files make a body large; so may what owns them. */
function holdsFiles(type: ObjectType): boolean {
  return (
    type.scalars.some(({ kind }) => kind === 'binary') ||
    type.collections.some(({ of, isOwned }) => isOwned && holdsFiles(of))
  );
}

function readKey(text: string): number {
  if (text === '') throw new ApiError('unknownResource', 'There is nothing at this path; a key is missing at its end.');
  if (!isKeyText(text))
    throw new ApiError('invalidKey', `${quoteText(text)} is no key; a positive integer was expected.`);
  return Number(text);
}

function refuseParameters(request: FastifyRequest): void {
  const [first] = readQuery(request.url);
  if (first) throw new ApiError('invalidQuery', `DELETE takes no query parameter; here is ${quoteText(first[0])}.`);
}

function readIdempotencyKey(request: FastifyRequest, caller: Caller, path: string, bodyText: string) {
  const key = singleHeader('Idempotency-Key', request.headers['idempotency-key']);
  if (key === undefined) return undefined;
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw new ApiError('invalidHeader', 'The header "Idempotency-Key" must have 1 to 255 visible ASCII characters.');
  return { scope: { client: caller.client, path, key }, bodyText };
}

/** Nobody is asked for a token yet. */
function callerOf(): Caller {
  return { userKey: undefined, client: '' };
}

function sendObject(reply: FastifyReply, { body, etag }: ObjectAnswer): FastifyReply {
  return sendJson(reply.header('etag', etag), 200, body);
}

function sendJson(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(body);
}
