// One trace goes from the request to the receiver: statements, matching, shaping and each attempt.

import { afterAll, expect, onTestFinished, test } from 'vitest';
import { answering, createVoyage, settled, startHooks, subscribeTo } from '../deliver/hooks.ts';
import { makeScript } from '../shape/shaped.ts';
import { useTestService } from '../support/test-service.ts';
import { type CollectedSpan, startCollector, tracedTo } from './collector.ts';
import { caller, childrenOf, named, spanIdIn, traceIdIn } from './spans.ts';

const collector = await startCollector();
afterAll(() => collector.close());
const service = useTestService({
  ...tracedTo(collector.url),
  OTEL_SERVICE_NAME: 'flaghoist-here',
  OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test%2C1',
  FLAGHOIST_DELIVERY_ATTEMPTS: '3',
  FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.1',
});

/** Whether the request has ended, and a message to the subscription has been delivered. */
function isDelivered({ key }: { key: number }) {
  return (spans: CollectedSpan[]) =>
    spans.some(({ kind }) => kind === 2) && attemptsOf(spans, key).some(({ status }) => status.code !== 2);
}

function attemptsOf(spans: readonly CollectedSpan[], key: number): CollectedSpan[] {
  const attempts = spans.filter(({ name }) => name === 'deliver HTTP');
  return attempts.filter(({ attributes }) => attributes['flaghoist.subscription'] === key);
}

test('a request, its statements, matching and delivery are one trace, which continues at the receiver', async () => {
  const hooks = await startHooks();
  const subscription = await subscribeTo(service, { url: `${hooks.url}/hook?key=in-the-url` });
  const { headers, traceId, spanId } = caller();
  const answer = await service.post('/ws/rest/Voyage?fields=%22*%22', {}, headers);
  expect(answer.status, answer.text).toBe(201);
  const [notification] = await settled(service, subscription, ['DELIVERED']);
  const spans = await collector.trace(traceId, isDelivered(subscription));

  const request = named(spans, 'POST /ws/rest/Voyage')!;
  expect(request).toMatchObject({ parentSpanId: spanId, kind: 2, traceState: 'vendor=1' });
  expect(request.attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': '/ws/rest/Voyage',
    'url.path': '/ws/rest/Voyage',
    'url.scheme': 'http',
    'http.response.status_code': 201,
    'flaghoist.request_id': answer.headers.get('flaghoist-request-id'),
  });
  const [match, deliver] = [named(spans, 'match')!, attemptsOf(spans, subscription.key)[0]!];
  expect(match).toMatchObject({ parentSpanId: request.spanId, kind: 1 });
  expect(deliver).toMatchObject({ parentSpanId: request.spanId, kind: 3, traceState: 'vendor=1' });
  expect(deliver.attributes).toEqual({
    'flaghoist.subscription': subscription.key,
    'flaghoist.notification': notification.id,
    'flaghoist.attempt': 1,
    'flaghoist.channel': 'HTTP',
    'flaghoist.outcome': 'delivered',
    'server.address': '127.0.0.1',
    'server.port': Number(new URL(hooks.url).port),
    'http.request.method': 'POST',
    'http.response.status_code': 200,
  });
  const [received] = hooks.received;
  expect(traceIdIn(received!.headers.traceparent)).toBe(traceId);
  expect(spanIdIn(received!.headers.traceparent)).toBe(deliver.spanId);
  expect(received!.headers.tracestate).toBeUndefined();

  const statements = childrenOf(spans, request).filter(({ attributes }) => attributes['db.system.name']);
  expect(statements.map(({ name }) => name)).toContainEqual(expect.stringContaining('INSERT flaghoist.voyage'));
  expect(childrenOf(spans, match).map(({ name }) => name)).toContainEqual(
    expect.stringContaining('INSERT flaghoist_system.notification_body'),
  );
  for (const span of spans) {
    expect([request.parentSpanId, ...spans.map((each) => each.spanId)], span.name).toContain(span.parentSpanId);
    expect(span.resource).toMatchObject({ 'service.name': 'flaghoist-here', 'deployment.environment.name': 'test,1' });
  }
});

test('each attempt is a span of the same trace, and a failed one says how', async () => {
  const hooks = await startHooks(answering(500, 503, 200));
  const subscription = await subscribeTo(service, { url: hooks.url });
  const { headers, traceId } = caller();
  await service.post('/ws/rest/Voyage', {}, headers);
  const attempts = attemptsOf(await collector.trace(traceId, isDelivered(subscription)), subscription.key);
  expect(
    attempts.map(({ attributes, status }) => [
      attributes['flaghoist.attempt'],
      attributes['http.response.status_code'],
      attributes['error.type'],
      status.code,
    ]),
  ).toEqual([
    [1, 500, '500', 2],
    [2, 503, '503', 2],
    [3, 200, undefined, 0],
  ]);
  expect(hooks.received.map((each) => spanIdIn(each.headers.traceparent))).toEqual(
    attempts.map(({ spanId }) => spanId),
  );
});

test('a script is a span of the trace', async () => {
  const hooks = await startHooks();
  const script = await makeScript(service, 'message.body = "written";');
  const subscription = await subscribeTo(service, { url: hooks.url, dlpAlertScript: script.code, useMsg: true });
  const { headers, traceId } = caller();
  await service.post('/ws/rest/Voyage', {}, headers);
  const spans = await collector.trace(traceId, isDelivered(subscription));
  const request = named(spans, 'POST /ws/rest/Voyage')!;
  expect(named(spans, 'shape')).toMatchObject({
    parentSpanId: request.spanId,
    attributes: {
      'flaghoist.subscription': subscription.key,
      'flaghoist.shaped_by': 'script',
      'flaghoist.outcome': 'rendered',
    },
  });
  expect(attemptsOf(spans, subscription.key)[0]!.parentSpanId).toBe(request.spanId);
});

test('a result that cannot be stored ends its span with the error, and the next attempt has another span', async () => {
  const { pool } = service.database;
  const hooks = await startHooks();
  const script = await makeScript(service, 'message.body = "written";');
  const subscription = await subscribeTo(service, { url: hooks.url, dlpAlertScript: script.code, useMsg: true });
  // As if another transaction held a lock for too long, the first time.
  await pool.query(`create sequence public.tried;
    create function public.fail_once() returns trigger language plpgsql as $$
    begin
      if nextval('public.tried') = 1 then
        raise exception 'locked' using errcode = 'lock_not_available';
      end if;
      return new;
    end $$;
    create trigger fail_once before insert on flaghoist_service.webhook_notification
    for each row when (new.subscription = ${subscription.key}) execute function public.fail_once()`);
  onTestFinished(async () => {
    await pool.query('drop function public.fail_once() cascade; drop sequence public.tried');
  });
  const { headers, traceId } = caller();
  await service.post('/ws/rest/Voyage', {}, headers);
  const spans = await collector.trace(traceId, isDelivered(subscription));
  const ofThis = spans.filter(({ attributes }) => attributes['flaghoist.subscription'] === subscription.key);
  // On a busy machine, a script that took long is put off once, without an error, and runs apart from the others.
  const isPutOff = ({ attributes, status }: CollectedSpan) =>
    attributes['flaghoist.outcome'] === 'later' && status.code !== 2;
  const shaping = ofThis.filter((span) => span.name === 'shape' && !isPutOff(span));
  expect(shaping.map(({ attributes, status }) => [attributes['flaghoist.outcome'], status.code === 2])).toEqual([
    ['later', true],
    ['rendered', false],
  ]);
});

test('without a trace of the caller, the request begins one; a ping is in the trace of its request', async () => {
  const hooks = await startHooks();
  const { key } = await subscribeTo(service, { url: hooks.url });
  await service.post(`/ws/rest/WebhookSubscription/${key}/ping`, {}, { traceparent: '00-nonsense-01' });
  const traceId = traceIdIn(hooks.received[0]!.headers.traceparent);
  const spans = await collector.trace(traceId, (all) => all.some(({ kind }) => kind === 2));
  const request = spans.find(({ kind }) => kind === 2)!;
  expect(request).toMatchObject({ name: 'POST /ws/rest/WebhookSubscription/{key}/ping' });
  expect(request.parentSpanId).toBeUndefined();
  expect(named(spans, 'deliver HTTP')!.parentSpanId).toBe(request.spanId);
});

test('a change by foreign SQL begins its trace at matching', async () => {
  const hooks = await startHooks();
  await subscribeTo(service, { url: hooks.url, eventType: 'Voyage.U' });
  const key = await createVoyage(service);
  await service.database.pool.query("update flaghoist.voyage set comments = 'by SQL' where key = $1", [key]);
  await expect.poll(() => hooks.received.length).toBe(1);
  const traceId = traceIdIn(hooks.received[0]!.headers.traceparent);
  const spans = await collector.trace(traceId, (all) => named(all, 'deliver HTTP') !== undefined);
  const match = named(spans, 'match')!;
  expect(match.parentSpanId).toBeUndefined();
  expect(named(spans, 'deliver HTTP')!.parentSpanId).toBe(match.spanId);
});

test('a caller that does not sample is not traced, nor is what follows from its request', async () => {
  const hooks = await startHooks();
  const subscription = await subscribeTo(service, { url: hooks.url });
  const { headers, traceId } = caller('00');
  const answer = await service.post('/ws/rest/Voyage', {}, headers);
  expect(answer.status, answer.text).toBe(201);
  await settled(service, subscription, ['DELIVERED']);
  expect(hooks.received[0]!.headers.traceparent).toBeUndefined();
  // A later trace has been exported as a whole, so this one would have been, too.
  const later = caller();
  await service.get('/ws/rest/Port', later.headers);
  await collector.trace(later.traceId, (all) => all.some(({ kind }) => kind === 2));
  expect(collector.spans.filter((span) => span.traceId === traceId)).toEqual([]);
  expect(attemptsOf(collector.spans, subscription.key)).toEqual([]);
});

test('health checks, metrics and paths without a route are not traced', async () => {
  const { headers, traceId } = caller();
  for (const path of ['/health', '/health/ready', '/metrics', '/ws/rest/a-secret-typed-by-mistake', '/nothing'])
    await service.get(path, headers);
  await service.get('/ws/rest/Port', headers);
  const spans = await collector.trace(traceId, (all) => all.some(({ kind }) => kind === 2));
  expect(spans.filter(({ kind }) => kind === 2).map(({ name }) => name)).toEqual(['GET /ws/rest/Port']);
});
