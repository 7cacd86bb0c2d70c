// A trace is whole though the parts of the service run in several processes, one after the other.

import { afterAll, expect, onTestFinished, test } from 'vitest';
import { answering, settled, startHooks, subscribeTo } from '../deliver/hooks.ts';
import { replayed } from '../deliver/replays.ts';
import { startWorker } from '../deliver/worker-process.ts';
import { DatabaseRelay } from '../support/database-relay.ts';
import { useTestService } from '../support/test-service.ts';
import { startCollector, tracedTo } from './collector.ts';
import { caller, named, spanIdIn, traceIdIn } from './spans.ts';

const collector = await startCollector();
afterAll(() => collector.close());
const sending = { FLAGHOIST_DELIVERY_ATTEMPTS: '3', FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.1' };
const service = useTestService({ ...tracedTo(collector.url), FLAGHOIST_ROLES: 'api' });

test('request, matching and both attempts are one trace, each in another process, and none is lost', async () => {
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

test('after a failover, an event with the number of a lost one does not get its trace', async () => {
  const { url, pool } = service.database;
  const [one, two] = [new DatabaseRelay(), new DatabaseRelay()];
  const hosts: string[] = [];
  for (const relay of [one, two]) {
    await relay.open();
    onTestFinished(() => relay.close());
    hosts.push(new URL(relay.urlOf(url)).host);
  }
  two.refuse();
  const hooks = await startHooks();
  const subscription = await subscribeTo(service, { url: hooks.url });
  const severalHosts = one.urlOf(url).replace(hosts[0]!, hosts.join(','));
  const worker = await startWorker(severalHosts, tracedTo(collector.url));
  const lost = caller();
  await service.post('/ws/rest/Voyage', {}, lost.headers);
  await expect.poll(() => hooks.received.length, { timeout: 20_000 }).toBe(1);
  expect(traceIdIn(hooks.received[0]!.headers.traceparent)).toBe(lost.traceId);
  await settled(service, subscription, ['DELIVERED']);

  await two.open();
  await one.close();
  await expect.poll(() => worker.output(), { timeout: 20_000 }).toContain('database.primaryChanged');
  // The other server has another event with this number.
  const { headers, traceId } = caller();
  await pool.query('update flaghoist_system.traced_transaction set trace_parent = $1', [headers.traceparent]);
  await replayed(service, subscription.key);
  await expect.poll(() => hooks.received.length, { timeout: 20_000 }).toBe(2);
  expect(traceIdIn(hooks.received[1]!.headers.traceparent)).toBe(traceId);
});
