// The settings for traces, a part of the settings table: the variables of OpenTelemetry, with its defaults.

import { samplerNames } from '../observe/traces/tracing-options.ts';
import { type Parse, parseBaseUrl, parseChoice, parseInteger, parseText } from './parse-setting.ts';
import { optional, row, secret } from './setting-row.ts';

type Pairs = Readonly<Record<string, string>>;

/** `name=value,name=value`, with percent-encoded values. The message never repeats the text: it may have a key. */
const parsePairs: Parse<Pairs> = (text) => {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      const [name, value] = [pair.slice(0, at).trim(), decode(pair.slice(at + 1).trim())];
      if (at < 1 || name === '' || value === undefined)
        throw new Error('must be name=value pairs, separated by commas, with percent-encoded values');
      return [name, value];
    }),
  );
};

const parseHeaders: Parse<Pairs> = (text) => {
  const headers = parsePairs(text);
  for (const [name, value] of Object.entries(headers))
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\x20-\x7e]*$/.test(value))
      throw new Error('must be header names and values of visible ASCII characters, as name=value,name=value');
  return headers;
};

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const parseRatio: Parse<number> = (text) => {
  const ratio = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(ratio >= 0 && ratio <= 1)) throw new Error('must be a number from 0 to 1');
  return ratio;
};

/** Any other text than `true` is false. */
const parseTrue: Parse<boolean> = (text) => text.trim().toLowerCase() === 'true';

const parseProtocol = parseChoice('http/protobuf', 'http/json');
const msMax = 600_000;

export const traceSettings = {
  tracesExporter: optional(
    'OTEL_TRACES_EXPORTER',
    parseChoice('otlp', 'none'),
    'Where traces go: `otlp`, a collector, or `none`. Default: `otlp` if an endpoint is set, else `none`. See ' +
      'docs/how-to/traces.md.',
  ),
  otlpEndpoint: optional(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    parseBaseUrl,
    'The collector. Traces are sent to `/v1/traces` below this URL. Default: `http://localhost:4318`.',
  ),
  otlpTracesEndpoint: optional(
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    parseBaseUrl,
    'The complete URL for traces, if it is another one.',
  ),
  otlpHeaders: secret(
    'OTEL_EXPORTER_OTLP_HEADERS',
    parseHeaders,
    'Headers for the collector, such as a key: `name=value,name=value`, with percent-encoded values.',
  ),
  otlpTracesHeaders: secret(
    'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
    parseHeaders,
    'The headers for traces. They replace those of `OTEL_EXPORTER_OTLP_HEADERS` with the same names.',
  ),
  otlpProtocol: optional(
    'OTEL_EXPORTER_OTLP_PROTOCOL',
    parseProtocol,
    'How spans are sent: `http/protobuf` (the default) or `http/json`. There is no gRPC.',
  ),
  otlpTracesProtocol: optional('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', parseProtocol, 'The same, for traces.'),
  otlpCompression: row(
    'OTEL_EXPORTER_OTLP_COMPRESSION',
    'none',
    parseChoice('none', 'gzip'),
    'Whether what is sent to the collector is compressed.',
  ),
  otlpTimeoutMs: row(
    'OTEL_EXPORTER_OTLP_TIMEOUT',
    '10000',
    parseInteger(1, msMax),
    'How many milliseconds the collector may take for a batch of spans, with retries. Then the batch is dropped.',
  ),
  otelServiceName: optional(
    'OTEL_SERVICE_NAME',
    parseText,
    'The name of the service in traces. Default: `service.name` of `OTEL_RESOURCE_ATTRIBUTES`, else `flaghoist`.',
  ),
  otelResourceAttributes: row(
    'OTEL_RESOURCE_ATTRIBUTES',
    '',
    parsePairs,
    'Attributes of all spans: `name=value,name=value`, with percent-encoded values.',
  ),
  tracesSampler: row(
    'OTEL_TRACES_SAMPLER',
    'parentbased_always_on',
    parseChoice(...samplerNames),
    'Which requests are traced: `always_on`, `always_off` or `traceidratio`; with `parentbased_` before it, the ' +
      "caller's `traceparent` decides first.",
  ),
  tracesSamplerRatio: row(
    'OTEL_TRACES_SAMPLER_ARG',
    '1',
    parseRatio,
    'The share of requests that `traceidratio` and `parentbased_traceidratio` trace, from 0 to 1.',
  ),
  otelIsDisabled: row('OTEL_SDK_DISABLED', 'false', parseTrue, 'With `true`, nothing is traced.'),
  spanDelayMs: row(
    'OTEL_BSP_SCHEDULE_DELAY',
    '5000',
    parseInteger(1, msMax),
    'How many milliseconds spans are collected before they are sent.',
  ),
  spanExportTimeoutMs: row(
    'OTEL_BSP_EXPORT_TIMEOUT',
    '30000',
    parseInteger(1, msMax),
    'After so many milliseconds, the next batch of spans is sent, whether or not the last one has ended.',
  ),
  spanQueueMax: row(
    'OTEL_BSP_MAX_QUEUE_SIZE',
    '2048',
    parseInteger(1, 1_000_000),
    'How many spans wait in memory at most. Further ones are dropped.',
  ),
  spanBatchMax: row(
    'OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
    '512',
    parseInteger(1, 1_000_000),
    'How many spans are sent at once.',
  ),
};
