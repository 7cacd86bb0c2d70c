// Reads and writes the headers of W3C Trace Context. A header that is not valid counts as none.

import { createTraceState, type SpanContext } from '@opentelemetry/api';
import type { TraceParent } from './tracing.ts';

/** Version 00 has four fields. Later versions may have more, which are ignored (W3C Trace Context §4.3). */
const form = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const stateCharsMax = 512;

export function parseTraceParent({ traceParent, traceState }: TraceParent): SpanContext | undefined {
  const [, version, traceId, spanId, flags, more] = form.exec(traceParent) ?? [];
  if (!traceId || !spanId || (version === '00' && more !== undefined)) return undefined;
  const state = traceState === undefined || traceState.length > stateCharsMax ? undefined : traceState;
  return {
    traceId,
    spanId,
    // Only the lowest bit is defined: sampled.
    traceFlags: Number.parseInt(flags!, 16) & 1,
    isRemote: true,
    ...(state === undefined ? {} : { traceState: createTraceState(state) }),
  };
}

export function renderTraceParent({ traceId, spanId, traceFlags, traceState }: SpanContext): TraceParent {
  const flags = (traceFlags & 1).toString().padStart(2, '0');
  return { traceParent: `00-${traceId}-${spanId}-${flags}`, traceState: traceState?.serialize() || undefined };
}
