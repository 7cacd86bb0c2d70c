// Whether traces are on, and how they are sent, from the variables of OpenTelemetry.

import type { TracingOptions } from '../observe/traces/tracing-options.ts';
import type { Settings } from './settings-table.ts';

const defaultEndpoint = 'http://localhost:4318';

/** Undefined: traces are off. `own`: attributes that the variables may replace. */
export function tracingOptionsOf(
  settings: Settings,
  own: Readonly<Record<string, string>> = {},
): TracingOptions | undefined {
  if (!isOn(settings)) return undefined;
  const { otelServiceName, otelResourceAttributes } = settings;
  return {
    url: settings.otlpTracesEndpoint ?? `${settings.otlpEndpoint ?? defaultEndpoint}/v1/traces`,
    headers: { ...settings.otlpHeaders, ...settings.otlpTracesHeaders },
    protocol: settings.otlpTracesProtocol ?? settings.otlpProtocol ?? 'http/protobuf',
    timeoutMs: settings.otlpTimeoutMs,
    isCompressed: settings.otlpCompression === 'gzip',
    attributes: {
      'service.name': 'flaghoist',
      ...own,
      ...otelResourceAttributes,
      ...(otelServiceName === undefined ? {} : { 'service.name': otelServiceName }),
    },
    sampler: settings.tracesSampler,
    ratio: settings.tracesSamplerRatio,
    batch: {
      delayMs: settings.spanDelayMs,
      timeoutMs: settings.spanExportTimeoutMs,
      queueMax: settings.spanQueueMax,
      spansMax: settings.spanBatchMax,
    },
  };
}

function isOn({ otelIsDisabled, tracesExporter, otlpEndpoint, otlpTracesEndpoint }: Settings): boolean {
  if (otelIsDisabled || tracesExporter === 'none') return false;
  return tracesExporter === 'otlp' || otlpEndpoint !== undefined || otlpTracesEndpoint !== undefined;
}
