// The steps that every request passes before its body is read: HTTP checks, rate limits, authentication, and whether a
// route exists for its path.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator } from '../auth/authenticator.ts';
import type { Clock } from '../clock.ts';
import { ApiError } from '../errors.ts';
import { VisibleModels } from '../model/narrow-model.ts';
import type { Model } from '../model/object-type.ts';
import { restPath, tokenPath } from '../paths.ts';
import { AllowedMethods } from './request/allowed-methods.ts';
import { createRateLimit } from './request/rate-limit.ts';
import { endConnection, refuseBadRequest } from './request/refuse-request.ts';
import { authenticateRequest, contextOf } from './request/request-context.ts';
import { tokenHeaders } from './routes/token-routes.ts';

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
  // Bodies stay bytes until a route parses them (`read-body.ts`).
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  const allowed = new AllowedMethods();
  app.addHook('onRoute', (route) => allowed.add(route));
  const visibleModels = new VisibleModels(parts.model);
  const authenticate: Authenticate = (request) => authenticateRequest(request, { ...parts, visibleModels });
  const enter = createRequestCheck(parts, allowed, authenticate);
  app.decorateRequest('callerContext', null);
  // With callbacks: most requests do not have to wait, and a promise per step and request would add up.
  app.addHook('onRequest', (request, reply, done) => {
    try {
      const waiting = enter(request, reply);
      if (waiting) waiting.then(() => done(), done);
      else done();
    } catch (error) {
      done(error as Error);
    }
  });
  // A body may take a minute to arrive. Authenticate again, so that a client disabled in the meantime is not served.
  // The routes check the scope again as well.
  app.addHook('preHandler', (request, _reply, done) => {
    try {
      const waiting = request.callerContext && request.body !== undefined ? authenticate(request) : undefined;
      if (waiting) waiting.then(() => done(), done);
      else done();
    } catch (error) {
      done(error as Error);
    }
  });
  // Only `OPTIONS *` reaches this handler. It returns the methods of the server as a whole (RFC 9110 §9.3.7).
  app.setNotFoundHandler((_, reply) => reply.code(204).header('allow', 'GET, HEAD, POST, PUT, DELETE, OPTIONS').send());
}

type Entrance = (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>;
type Authenticate = (request: FastifyRequest) => void | Promise<void>;

function createRequestCheck(parts: RequestStepsParts, allowed: AllowedMethods, authenticate: Authenticate): Entrance {
  const { isStopping, hasApi } = parts;
  const rateLimit = createRateLimit(parts.requestsPerSecond, parts.clock);
  const admit = (request: FastifyRequest) => {
    rateLimit.countClient(contextOf(request).caller.client);
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
    // Health checks may come from the address of a proxy, which many clients share. They are not rate-limited.
    if (!isUnder(routedPath(request), healthPath)) rateLimit.countAddress(request.ip);
    if (!hasApi || !isUnder(routedPath(request), restPath)) return refuseUnknown(request, allowed, hasApi);
    const recognising = authenticate(request);
    return recognising ? recognising.then(() => admit(request)) : admit(request);
  };
}

/** Runs before the body is read, because no route would use the body. */
function refuseUnknown(request: FastifyRequest, allowed: AllowedMethods, hasApi: boolean): void {
  const { method, url, routeOptions } = request;
  if (url === '*') return;
  const path = url.split('?', 1)[0]!;
  // The router has one tree per method. A GET of `…/test`, which allows only POST, would match `…/:key`.
  if (!request.is404 && !allowed.isMistaken(path, routeOptions.url)) return;
  const methods = allowed.at(path);
  if (methods !== undefined)
    throw new ApiError('methodNotAllowed', `${method} is not supported by this resource; it supports ${methods}.`, {
      headers: { allow: methods },
    });
  throw new ApiError('unknownResource', notFoundMessage(path.slice(0, 120), hasApi));
}

function notFoundMessage(path: string, hasApi: boolean): string {
  if (hasApi) return `Not found: ${path}. See /docs for what this service offers.`;
  return `Not found: ${path}. This process does not have the role "api": it answers only /health and /metrics.`;
}

export function addStandingHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(securityHeaders);
  const path = routedPath(request);
  if (isUnder(path, restPath)) reply.headers(restHeaders);
  else if (isAt(path, tokenPath)) reply.headers(tokenHeaders);
}

export function isTokenRequest(request: FastifyRequest): boolean {
  return isAt(routedPath(request), tokenPath);
}

/**
 * The router decodes a path before it matches it. `/ws/%72est/Voyage` is `/ws/rest/Voyage` and needs a token as well.
 */
function routedPath(request: FastifyRequest): string {
  return request.url.includes('%') ? (request.routeOptions.url ?? request.url) : request.url;
}

function isAt(url: string, path: string): boolean {
  return url.startsWith(path) && (url.length === path.length || url[path.length] === '?');
}

function isUnder(url: string, path: string): boolean {
  return isAt(url, path) || (url.startsWith(path) && url[path.length] === '/');
}

const securityHeaders = { 'x-content-type-options': 'nosniff' };

/** Responses vary by these request headers. Only the client may cache them, and it must revalidate before reuse. */
const restHeaders = { vary: 'fields, API-Version', 'cache-control': 'private, no-cache' };
