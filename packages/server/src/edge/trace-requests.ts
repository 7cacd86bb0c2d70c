// A span for each request that has a route, but for health checks and metrics. It continues the caller's trace.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Attributes, Span, TraceParent, Tracing } from '../observe/traces/tracing.ts';

const untraced = /^\/(?:health|metrics)(?:\/|$)/;

/** Call before other hooks are added: what they do is inside the span. */
export function traceRequests(
  app: FastifyInstance,
  tracing: Tracing,
  errorCodeOf: (request: FastifyRequest) => string | undefined,
): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook('onRequest', (request, reply, done) => {
    const span = beginRequest(tracing, request);
    if (!span) return done();
    spans.set(request, span);
    // Emitted for every response, also for one that its client did not wait for.
    reply.raw.once('close', () => endRequest(span, reply, errorCodeOf(request)));
    span.run(done);
  });
  // The events of a body come from the socket, which belongs to no request.
  app.addHook('preValidation', (request, _, done) => {
    const span = spans.get(request);
    if (span) span.run(done);
    else done();
  });
}

function beginRequest(tracing: Tracing, request: FastifyRequest): Span | undefined {
  const { method, url, routeOptions } = request;
  const path = url.split('?', 1)[0]!;
  // A path without a route is what a caller typed by mistake.
  if (routeOptions.url === undefined || request.is404 || untraced.test(path)) return undefined;
  const route = routeOptions.url.replaceAll(/:(\w+)/g, '{$1}');
  const attributes = {
    'http.request.method': method,
    'http.route': route,
    'url.path': path,
    'url.scheme': request.protocol,
    'flaghoist.request_id': request.id,
  };
  return tracing.begin({ name: `${method} ${route}`, kind: 'server', parent: callerOf(request), attributes });
}

function callerOf({ headers: { traceparent, tracestate } }: FastifyRequest): TraceParent | undefined {
  if (typeof traceparent !== 'string') return undefined;
  return { traceParent: traceparent, traceState: typeof tracestate === 'string' ? tracestate : undefined };
}

/** A mistake of the caller is no error of the service. */
function endRequest(span: Span, { raw }: FastifyReply, errorCode: string | undefined): void {
  const { statusCode, headersSent, writableFinished } = raw;
  const isError = headersSent && statusCode >= 500;
  const attributes: Attributes = {
    'http.response.status_code': headersSent ? statusCode : undefined,
    'flaghoist.error_code': errorCode,
    'error.type': isError ? (errorCode ?? String(statusCode)) : writableFinished ? undefined : 'disconnected',
  };
  span.end(attributes, isError ? (errorCode ?? String(statusCode)) : undefined);
}
