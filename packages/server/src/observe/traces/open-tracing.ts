// Opens tracing if it is on. The packages of OpenTelemetry are loaded only then.

import type { Observe } from '../observation.ts';
import type { Tracing } from './tracing.ts';
import type { TracingOptions } from './tracing-options.ts';

export async function openTracing(options: TracingOptions | undefined, observe: Observe): Promise<Tracing | undefined> {
  if (!options) return undefined;
  const { OtelTracing } = await import('./otel-tracing.ts');
  return new OtelTracing(options, observe);
}
