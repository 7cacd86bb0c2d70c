// A trace is whole though the parts of the service run in several processes, one after the other.

import { afterAll, expect, test } from 'vitest';
import { answering, startHooks, subscribeTo } from '../deliver/hooks.ts';
import { startWorker } from '../deliver/worker-process.ts';
import { useTestService } from '../support/test-service.ts';
import { startCollector, tracedTo } from './collector.ts';
import { caller, named, spanIdIn } from './spans.ts';

const collector = await startCollector();
afterAll(() => collector.close());
const sending = { FLAGHOIST_DELIVERY_ATTEMPTS: '3', FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.1' };
const service = useTestService({ ...tracedTo(collector.url), FLAGHOIST_ROLES: 'api' });

test('request, matching and both attempts are one trace, each in another process, and none is lost at the end', async () => {
  const hooks = await startHooks(answering(500, 200));
  await subscribeTo(service, { url: hooks.url, retryPolicy: undefined });
  const { headers, traceId } = caller();
  await service.post('/ws/rest/Voyage', {}, headers);

  // Spans wait for ten minutes, or for the end of the process.
  const worker = { ...tracedTo(collector.url), ...sending, OTEL_BSP_SCHEDULE_DELAY: '600000' };
  const first = await startWorker(service.database.url, worker);
  await expect.poll(() => hooks.received.length, { timeout: 20_000 }).toBeGreaterThan(0);
  await first.stop();
  const second = await startWorker(service.database.url, worker);
  await expect.poll(() => hooks.received.length, { timeout: 20_000 }).toBe(2);
  await second.stop();

  const spans = await collector.trace(traceId, (all) => all.filter(({ name }) => name === 'deliver HTTP').length === 2);
  const request = named(spans, 'POST /ws/rest/Voyage')!;
  const attempts = spans.filter(({ name }) => name === 'deliver HTTP');
  for (const span of [named(spans, 'match')!, ...attempts]) expect(span.parentSpanId).toBe(request.spanId);
  expect(attempts.map(({ attributes }) => attributes['flaghoist.attempt'])).toEqual([1, 2]);
  expect(hooks.received.map((each) => spanIdIn(each.headers.traceparent))).toEqual(
    attempts.map(({ spanId }) => spanId),
  );
  const instances = [request, ...attempts].map(({ resource }) => resource['service.instance.id']);
  expect(new Set(instances).size).toBeGreaterThan(1);
});

test('a process ends in time although its collector never answers', async () => {
  const hanging = await startCollector();
  hanging.respond = () => undefined;
  const hooks = await startHooks();
  await subscribeTo(service, { url: hooks.url });
  const forever = { OTEL_EXPORTER_OTLP_TIMEOUT: '600000', OTEL_BSP_EXPORT_TIMEOUT: '600000' };
  const worker = await startWorker(service.database.url, { ...tracedTo(hanging.url), ...forever });
  await service.post('/ws/rest/Voyage', {}, caller().headers);
  await expect.poll(() => hooks.received.length, { timeout: 20_000 }).toBe(1);
  await expect.poll(() => hanging.requests.length, { timeout: 20_000 }).toBeGreaterThan(0);
  await worker.stop();
  expect(worker.output()).toContain('service.stopped');
  hanging.close();
});
