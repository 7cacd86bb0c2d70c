// The HTTP edge, put together: what every request passes on its way in, the routes, and how errors leave. Behaviour that
// belongs to a route is in `routes/`.

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
import type { Model } from '../model/object-type.ts';
import { RecentBacklog } from '../notifications/recent-backlog.ts';
import type { ActionHandler } from '../objects/action-call.ts';
import type { Objects } from '../objects/objects.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Observe } from '../observability/observation.ts';
import { answerConnect, answerParseError, type ParseError } from './answer-parse-error.ts';
import { type AnswersInFlight, exchangeOf } from './answers-in-flight.ts';
import type { Listener } from './listener.ts';
import { isEnding, refuseBadRequest } from './refuse-request.ts';
import { asApiError, renderError } from './render-error.ts';
import { addRequestSteps, addStandingHeaders, isTokenRequest } from './request-steps.ts';
import { pathOfTarget } from './request-target.ts';
import { addActionRoutes } from './routes/action-routes.ts';
import { addDescriptionRoutes } from './routes/description-routes.ts';
import { addObjectRoutes, restPath } from './routes/object-routes.ts';
import { addOperationRoutes } from './routes/operation-routes.ts';
import { addTokenRoutes, asTokenError, sendTokenError } from './routes/token-routes.ts';

export interface HttpServerParts {
  listener: Listener;
  baseUrl: string;
  settings: Settings;
  model: Model;
  authenticator: Authenticator;
  /** Undefined: tokens come from an external issuer. */
  tokenEndpoint: TokenEndpoint | undefined;
  actions: ReadonlyMap<string, ActionHandler>;
  database: Database;
  modelDigest: string;
  /** Has a connection of its own: health is told however busy the others are. */
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

  /** Everything that can fail. */
  async prepare(): Promise<void> {
    await this.#app.ready();
  }

  /** Requests that come before are answered by the listener; none is answered by both. */
  open(): void {
    const { listener } = this.#parts;
    listener.server.on('connect', (request, socket) => answerConnect(request, socket as Socket, this.#parts));
    listener.handOver(this.#answer);
  }

  /** Requests that are being served have so long to end. */
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
    // As long as a request line can be: a key that is too long is no key, and told so by its route.
    routerOptions: { maxParamLength: 16_384, ignoreTrailingSlash: false, caseSensitive: true },
    return503OnClosing: false,
    // Before anything looks at the path: a token is asked for whatever the form of the target.
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
    if (request.visitor) parts.answers.send(exchangeOf(request, reply), sizeOf(payload));
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
  // Fastify wants to close the connection. That would reset it, and a client that is still sending would not see the
  // answer; Node reads the rest of the body away, for as long as a request may take.
  if (error.code === 'tooLarge' && !isEnding(request.raw)) reply.removeHeader('connection');
  if (isTokenRequest(request)) return refuseToken(observe, asTokenError(error), request, reply);
  // HEAD answers what GET would, to the length of the body that is left out (RFC 9110 §9.3.2).
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const answer = renderError(error, { method, target: request.url }, baseUrl, clock);
  return reply.code(answer.status).headers(answer.headers).send(answer.body);
}

function refuseToken(observe: Observe, error: TokenError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  observe({ kind: 'token.refused', requestId: request.id, error: error.code });
  errorCodes.set(request, error.code);
  return sendTokenError(reply, error);
}

/** For the one wide line that is written when the answer has left. */
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

/** `/ws/rest/Voyage/:key` is the route `/ws/rest/{Resource}/{key}` for the resource Voyage. */
function placeOf(url: string): RoutePlace {
  let place = places.get(url);
  if (!place) {
    const resource = url.startsWith(`${restPath}/`) ? url.split('/')[3] : undefined;
    place = { route: resource ? url.replace(resource, '{Resource}').replace(':key', '{key}') : url, resource };
    places.set(url, place);
  }
  return place;
}

/** Of as many as there are routes. */
const places = new Map<string, RoutePlace>();

/** Unique over processes and restarts, and cheap. */
function createRequestIds(): () => string {
  const prefix = randomBytes(6).toString('base64url');
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}
