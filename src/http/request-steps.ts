// What every request passes on its way in, before its body is read: HTTP itself, the limits, who is calling, and whether
// there is anything at its path.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator } from '../auth/authenticator.ts';
import type { Clock } from '../clock.ts';
import { ApiError } from '../errors.ts';
import { SeenModels } from '../model/narrow-model.ts';
import type { Model } from '../model/object-type.ts';
import { AllowedMethods } from './allowed-methods.ts';
import { createRateLimit } from './rate-limit.ts';
import { endConnection, refuseBadRequest } from './refuse-request.ts';
import { restPath } from './routes/object-routes.ts';
import { tokenHeaders, tokenPath } from './routes/token-routes.ts';
import { recogniseVisitor, visitorOf } from './visitor.ts';

const healthPath = '/health';

export interface RequestStepsParts {
  model: Model;
  authenticator: Authenticator;
  requestsPerSecond: number;
  clock: Clock;
  isStopping: () => boolean;
  /** Whether this process has the role `api`. */
  hasApi: boolean;
}

export function addRequestSteps(app: FastifyInstance, parts: RequestStepsParts): void {
  // Bodies stay bytes until a route asks for them (`read-body.ts`).
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  const allowed = new AllowedMethods();
  app.addHook('onRoute', (route) => allowed.add(route));
  const seenModels = new SeenModels(parts.model);
  const recognise: Recognise = (request) => recogniseVisitor(request, { ...parts, seenModels });
  const enter = createEntrance(parts, allowed, recognise);
  app.decorateRequest('visitor', null);
  // By callback: most requests have nothing to wait for, and a promise for each step of each of them adds up.
  app.addHook('onRequest', (request, reply, done) => {
    try {
      const waiting = enter(request, reply);
      if (waiting) waiting.then(() => done(), done);
      else done();
    } catch (error) {
      done(error as Error);
    }
  });
  // A body may take a minute to arrive: whoever was disabled meanwhile is not served (the scope is asked for again as well).
  app.addHook('preHandler', (request, _reply, done) => {
    try {
      const waiting = request.visitor && request.body !== undefined ? recognise(request) : undefined;
      if (waiting) waiting.then(() => done(), done);
      else done();
    } catch (error) {
      done(error as Error);
    }
  });
  // `OPTIONS *` alone comes here: what the server as a whole takes (RFC 9110 §9.3.7).
  app.setNotFoundHandler((_, reply) => reply.code(204).header('allow', 'GET, HEAD, POST, PUT, DELETE, OPTIONS').send());
}

type Entrance = (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>;
type Recognise = (request: FastifyRequest) => void | Promise<void>;

function createEntrance(parts: RequestStepsParts, allowed: AllowedMethods, recognise: Recognise): Entrance {
  const { isStopping, hasApi } = parts;
  const rateLimit = createRateLimit(parts.requestsPerSecond, parts.clock);
  const welcome = (request: FastifyRequest) => {
    rateLimit.countClient(visitorOf(request).caller.client);
    refuseUnknown(request, allowed, hasApi);
  };
  return (request, reply) => {
    addStandingHeaders(request, reply);
    const refusal = refuseBadRequest(request.raw);
    if (refusal) throw refusal;
    if (isStopping()) {
      endConnection(request.raw);
      reply.header('connection', 'close');
    }
    // Whoever looks after the service asks from the address of a proxy, too.
    if (!isUnder(pathAsked(request), healthPath)) rateLimit.countAddress(request.ip);
    if (!hasApi || !isUnder(pathAsked(request), restPath)) return refuseUnknown(request, allowed, hasApi);
    const recognising = recognise(request);
    return recognising ? recognising.then(() => welcome(request)) : welcome(request);
  };
}

/** Before the body is read: nobody is going to look at it. */
function refuseUnknown(request: FastifyRequest, allowed: AllowedMethods, hasApi: boolean): void {
  const { method, url, routeOptions } = request;
  if (url === '*') return;
  const path = url.split('?', 1)[0]!;
  // The router has a tree for each method: a GET of `…/test`, which takes POST alone, finds `…/:key`.
  if (!request.is404 && !allowed.isMistaken(path, routeOptions.url)) return;
  const methods = allowed.at(path);
  if (methods !== undefined)
    throw new ApiError('methodNotAllowed', `${method} is not for this resource; it takes ${methods}.`, {
      headers: { allow: methods },
    });
  throw new ApiError('unknownResource', notFoundMessage(path.slice(0, 120), hasApi));
}

function notFoundMessage(path: string, hasApi: boolean): string {
  if (hasApi) return `There is nothing at ${path}. What there is stands at /docs.`;
  return `Not found: ${path}. This process does not have the role "api": it answers only /health and /metrics.`;
}

export function addStandingHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(securityHeaders);
  const path = pathAsked(request);
  if (isUnder(path, restPath)) reply.headers(restHeaders);
  else if (isAt(path, tokenPath)) reply.headers(tokenHeaders);
}

export function isTokenRequest(request: FastifyRequest): boolean {
  return isAt(pathAsked(request), tokenPath);
}

/** The router decodes a path before it looks: `/ws/%72est/Voyage` is `/ws/rest/Voyage`, and needs a token as well. */
function pathAsked(request: FastifyRequest): string {
  return request.url.includes('%') ? (request.routeOptions.url ?? request.url) : request.url;
}

function isAt(url: string, path: string): boolean {
  return url.startsWith(path) && (url.length === path.length || url[path.length] === '?');
}

function isUnder(url: string, path: string): boolean {
  return isAt(url, path) || (url.startsWith(path) && url[path.length] === '/');
}

const securityHeaders = { 'x-content-type-options': 'nosniff' };

/** Answers differ by these request headers; they may be kept by the client alone, and only with a question to us. */
const restHeaders = { vary: 'fields, API-Version', 'cache-control': 'private, no-cache' };
