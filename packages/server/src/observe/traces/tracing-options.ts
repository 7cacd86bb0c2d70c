// What can be chosen about traces. `config/tracing-options-of.ts` reads it from the variables of OpenTelemetry.

export interface TracingOptions {
  /** The complete URL. */
  url: string;
  headers: Readonly<Record<string, string>>;
  protocol: OtlpProtocol;
  /** How long one export may take, with its retries. */
  timeoutMs: number;
  isCompressed: boolean;
  /** Of the resource; `service.name` is one of them. */
  attributes: Readonly<Record<string, string>>;
  sampler: SamplerName;
  /** The share of traces that samplers with a ratio keep. */
  ratio: number;
  batch: BatchOptions;
}

export type OtlpProtocol = 'http/protobuf' | 'http/json';

export interface BatchOptions {
  delayMs: number;
  timeoutMs: number;
  /** Spans beyond this are dropped. */
  queueMax: number;
  spansMax: number;
}

export const samplerNames = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const;

export type SamplerName = (typeof samplerNames)[number];
