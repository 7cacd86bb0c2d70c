// No secret is in what the collector is sent: of requests, statements, receivers or settings.

import { afterAll, expect, test } from 'vitest';
import { settled, startHooks, subscribeTo } from '../deliver/hooks.ts';
import { makeScript } from '../shape/shaped.ts';
import { administrator, fetchToken } from '../support/access.ts';
import { useTestService } from '../support/test-service.ts';
import { startCollector, tracedTo } from './collector.ts';
import { caller } from './spans.ts';

const key = 'planted-collector-key-8Jq2';
const collector = await startCollector();
afterAll(() => collector.close());
const service = useTestService({
  ...tracedTo(collector.url),
  OTEL_EXPORTER_OTLP_HEADERS: `x-collector-key=${key}`,
  FLAGHOIST_DELIVERY_ATTEMPTS: '2',
  FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.1',
  FLAGHOIST_METRICS_TOKEN: 'planted-metrics-token-5T',
});

test('nothing that is exported has a secret in it, whatever fails', async () => {
  const { secrets } = service;
  const planted = {
    inUrl: 'planted-in-url-7731',
    inPath: 'planted-in-path-7732',
    password: 'planted-password-7733',
    header: 'planted-header-7734',
    inQuery: 'planted-in-query-7735',
    inBody: 'planted-in-body-7736',
    inScript: 'planted-in-script-7737',
  };
  const hooks = await startHooks((response, received) => {
    response.statusCode = 500;
    response.end(`${JSON.stringify(received.headers)} ${received.path}`);
  });
  const script = await makeScript(service, `throw new Error("${planted.inScript}");`);
  const receiver = {
    url: `${hooks.url}/${planted.inPath}?key=${planted.inUrl}`,
    webhookUsername: 'somebody',
    webhookPassword: planted.password,
    headers: { 'X-Key': planted.header },
  };
  const failing = await subscribeTo(service, receiver);
  await subscribeTo(service, { ...receiver, dlpAlertScript: script.code });
  const { headers, traceId } = caller();
  await service.post('/ws/rest/Voyage', { comments: planted.inBody }, headers);
  await settled(service, failing, ['FAILED']);
  await service.get(`/ws/rest/Voyage?filter=comments(EQ)${planted.inQuery}`, headers);
  await service.get(`/ws/rest/Voyage/1?access_token=${planted.inQuery}`, headers);
  await service.post('/ws/rest/Voyage', { voyageNumber: { wrong: planted.inBody } }, headers);
  await service.get('/metrics', { ...headers, authorization: 'Bearer planted-metrics-token-5T' });
  await fetchToken(service.url(), administrator);
  await fetch(`${service.url()}/oauth/token`, { method: 'POST', body: `client_secret=${planted.inQuery}`, headers });
  const last = caller();
  await service.get('/ws/rest/Port', last.headers);
  await collector.trace(last.traceId, (spans) => spans.some(({ kind }) => kind === 2));
  const spans = await collector.trace(traceId, (all) =>
    ['deliver HTTP', 'shape'].every((name) => all.some((span) => span.name === name && span.status.code === 2)),
  );
  expect(spans.filter(({ name }) => name === 'deliver HTTP').length).toBeGreaterThan(0);
  expect(spans.filter(({ name }) => name === 'shape')).toHaveLength(1);

  for (const request of collector.requests) {
    expect(request.headers['x-collector-key']).toBe(key);
    for (const secret of Object.values(planted)) expect(request.body.includes(secret), secret).toBe(false);
    secrets.searchAnswers()(request.body);
  }
  expect(secrets.found).toEqual([]);
  expect(
    collector.requests.some(({ body }) => body.includes('deliver HTTP')),
    'the search finds what is there',
  ).toBe(true);
  expect(collector.requests.length).toBeGreaterThan(2);
});
