// What tests ask of spans, and the headers of a caller that is traced.

import { randomBytes } from 'node:crypto';
import type { CollectedSpan } from './collector.ts';

export function caller(flags: '00' | '01' = '01') {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-${flags}`, tracestate: 'vendor=1' } };
}

export function named(spans: readonly CollectedSpan[], name: string): CollectedSpan | undefined {
  return spans.find((span) => span.name === name);
}

export function childrenOf(spans: readonly CollectedSpan[], parent: CollectedSpan): CollectedSpan[] {
  return spans.filter(({ parentSpanId }) => parentSpanId === parent.spanId);
}

/** Of a `traceparent`. */
export function traceIdIn(header: unknown): string {
  return String(header).split('-')[1]!;
}

export function spanIdIn(header: unknown): string {
  return String(header).split('-')[2]!;
}
