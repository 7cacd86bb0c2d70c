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

/** Matching waits until all changes are there, and then takes several in one batch. Returns the ids of their traces. */
async function changeTogether(): Promise<string[]> {
  const callers = Array.from({ length: count }, () => caller());
  const holder = await service.database.pool.connect();
  await holder.query('begin');
  await holder.query('select flaghoist_system.lock_subscriptions()');
  await Promise.all(callers.map(({ headers }) => service.post('/ws/rest/Voyage', {}, headers)));
  await holder.query('commit');
  holder.release();
  return callers.map(({ traceId }) => traceId);
}

/** The spans of matching of these traces; `leading`: the first of each batch. */
async function matchesOf(ids: readonly string[]) {
  const found = () => collector.spans.filter(({ name, traceId }) => name === 'match' && ids.includes(traceId));
  await expect.poll(() => found().length, { timeout: 20_000 }).toBe(ids.length);
  const matches = found();
  return { matches, leading: matches.filter(({ links }) => links.length === 0) };
}

function placeOf({ traceId, spanId }: { traceId: string; spanId: string }) {
  return { traceId, spanId };
}

test('changes that are matched together keep their traces, and are delivered while the collector hangs', async () => {
  const hanging: (() => void)[] = [];
  collector.respond = (response) => void hanging.push(() => response.end('{}'));
  const hooks = await startHooks();
  const subscription = await subscribeTo(service, { url: hooks.url });
  const ids = await changeTogether();
  await settled(
    service,
    subscription,
    ids.map(() => 'DELIVERED'),
  );
  expect(collector.spans.filter(({ traceId }) => ids.includes(traceId))).toEqual([]);

  collector.respond = undefined;
  for (const answer of hanging) answer();
  expect(hooks.received.map(({ headers }) => traceIdIn(headers.traceparent)).sort()).toEqual([...ids].sort());
  const { matches } = await matchesOf(ids);
  expect(matches.map(({ traceId }) => traceId).sort()).toEqual([...ids].sort());
});

test('of the traces in one batch, one has the statements, and the others link to it', async () => {
  // A slow machine makes batches small.
  for (let round = 0; round < 10; round += 1) {
    const { matches, leading } = await matchesOf(await changeTogether());
    for (const { links } of matches)
      for (const link of links) expect(leading).toContainEqual(expect.objectContaining(placeOf(link)));
    for (const each of leading) expect(childrenOf(collector.spans, each).length).toBeGreaterThan(0);
    if (matches.length > leading.length) return;
  }
  expect.unreachable('No batch had several traces.');
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
