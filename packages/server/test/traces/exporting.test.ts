// How spans are exported: what the collector gets, and what happens if it is slow, away or refuses.

import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { loadSettings } from '../../src/config/load-settings.ts';
import { tracingOptionsOf } from '../../src/config/tracing-options-of.ts';
import type { Observation } from '../../src/observe/observation.ts';
import { openTracing } from '../../src/observe/traces/open-tracing.ts';
import type { Tracing } from '../../src/observe/traces/tracing.ts';
import { type Collector, startCollector, tracedTo } from './collector.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function collect(): Promise<Collector> {
  const collector = await startCollector();
  ends.push(() => collector.close());
  return collector;
}

async function trace(environment: Record<string, string>): Promise<{ tracing: Tracing; observed: Observation[] }> {
  const observed: Observation[] = [];
  const { settings } = loadSettings(environment);
  const tracing = await openTracing(tracingOptionsOf(settings), (observation) => observed.push(observation));
  ends.push(() => tracing!.stop(0));
  return { tracing: tracing!, observed };
}

function record(tracing: Tracing, count: number): void {
  for (let n = 0; n < count; n += 1)
    tracing.begin({ name: `span ${n}`, kind: 'internal', parent: undefined, attributes: {} })!.end();
}

const untilStop = { OTEL_BSP_SCHEDULE_DELAY: '600000' };

test('by default, spans are sent as Protocol Buffers to /v1/traces, with the headers that are set', async () => {
  const collector = await collect();
  const { tracing } = await trace({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/below/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20secret,x-other=1',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-other=2',
    ...untilStop,
  });
  record(tracing, 1);
  await tracing.stop(10_000);
  const [{ headers, path, body }] = collector.requests as [Collector['requests'][number]];
  expect(path).toBe('/below/v1/traces');
  expect(headers).toMatchObject({ 'content-type': 'application/x-protobuf', 'x-key': 'a secret', 'x-other': '2' });
  // Field 1 (ResourceSpans) with its length.
  expect(body[0]).toBe(0x0a);
  expect(body.toString('latin1')).toContain('span 0');
});

test('compressed, and to another URL for traces', async () => {
  const collector = await collect();
  const { tracing } = await trace({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/mine`,
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
    ...untilStop,
  });
  record(tracing, 1);
  await tracing.stop(10_000);
  const [{ headers, path, body }] = collector.requests as [Collector['requests'][number]];
  expect([path, headers['content-encoding']]).toEqual(['/mine', 'gzip']);
  expect(JSON.parse(gunzipSync(body).toString()).resourceSpans).toHaveLength(1);
});

test('a collector that is overloaded gets the same spans again', async () => {
  const collector = await collect();
  const { tracing, observed } = await trace({ ...tracedTo(collector.url), ...untilStop });
  collector.respond = (response) => {
    collector.respond = undefined;
    response.writeHead(503).end();
  };
  record(tracing, 2);
  await tracing.stop(10_000);
  expect(collector.spans.map(({ name }) => name)).toEqual(['span 0', 'span 1']);
  expect(observed).toEqual([]);
});

test('one line is logged when exporting begins to fail, and one when it works again', async () => {
  const collector = await collect();
  const { tracing, observed } = await trace(tracedTo(collector.url));
  collector.respond = (response) => response.writeHead(401).end('the key a secret is wrong');
  for (const requests of [1, 2]) {
    record(tracing, 3);
    await expect.poll(() => collector.requests.length).toBe(requests);
  }
  collector.respond = undefined;
  record(tracing, 1);
  await expect.poll(() => observed.length).toBe(2);
  expect(observed).toEqual([
    { kind: 'traces.unavailable', reason: 'The collector answered 401.' },
    { kind: 'traces.available', outageMs: expect.any(Number), spansLost: 6 },
  ]);
});

test('a collector that is away is named by the code of the error alone', async () => {
  const { url, close } = await startCollector();
  close();
  const { tracing, observed } = await trace(tracedTo(url));
  record(tracing, 1);
  await expect
    .poll(() => observed)
    .toEqual([{ kind: 'traces.unavailable', reason: 'The collector cannot be reached: ECONNREFUSED.' }]);
});

test('while the collector hangs, no more spans are kept than the queue may have', async () => {
  const collector = await collect();
  const hanging: (() => void)[] = [];
  collector.respond = (response) => void hanging.push(() => response.end('{}'));
  const bounds = { OTEL_BSP_MAX_QUEUE_SIZE: '20', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '5' };
  const { tracing } = await trace({ ...tracedTo(collector.url), ...bounds });
  record(tracing, 5);
  await expect.poll(() => hanging.length).toBe(1);
  record(tracing, 1_000);
  collector.respond = undefined;
  hanging[0]!();
  await tracing.stop(10_000);
  expect(collector.spans.map(({ name }) => name)).toEqual(Array.from({ length: 20 }, (_, n) => `span ${n}`));
});

test('stopping waits for a collector that hangs as long as it may, and no longer', async () => {
  const collector = await collect();
  collector.respond = () => undefined;
  const forever = { OTEL_EXPORTER_OTLP_TIMEOUT: '600000', OTEL_BSP_EXPORT_TIMEOUT: '600000' };
  const { tracing, observed } = await trace({ ...tracedTo(collector.url), ...forever, ...untilStop });
  record(tracing, 1);
  await tracing.stop(50);
  expect(collector.requests).toHaveLength(1);
  expect(observed.map(({ kind }) => kind)).toEqual(['traces.unavailable']);
});

test('stopping waits for an export that is under way, although nothing else is left to send', async () => {
  const collector = await collect();
  const hanging: (() => void)[] = [];
  collector.respond = (response) => void hanging.push(() => response.end('{}'));
  const { tracing, observed } = await trace(tracedTo(collector.url));
  record(tracing, 3);
  await expect.poll(() => hanging.length).toBe(1);
  let isStopped = false;
  const stopping = tracing.stop(10_000).then(() => {
    isStopped = true;
  });
  await sleep(200);
  expect([isStopped, observed]).toEqual([false, []]);
  hanging[0]!();
  await stopping;
  expect(observed).toEqual([]);
});

test('stopping ends an export that hangs, although another one has failed', async () => {
  const collector = await collect();
  let isCut = false;
  collector.respond = (response) => {
    response.once('close', () => {
      isCut = true;
    });
    collector.respond = (next) => next.writeHead(401).end();
  };
  const forever = { OTEL_EXPORTER_OTLP_TIMEOUT: '600000', OTEL_BSP_EXPORT_TIMEOUT: '600000' };
  const { tracing } = await trace({ ...tracedTo(collector.url), ...forever, OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '1' });
  record(tracing, 2);
  await expect.poll(() => collector.requests.length).toBe(1);
  await tracing.stop(300);
  expect(collector.requests).toHaveLength(2);
  await expect.poll(() => isCut).toBe(true);
});

test.each<[Record<string, string>, boolean]>([
  [{}, false],
  [{ OTEL_SERVICE_NAME: 'named', OTEL_TRACES_SAMPLER: 'always_on' }, false],
  [{ OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }, false],
  [{ OTEL_TRACES_EXPORTER: 'otlp', OTEL_SDK_DISABLED: 'TRUE' }, false],
  [{ OTEL_TRACES_EXPORTER: 'otlp' }, true],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }, true],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:9' }, true],
])('with %j, whether traces are on: %s', (environment, isOn) => {
  expect(tracingOptionsOf(loadSettings(environment).settings) !== undefined).toBe(isOn);
});

test('the name of the service: the variable, else the attribute, else flaghoist', () => {
  const nameWith = (environment: Record<string, string>) =>
    tracingOptionsOf(loadSettings({ OTEL_TRACES_EXPORTER: 'otlp', ...environment }).settings)!.attributes[
      'service.name'
    ];
  const attributes = { OTEL_RESOURCE_ATTRIBUTES: 'service.name=of%20attributes' };
  expect(nameWith({})).toBe('flaghoist');
  expect(nameWith(attributes)).toBe('of attributes');
  expect(nameWith({ ...attributes, OTEL_SERVICE_NAME: 'given' })).toBe('given');
});

test('a mistake in a variable stops the start, and the message does not repeat a secret', () => {
  const wrong = {
    OTEL_EXPORTER_OTLP_HEADERS: 'a-secret',
    OTEL_TRACES_SAMPLER: 'sometimes',
    OTEL_TRACES_SAMPLER_ARG: '1.5',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
  };
  const message = (() => {
    try {
      loadSettings(wrong);
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  })();
  for (const variable of Object.keys(wrong)) expect(message).toContain(variable);
  expect(message).not.toContain('a-secret');
});

test('a sampler with a ratio keeps that share, and only parent-based ones ask the caller', async () => {
  const { traceParent, sampled } = { traceParent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-`, sampled: ['00', '01'] };
  const decisions = async (sampler: string) => {
    const { tracing } = await trace({
      OTEL_TRACES_EXPORTER: 'otlp',
      OTEL_TRACES_SAMPLER: sampler,
      OTEL_TRACES_SAMPLER_ARG: '0',
      ...untilStop,
    });
    const begin = (parent: string | undefined) =>
      tracing.begin({
        ...{ name: 'one', kind: 'server', attributes: {} },
        parent: parent === undefined ? undefined : { traceParent: parent, traceState: undefined },
      }) !== undefined;
    return [undefined, ...sampled.map((flags) => traceParent + flags)].map(begin);
  };
  expect(await decisions('parentbased_always_on')).toEqual([true, false, true]);
  expect(await decisions('parentbased_always_off')).toEqual([false, false, true]);
  expect(await decisions('parentbased_traceidratio')).toEqual([false, false, true]);
  expect(await decisions('always_on')).toEqual([true, true, true]);
  expect(await decisions('always_off')).toEqual([false, false, false]);
  expect(await decisions('traceidratio')).toEqual([false, false, false]);
});
