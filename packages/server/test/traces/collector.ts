// A collector on loopback: takes spans over OTLP/HTTP as JSON, and keeps them together with the bytes that came.

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  traceState?: string;
  name: string;
  /** 1: internal, 2: server, 3: client. */
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Record<string, string | number | boolean>;
  links: { traceId: string; spanId: string }[];
  /** 2: error. */
  status: { code: number; message?: string };
  resource: Record<string, string | number | boolean>;
}

export interface Collector {
  url: string;
  port: number;
  spans: CollectedSpan[];
  requests: { headers: IncomingHttpHeaders; path: string; body: Buffer }[];
  /** What it does with a request, other than 200. */
  respond: ((response: ServerResponse) => void) | undefined;
  /** The spans of a trace, once `isComplete` says so. */
  trace(traceId: string, isComplete: (spans: CollectedSpan[]) => boolean): Promise<CollectedSpan[]>;
  close(): void;
}

/** What makes a service send its spans there, and soon. */
export function tracedTo(url: string): Record<string, string> {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '50',
  };
}

export async function startCollector(port = 0): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const requests: Collector['requests'] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    requests.push({ headers: request.headers, path: request.url!, body });
    if (collector.respond) return collector.respond(response);
    const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
    if (request.headers['content-type'] === 'application/json') spans.push(...spansIn(text));
    response.setHeader('content-type', 'application/json');
    response.end('{}');
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const listening = (server.address() as AddressInfo).port;
  const collector: Collector = {
    url: `http://127.0.0.1:${listening}`,
    port: listening,
    spans,
    requests,
    respond: undefined,
    trace: async (traceId, isComplete) => {
      const of = () => spans.filter((span) => span.traceId === traceId);
      const seen = () => of().map(({ name, kind }) => `${kind} ${name}`);
      await expect.poll(() => isComplete(of()) || seen(), { timeout: 20_000, interval: 20 }).toBe(true);
      return of();
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return collector;
}

interface Pair {
  key: string;
  value: { stringValue?: string; intValue?: number; doubleValue?: number; boolValue?: boolean };
}

function spansIn(body: Buffer): CollectedSpan[] {
  const { resourceSpans } = JSON.parse(body.toString());
  // biome-ignore lint/suspicious/noExplicitAny: the JSON of OTLP.
  return resourceSpans.flatMap(({ resource, scopeSpans }: any) =>
    // biome-ignore lint/suspicious/noExplicitAny: the JSON of OTLP.
    scopeSpans.flatMap(({ spans }: any) =>
      // biome-ignore lint/suspicious/noExplicitAny: the JSON of OTLP.
      spans.map((span: any) => ({
        links: [],
        ...span,
        attributes: readPairs(span.attributes),
        resource: readPairs(resource.attributes),
      })),
    ),
  );
}

function readPairs(pairs: readonly Pair[]): CollectedSpan['attributes'] {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]!]));
}
