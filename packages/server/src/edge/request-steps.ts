// The steps that every request passes before its body is read: HTTP checks, rate limits, authentication, and whether a
// route exists for its path.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator } from '../auth/authenticator.ts';
import { viewAsHeader } from '../auth/view-as/identify-viewed.ts';
import type { Clock } from '../clock.ts';
import type { Settings } from '../config/settings-table.ts';
import { ApiError } from '../errors.ts';
import { VisibleModels } from '../model/narrow-model.ts';
import type { Model } from '../model/object-type.ts';
import { consoleSessionPath, restPath, tokenPath } from '../paths.ts';
import { networkOf, RateBuckets } from '../rate-buckets.ts';
import { AllowedMethods } from './request/allowed-methods.ts';
import { endConnection, rejectionOf } from './request/reject-request.ts';
import { authenticateRequest, contextOf } from './request/request-context.ts';
import { sessionHeaders } from './routes/console-session-routes.ts';
import { tokenHeaders } from './routes/token-routes.ts';

const healthPath = '/health';

export interface RequestStepsParts {
  model: Model;
  authenticator: Authenticator;
  settings: Settings;
  clock: Clock;
}

/** Returns the methods of the routes that are added afterwards. */
export function addRequestSteps(
  app: FastifyInstance,
  parts: RequestStepsParts,
  isStopping: () => boolean,
): AllowedMethods {
  // Bodies stay bytes until a route parses them (`read-body.ts`).
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  const allowed = new AllowedMethods();
  app.addHook('onRoute', (route) => allowed.add(route));
  app.decorateRequest('callerContext', null);
  const hasApi = parts.settings.roles.has('api');
  const limitRate = createRateLimit(parts);
  const authentication = { authenticator: parts.authenticator, visibleModels: new VisibleModels(parts.model) };
  app.addHook('onRequest', async (request, reply) => {
    addStandingHeaders(request, reply);
    const rejection = rejectionOf(request.raw);
    if (rejection) throw rejection;
    if (isStopping()) {
      endConnection(request.raw);
      reply.header('connection', 'close');
    }
    // Health checks may come from the address of a proxy, which many clients share. They are not rate-limited.
    if (!isUnder(routedPath(request), healthPath)) limitRate.ofAddress(request.ip);
    if (hasApi && isUnder(routedPath(request), restPath)) {
      await authenticateRequest(request, authentication);
      if (contextOf(request).isView) reply.header('vary', `${restHeaders.vary}, ${viewAsHeader}`);
      limitRate.ofClient(contextOf(request).caller.client);
    }
    rejectUnknown(request, allowed, hasApi);
  });
  // A body may take a minute to arrive. Authenticate again, so that a client disabled in the meantime is not served.
  // The routes check the scope again as well.
  app.addHook('preHandler', async (request) => {
    if (request.callerContext && request.body !== undefined) await authenticateRequest(request, authentication);
  });
  // Only `OPTIONS *` reaches this handler. It returns the methods of the server as a whole (RFC 9110 §9.3.7).
  app.setNotFoundHandler((_, reply) => reply.code(204).header('allow', 'GET, HEAD, POST, PUT, DELETE, OPTIONS').send());
  return allowed;
}

/** Limits the number of requests per second for each address and each client. */
function createRateLimit({ settings: { requestsPerSecond }, clock }: RequestStepsParts) {
  const options = { capacity: requestsPerSecond, refillMs: 1000, clock };
  const [networks, clients] = [new RateBuckets(options), new RateBuckets(options)];
  const take = (buckets: RateBuckets, name: string) => {
    if (buckets.take(name) === 0) return;
    throw new ApiError(
      'tooManyRequests',
      `At most ${requestsPerSecond} requests per second are allowed for one address or client.`,
    );
  };
  const isLimited = requestsPerSecond > 0;
  return {
    ofAddress: (address: string) => isLimited && take(networks, networkOf(address)),
    ofClient: (client: string) => isLimited && take(clients, client),
  };
}

/** Runs before the body is read, because no route would use the body. */
function rejectUnknown(request: FastifyRequest, allowed: AllowedMethods, hasApi: boolean): void {
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
  const hint = hasApi
    ? 'See /docs for what this service offers.'
    : 'This process does not have the role "api": it answers only /health and /metrics.';
  throw new ApiError('unknownResource', `Not found: ${path.slice(0, 120)}. ${hint}`);
}

export function addStandingHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(securityHeaders);
  if (isUnder(routedPath(request), restPath)) reply.headers(restHeaders).header('flaghoist-request-id', request.id);
  else if (isTokenRequest(request)) reply.headers(tokenHeaders);
  else if (isUnder(routedPath(request), consoleSessionPath)) reply.headers(sessionHeaders);
}

const securityHeaders = { 'x-content-type-options': 'nosniff' };

/** Responses vary by these request headers. Only the client may cache them, and it must revalidate before reuse. */
const restHeaders = { vary: 'fields, API-Version', 'cache-control': 'private, no-cache' };

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
