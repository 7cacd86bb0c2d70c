// Assembles the HTTP edge: the request steps, the routes and the error responses. Behaviour of a single route belongs
// to `routes/`.

import { randomBytes } from 'node:crypto';
import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { Authenticator } from '../auth/authenticator.ts';
import type { TokenEndpoint } from '../auth/token-endpoint/issue-token.ts';
import { TokenError } from '../auth/token-endpoint/token-error.ts';
import type { Clock } from '../clock.ts';
import { audienceOf } from '../config/audience-of.ts';
import type { Settings } from '../config/settings-table.ts';
import type { Database } from '../database/database.ts';
import { RecentBacklog } from '../deliver/backlog/recent-backlog.ts';
import type { Model } from '../model/object-type.ts';
import type { ActionHandler } from '../objects/action-call.ts';
import type { Objects } from '../objects/objects.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Observe } from '../observe/observation.ts';
import { restPath } from '../paths.ts';
import { asApiError, renderError } from '../render-error.ts';
import { answerConnect, answerParseError, type ParseError } from './answer/answer-parse-error.ts';
import { type AnswersInFlight, exchangeOf } from './answer/answers-in-flight.ts';
import type { Listener } from './listener.ts';
import { isEnding, refuseBadRequest } from './request/refuse-request.ts';
import { pathOfTarget } from './request/request-target.ts';
import { addRequestSteps, addStandingHeaders, isTokenRequest } from './request-steps.ts';
import { addActionRoutes } from './routes/action-routes.ts';
import { addDescriptionRoutes } from './routes/description-routes.ts';
import { addObjectRoutes } from './routes/object-routes.ts';
import { addOperationRoutes } from './routes/operation-routes.ts';
import { addTokenRoutes, asTokenError, sendTokenError } from './routes/token-routes.ts';

export interface HttpServerParts {
  listener: Listener;
  baseUrl: string;
  settings: Settings;
  model: Model;
  authenticator: Authenticator;
  /** Undefined if tokens come from an external issuer. */
  tokenEndpoint: TokenEndpoint | undefined;
  actions: ReadonlyMap<string, ActionHandler>;
  database: Database;
  modelDigest: string;
  /** Has its own connection, so that health checks work however busy the other connections are. */
  healthDatabase: Database;
  objects: Objects;
  answers: AnswersInFlight;
  metrics: Metrics;
  observe: Observe;
  clock: Clock;
}

export class HttpServer {
  readonly #parts: HttpServerParts;
  readonly #app: FastifyInstance;
  #answer: RequestListener = () => undefined;
  #isStopping = false;

  constructor(parts: HttpServerParts) {
    this.#parts = parts;
    const takeServer = (answer: RequestListener): Server => {
      this.#answer = answer;
      return parts.listener.server;
    };
    this.#app = createApp(parts, takeServer, () => this.#isStopping);
  }

  /** Does everything that can fail. */
  async prepare(): Promise<void> {
    await this.#app.ready();
  }

  /** Until this call the listener responds to requests. No request is answered by both. */
  open(): void {
    const { listener } = this.#parts;
    listener.server.on('connect', (request, socket) => answerConnect(request, socket as Socket, this.#parts));
    listener.serveWith(this.#answer);
  }

  /** Requests in progress have `graceMs` to finish. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    await this.#parts.listener.close(graceMs);
    await this.#app.close();
  }
}

function createApp(
  parts: HttpServerParts,
  takeServer: (answer: RequestListener) => Server,
  isStopping: () => boolean,
): FastifyInstance {
  const { settings, database, modelDigest, metrics } = parts;
  const app = fastify({
    serverFactory: takeServer as never,
    bodyLimit: settings.bodyBytesMax,
    trustProxy: settings.trustedProxies.length > 0 ? settings.trustedProxies : false,
    genReqId: createRequestIds(),
    // As long as a request line can be. A key that is too long reaches its route, which reports an invalid key.
    routerOptions: { maxParamLength: 16_384, ignoreTrailingSlash: false, caseSensitive: true },
    return503OnClosing: false,
    // Runs before anything reads the path, so that a token is required whatever the form of the target.
    rewriteUrl: pathOfTarget,
    clientErrorHandler: (error, socket) => answerParseError(error as unknown as ParseError, socket, parts),
    // These requests reach no hook.
    frameworkErrors: (error, request, reply) => {
      addStandingHeaders(request, reply as FastifyReply);
      answerError(parts, refuseBadRequest(request.raw) ?? error, request, reply as FastifyReply);
    },
  });
  const hasApi = settings.roles.has('api');
  addRequestSteps(app, { ...parts, requestsPerSecond: settings.requestsPerSecond, isStopping, hasApi });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.callerContext) parts.answers.send(exchangeOf(request, reply), sizeOf(payload));
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    observeRequest(parts.observe, request, reply);
    done();
  });
  app.setErrorHandler((error, request, reply) => answerError(parts, error, request, reply));
  const backlog = new RecentBacklog(database);
  addOperationRoutes(app, {
    database: parts.healthDatabase,
    modelDigest,
    metrics,
    backlog,
    metricsToken: settings.metricsToken,
    isStopping,
  });
  if (hasApi) addApiRoutes(app, parts);
  return app;
}

function addApiRoutes(app: FastifyInstance, parts: HttpServerParts): void {
  const { settings, model, objects, answers, actions } = parts;
  addObjectRoutes(app, { model, objects, answers, limits: settings, restUrl: `${parts.baseUrl}${restPath}` });
  if (parts.tokenEndpoint) addTokenRoutes(app, parts.tokenEndpoint, parts.baseUrl);
  addActionRoutes(app, { model, actions, limits: settings });
  addDescriptionRoutes(app, {
    model,
    baseUrl: parts.baseUrl,
    tokens: {
      audience: audienceOf(settings),
      lifetimeSeconds: settings.tokenLifetimeSeconds,
      issuerUrl: settings.issuerUrl,
    },
    limits: settings,
    wireNames: settings.wireNames,
  });
}

function sizeOf(payload: unknown): number {
  if (Buffer.isBuffer(payload)) return payload.length;
  return typeof payload === 'string' ? Buffer.byteLength(payload) : 0;
}

function answerError(
  { baseUrl, clock, observe }: HttpServerParts,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (thrown instanceof TokenError) return refuseToken(observe, thrown, request, reply);
  const error = asApiError(thrown, request.id);
  if (error.code === 'internal') observe({ kind: 'request.failed', requestId: request.id, error: thrown as Error });
  errorCodes.set(request, error.code);
  // Fastify would close the connection. That resets it, and a client that is still sending would not see the response.
  // Node reads and discards the rest of the body instead, within the request timeout.
  if (error.code === 'tooLarge' && !isEnding(request.raw)) reply.removeHeader('connection');
  if (isTokenRequest(request)) return refuseToken(observe, asTokenError(error), request, reply);
  // HEAD responds as GET does, including the length of the omitted body (RFC 9110 §9.3.2).
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const answer = renderError(error, { method, target: request.url }, baseUrl, clock);
  return reply.code(answer.status).headers(answer.headers).send(answer.body);
}

function refuseToken(observe: Observe, error: TokenError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
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

interface RoutePlace {
  route: string;
  resource: string | undefined;
}

/** Maps `/ws/rest/Voyage/:key` to the route `/ws/rest/{Resource}/{key}` and the resource Voyage. */
function placeOf(url: string): RoutePlace {
  let place = places.get(url);
  if (!place) {
    const resource = url.startsWith(`${restPath}/`) ? url.split('/')[3] : undefined;
    place = { route: resource ? url.replace(resource, '{Resource}').replace(':key', '{key}') : url, resource };
    places.set(url, place);
  }
  return place;
}

/** Has at most one entry per route. */
const places = new Map<string, RoutePlace>();

/** Ids are unique across processes and restarts, and cheap to make. */
function createRequestIds(): () => string {
  const prefix = randomBytes(6).toString('base64url');
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}
