// Many traced changes at a time, while the collector hangs: every trace is whole, and no delivery waits for it.

import { Webhook } from 'standardwebhooks';
import { afterAll, expect, test } from 'vitest';
import { settled, startHooks, subscribeTo } from '../deliver/hooks.ts';
import { useTestService } from '../support/test-service.ts';
import { startCollector, tracedTo } from './collector.ts';
import { caller, childrenOf, named, traceIdIn } from './spans.ts';

const collector = await startCollector();
afterAll(() => collector.close());
const service = useTestService({ ...tracedTo(collector.url), OTEL_EXPORTER_OTLP_TIMEOUT: '600000' });
const count = 12;

function placeOf({ traceId, spanId }: { traceId: string; spanId: string }) {
  return { traceId, spanId };
}

test('changes that are matched together keep their traces, and are delivered while the collector hangs', async () => {
  const hanging: (() => void)[] = [];
  collector.respond = (response) => void hanging.push(() => response.end('{}'));
  const hooks = await startHooks();
  const subscription = await subscribeTo(service, { url: hooks.url });
  const callers = Array.from({ length: count }, () => caller());
  // Matching waits until all changes are there, and then takes them in one batch.
  const holder = await service.database.pool.connect();
  await holder.query('begin');
  await holder.query('select flaghoist_system.lock_subscriptions()');
  await Promise.all(callers.map(({ headers }) => service.post('/ws/rest/Voyage', {}, headers)));
  await holder.query('commit');
  holder.release();
  await settled(
    service,
    subscription,
    callers.map(() => 'DELIVERED'),
  );
  const ids = callers.map(({ traceId }) => traceId);
  expect(collector.spans.filter(({ traceId }) => ids.includes(traceId))).toEqual([]);

  collector.respond = undefined;
  for (const answer of hanging) answer();
  expect(hooks.received.map(({ headers }) => traceIdIn(headers.traceparent)).sort()).toEqual([...ids].sort());
  const later = caller();
  await service.get('/ws/rest/Port', later.headers);
  await collector.trace(later.traceId, (spans) => spans.some(({ kind }) => kind === 2));
  const matches = collector.spans.filter(({ name, traceId }) => name === 'match' && ids.includes(traceId));
  expect(matches.map(({ traceId }) => traceId).sort()).toEqual([...ids].sort());
  const leading = matches.filter(({ links }) => links.length === 0);
  for (const { links } of matches)
    for (const link of links) expect(leading).toContainEqual(expect.objectContaining(placeOf(link)));
  for (const each of leading) expect(childrenOf(collector.spans, each).length).toBeGreaterThan(0);
  expect(matches.length - leading.length, 'several traces were in one batch').toBeGreaterThan(0);
});

test('the trace is not part of what is signed', async () => {
  const hooks = await startHooks();
  const { signingSecret } = await subscribeTo(service, { url: hooks.url });
  await service.post('/ws/rest/Voyage', {}, caller().headers);
  await expect.poll(() => hooks.received.length).toBe(1);
  const { headers, body } = hooks.received[0]!;
  expect(headers.traceparent).toBeDefined();
  const { traceparent: _, ...others } = headers;
  new Webhook(signingSecret).verify(body, others as Record<string, string>);
  const spans = await collector.trace(
    traceIdIn(headers.traceparent),
    (all) => named(all, 'deliver HTTP') !== undefined,
  );
  expect(spans.length).toBeGreaterThan(0);
});
