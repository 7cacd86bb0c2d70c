// What the rest of the service knows of traces: it begins spans, runs work inside them, and ends them. Where tracing is
// off, there is no `Tracing` at all.

export interface Tracing {
  /** Undefined if the trace is not sampled: then nothing of it is recorded, here or further down. */
  begin(span: NewSpan): Span | undefined;
  /** The span that the running code is inside of; undefined if there is none, or if it has ended. */
  current(): Span | undefined;
  /** Sends what is recorded, for so long at most, and records no more. */
  stop(withinMs: number): Promise<void>;
}

export interface NewSpan {
  /** From a small set: never a key, a path or a value. */
  name: string;
  kind: SpanKind;
  /** Undefined: the span begins a trace. */
  parent: TraceParent | undefined;
  attributes: Attributes;
  /** Spans of other traces that did the same work. */
  links?: readonly TraceParent[];
  /** Default: now. */
  startedAt?: Date;
}

export interface Span {
  readonly kind: SpanKind;
  /** Makes another span a child of this one, in whatever process. */
  readonly asParent: TraceParent;
  /** What `work` does is inside this span, also after a wait. */
  run<T>(work: () => T): T;
  /** `error`: a short text without secrets; undefined if it went well. */
  end(attributes?: Attributes, error?: string): void;
}

export type SpanKind = 'server' | 'client' | 'internal';

/** Undefined members are left out. Values are no secrets. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** The place of a span in its trace, as the headers of W3C Trace Context write it. */
export interface TraceParent {
  readonly traceParent: string;
  readonly traceState: string | undefined;
}
