// Assembles the HTTP edge: the request steps, the routes and the error responses. Behaviour of a single route belongs
// to `routes/`.

import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { TokenEndpoint } from '../auth/token-endpoint/issue-token.ts';
import { TokenError } from '../auth/token-endpoint/token-error.ts';
import type { Observe } from '../observe/observation.ts';
import type { Tracing } from '../observe/traces/tracing.ts';
import { restPath } from '../paths.ts';
import { asApiError, renderError } from '../render-error.ts';
import { addDeprecationHeaders } from './deprecation/deprecation-headers.ts';
import type { Listener } from './listener.ts';
import { isEnding, pathOfTarget, rejectionOf } from './request/reject-request.ts';
import { addRequestSteps, addStandingHeaders, isTokenRequest, type RequestStepsParts } from './request-steps.ts';
import { respondToConnect, respondToParseError } from './response/respond-on-socket.ts';
import { exchangeOf } from './response/responses-in-flight.ts';
import { type ActionRouteParts, addActionRoutes } from './routes/action-routes.ts';
import { addConsoleRoutes } from './routes/console-routes.ts';
import { addConsoleSessionRoutes, type ConsoleSessionRouteParts } from './routes/console-session-routes.ts';
import { addDescriptionRoutes } from './routes/description-routes.ts';
import { addObjectRoutes, type ObjectRouteParts } from './routes/object-routes.ts';
import { addOperationRoutes, type OperationRouteParts } from './routes/operation-routes.ts';
import { addServiceOperationRoutes, type ServiceOperationRouteParts } from './routes/service-operation-routes.ts';
import { addTokenRoutes, asTokenError, sendTokenError } from './routes/token-routes.ts';
import { traceRequests } from './trace-requests.ts';

export interface HttpServerParts
  extends RequestStepsParts,
    ObjectRouteParts,
    ActionRouteParts,
    ServiceOperationRouteParts,
    OperationRouteParts,
    ConsoleSessionRouteParts {
  listener: Listener;
  /** Undefined if tokens come from an external issuer. */
  tokenEndpoint: TokenEndpoint | undefined;
  observe: Observe;
  /** Undefined if it is off. */
  tracing?: Tracing | undefined;
}

export class HttpServer {
  readonly #parts: HttpServerParts;
  readonly #app: FastifyInstance;
  #isStopping = false;

  constructor(parts: HttpServerParts) {
    this.#parts = parts;
    this.#app = createApp(parts, () => this.#isStopping);
  }

  /** Does everything that can fail. */
  async prepare(): Promise<void> {
    await this.#app.ready();
  }

  /** Until this call the listener responds to requests. No request gets a response from both. */
  open(): void {
    const { listener } = this.#parts;
    listener.server.on('clientError', (error, socket) => respondToParseError(error, socket as Socket, this.#parts));
    listener.server.on('connect', (request, socket) => respondToConnect(request, socket as Socket, this.#parts));
    listener.serveWith(this.#app.routing);
  }

  /** Goes on serving requests for so long, but is no longer ready for more. Connections end with their next response. */
  async drain(drainMs: number): Promise<void> {
    this.#isStopping = true;
    await sleep(drainMs);
  }

  /** Requests in progress have `graceMs` to finish. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    await this.#parts.listener.close(graceMs);
    await this.#app.close();
  }
}

function createApp(parts: HttpServerParts, isStopping: () => boolean): FastifyInstance {
  const { settings, responses, observe, tracing } = parts;
  const app = fastify({
    bodyLimit: settings.bodyBytesMax,
    trustProxy: settings.trustedProxies.length > 0 ? settings.trustedProxies : false,
    genReqId: createRequestIds(),
    // As long as a request line can be. A key that is too long reaches its route, which reports an invalid key.
    routerOptions: { maxParamLength: 16_384, ignoreTrailingSlash: false, caseSensitive: true },
    return503OnClosing: false,
    // Runs before anything reads the path, so that a token is required whatever the form of the target.
    rewriteUrl: pathOfTarget,
    // These requests reach no hook.
    frameworkErrors: (error, request, reply) => {
      addStandingHeaders(request, reply as FastifyReply);
      sendError(parts, rejectionOf(request.raw) ?? error, request, reply as FastifyReply);
    },
  });
  if (tracing) traceRequests(app, tracing, (request) => errorCodes.get(request));
  const allowedMethods = addRequestSteps(app, parts, isStopping);
  app.addHook('onSend', (request, reply, payload, done) => {
    addDeprecationHeaders(request, reply, parts.baseUrl);
    if (request.callerContext) responses.send(exchangeOf(request, reply), sizeOf(payload));
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    observeRequest(observe, request, reply);
    done();
  });
  app.setErrorHandler((error, request, reply) => sendError(parts, error, request, reply));
  addOperationRoutes(app, parts, isStopping);
  if (settings.roles.has('api')) {
    addObjectRoutes(app, parts);
    if (parts.tokenEndpoint) addTokenRoutes(app, parts.tokenEndpoint, parts.baseUrl);
    addActionRoutes(app, parts);
    addServiceOperationRoutes(app, parts);
    addDescriptionRoutes(app, parts);
    addConsoleRoutes(app, parts.baseUrl);
    addConsoleSessionRoutes(app, parts);
  }
  allowedMethods.addOptions(app);
  return app;
}

function sizeOf(payload: unknown): number {
  if (Buffer.isBuffer(payload)) return payload.length;
  return typeof payload === 'string' ? Buffer.byteLength(payload) : 0;
}

function sendError(
  { baseUrl, clock, observe }: HttpServerParts,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (thrown instanceof TokenError) return rejectToken(observe, thrown, request, reply);
  const error = asApiError(thrown, request.id);
  if (error.code === 'internal') observe({ kind: 'request.failed', requestId: request.id, error: thrown as Error });
  errorCodes.set(request, error.code);
  // Fastify would close the connection. That resets it, and a client that is still sending would not see the response.
  // Node reads and discards the rest of the body instead, within the request timeout.
  if (error.code === 'tooLarge' && !isEnding(request.raw)) reply.removeHeader('connection');
  if (isTokenRequest(request)) return rejectToken(observe, asTokenError(error), request, reply);
  // HEAD responds as GET does, including the length of the omitted body (RFC 9110 §9.3.2).
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const { status, headers, body } = renderError(error, { method, target: request.url }, baseUrl, clock);
  return reply.code(status).headers(headers).send(body);
}

function rejectToken(observe: Observe, error: TokenError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  observe({ kind: 'token.refused', requestId: request.id, error: error.code });
  errorCodes.set(request, error.code);
  return sendTokenError(reply, error);
}

/** For the log line `request.completed`, which is written after the response is sent. */
const errorCodes = new WeakMap<FastifyRequest, string>();

function observeRequest(observe: Observe, request: FastifyRequest, reply: FastifyReply): void {
  observe({
    kind: 'request.completed',
    requestId: request.id,
    method: request.method,
    ...placeOf(request.routeOptions.url ?? 'none'),
    status: reply.statusCode,
    durationMs: reply.elapsedTime,
    errorCode: errorCodes.get(request),
  });
}

/**
 * Maps `/ws/rest/Voyage/:key` to the route `/ws/rest/{Resource}/{key}` and the resource Voyage. Operations that belong
 * to no type begin with a small letter.
 */
function placeOf(url: string): { route: string; resource: string | undefined } {
  const [resource, ...rest] = url.startsWith(`${restPath}/`) ? url.slice(restPath.length + 1).split('/') : [];
  if (!/^[A-Z]/.test(resource ?? '')) return { route: url, resource: undefined };
  return { route: [restPath, '{Resource}', ...rest].join('/').replace(':key', '{key}'), resource };
}

/** Ids are unique across processes and restarts, and cheap to create. */
function createRequestIds(): () => string {
  const prefix = randomBytes(6).toString('base64url');
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}
