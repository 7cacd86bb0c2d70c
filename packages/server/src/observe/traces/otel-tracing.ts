// Tracing with the SDK of OpenTelemetry. Only this file and those it imports load its packages. Nothing is registered
// globally: a span is inside another one because it was begun there.

import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Span as OtelSpan,
  SpanKind as OtelSpanKind,
  ROOT_CONTEXT,
  type SpanContext,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Observe } from '../observation.ts';
import { OtlpExporter } from './otlp-exporter.ts';
import { samplerOf } from './sampler-of.ts';
import { parseTraceParent, renderTraceParent } from './trace-context.ts';
import type { Attributes, NewSpan, Span, SpanKind, TraceParent, Tracing } from './tracing.ts';
import type { TracingOptions } from './tracing-options.ts';

const kinds: Readonly<Record<SpanKind, OtelSpanKind>> = {
  server: OtelSpanKind.SERVER,
  client: OtelSpanKind.CLIENT,
  internal: OtelSpanKind.INTERNAL,
};

/** A path may have 16 kB. */
const attributeCharsMax = 1_024;

export class OtelTracing implements Tracing {
  readonly #provider: TracerProvider;
  readonly #exporter: OtlpExporter;
  readonly #tracer: Tracer;
  readonly #inside = new AsyncLocalStorage<OpenSpan>();

  constructor(options: TracingOptions, observe: Observe) {
    const { sampler, ratio, attributes, batch } = options;
    this.#exporter = new OtlpExporter(options, observe);
    const processor = new BatchSpanProcessor({
      exporter: this.#exporter,
      scheduledDelayMillis: batch.delayMs,
      exportTimeoutMillis: batch.timeoutMs,
      maxQueueSize: batch.queueMax,
      maxExportBatchSize: batch.spansMax,
    });
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes(attributes),
      sampler: samplerOf(sampler, ratio),
      spanLimits: { attributeValueLengthLimit: attributeCharsMax },
      spanProcessors: [processor],
    });
    this.#tracer = this.#provider.getTracer('flaghoist');
  }

  begin({ name, kind, parent, attributes, links, startedAt }: NewSpan): Span | undefined {
    const above = parent && parseTraceParent(parent);
    const options = {
      kind: kinds[kind],
      attributes,
      links: (links ?? []).map((link) => ({ context: parseTraceParent(link)! })),
      ...(startedAt === undefined ? {} : { startTime: startedAt }),
    };
    const span = this.#tracer.startSpan(name, options, above ? contextOf(above) : ROOT_CONTEXT);
    return span.isRecording() ? new OpenSpan(kind, span, this.#inside) : undefined;
  }

  /** Work that a span has started may go on after its end, such as a loop that it has woken. It is no part of it. */
  current(): Span | undefined {
    const span = this.#inside.getStore();
    return span?.isEnded ? undefined : span;
  }

  async stop(withinMs: number): Promise<void> {
    const timer = setTimeout(() => this.#exporter.abort(), withinMs);
    // Spans that are not sent are lost, and the exporter has said why.
    await this.#provider.shutdown().catch(() => undefined);
    // If one export has failed, the SDK has not waited for the others.
    await this.#exporter.shutdown();
    clearTimeout(timer);
    this.#exporter.abort();
  }
}

function contextOf(above: SpanContext) {
  return trace.setSpanContext(ROOT_CONTEXT, above);
}

class OpenSpan implements Span {
  readonly kind: SpanKind;
  readonly #span: OtelSpan;
  readonly #inside: AsyncLocalStorage<OpenSpan>;
  #asParent: TraceParent | undefined;
  isEnded = false;

  constructor(kind: SpanKind, span: OtelSpan, inside: AsyncLocalStorage<OpenSpan>) {
    this.kind = kind;
    this.#span = span;
    this.#inside = inside;
  }

  get asParent(): TraceParent {
    this.#asParent ??= renderTraceParent(this.#span.spanContext());
    return this.#asParent;
  }

  run<T>(work: () => T): T {
    return this.#inside.run(this, work);
  }

  end(attributes?: Attributes, error?: string): void {
    if (this.isEnded) return;
    this.isEnded = true;
    if (attributes) this.#span.setAttributes(attributes);
    if (error !== undefined) this.#span.setStatus({ code: SpanStatusCode.ERROR, message: error });
    this.#span.end();
  }
}
