// Sends batches of spans to a collector over OTLP/HTTP. The exporters of OpenTelemetry are not used: their retries keep
// a stopped process alive for up to ten seconds, and they read the environment by themselves.

import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type ISerializer, JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { Observe } from '../observation.ts';
import type { OtlpProtocol, TracingOptions } from './tracing-options.ts';

type Target = Pick<TracingOptions, 'url' | 'headers' | 'protocol' | 'timeoutMs' | 'isCompressed'>;

const formats: Readonly<Record<OtlpProtocol, { type: string; serializer: ISerializer<ReadableSpan[], unknown> }>> = {
  'http/protobuf': { type: 'application/x-protobuf', serializer: ProtobufTraceSerializer },
  'http/json': { type: 'application/json', serializer: JsonTraceSerializer },
};

/** The statuses after which OTLP/HTTP sends the same batch again. */
const retried: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const firstPauseMs = 500;
const pauseMaxMs = 5_000;
const compress = promisify(gzip);

const stopped = 'The service stopped before the collector had taken the spans.';

/** What `export` calls in the end: 0 is success, 1 is failure (`ExportResultCode`). */
type OnExported = Parameters<SpanExporter['export']>[1];

export class OtlpExporter implements SpanExporter {
  readonly #target: Target;
  readonly #observe: Observe;
  /** The exports in progress, and how to end each before its time. */
  readonly #running = new Map<Promise<void>, AbortController>();
  #isStopped = false;
  #failingSince: number | undefined;
  #spansLost = 0;

  constructor(target: Target, observe: Observe) {
    this.#target = target;
    this.#observe = observe;
  }

  export(spans: ReadableSpan[], onExported: OnExported): void {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), this.#target.timeoutMs).unref();
    if (this.#isStopped) controller.abort();
    const running = this.#attempt(spans, controller.signal).then((problem) => {
      clearTimeout(timer);
      this.#running.delete(running);
      this.#note(problem, spans.length);
      onExported({ code: problem === undefined ? 0 : 1 });
    });
    this.#running.set(running, controller);
  }

  /** Waits for the exports in progress, because the SDK waits only for those that its last flush has begun. */
  async shutdown(): Promise<void> {
    await Promise.all(this.#running.keys());
  }

  /** Ends all exports, whatever the collector does. Later ones fail at once. */
  abort(): void {
    this.#isStopped = true;
    for (const controller of this.#running.values()) controller.abort();
  }

  /** Returns why the spans were not exported; undefined if they were. */
  async #attempt(spans: ReadableSpan[], signal: AbortSignal): Promise<string | undefined> {
    const { url, headers, protocol, timeoutMs, isCompressed } = this.#target;
    try {
      const { type, serializer } = formats[protocol];
      const bytes = serializer.serializeRequest(spans)!;
      const body = isCompressed ? await compress(bytes) : bytes;
      const encoding: Record<string, string> = isCompressed ? { 'content-encoding': 'gzip' } : {};
      const request = { method: 'POST', body, headers: { ...headers, ...encoding, 'content-type': type } } as const;
      for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, pauseMaxMs)) {
        const response = await fetch(url, { ...request, redirect: 'error', signal });
        await response.body?.cancel();
        if (response.ok) return undefined;
        if (!retried.has(response.status)) return `The collector answered ${response.status}.`;
        await sleep(pauseMs, undefined, { signal, ref: false });
      }
    } catch (error) {
      return this.#isStopped ? stopped : problemOf(error as Error, timeoutMs);
    }
  }

  /** One line when exporting begins to fail, and one when it works again. */
  #note(problem: string | undefined, spans: number): void {
    const now = performance.now();
    if (problem !== undefined) {
      this.#spansLost += spans;
      if (this.#failingSince === undefined) this.#observe({ kind: 'traces.unavailable', reason: problem });
      this.#failingSince ??= now;
    }
    if (problem !== undefined || this.#failingSince === undefined) return;
    const outageMs = Math.round(now - this.#failingSince);
    this.#observe({ kind: 'traces.available', outageMs, spansLost: this.#spansLost });
    this.#failingSince = undefined;
    this.#spansLost = 0;
  }
}

/** Only codes, because the message of an error could repeat the URL or a header. */
function problemOf(error: Error, timeoutMs: number): string {
  if (error.name === 'AbortError') return `The collector did not take the spans within ${timeoutMs} ms.`;
  const cause = (error.cause ?? error) as { code?: unknown };
  return `The collector cannot be reached: ${typeof cause.code === 'string' ? cause.code : error.name}.`;
}
