// Without the variables of OpenTelemetry, there are no traces, and they cost nothing.

import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createVoyage, settled, startHooks, subscribeTo } from '../deliver/hooks.ts';
import { startWorker } from '../deliver/worker-process.ts';
import { useTestService } from '../support/test-service.ts';
import { caller } from './spans.ts';

const service = useTestService();

test('a receiver gets no trace, and none is stored', async () => {
  const hooks = await startHooks();
  const subscription = await subscribeTo(service, { url: hooks.url });
  await service.post('/ws/rest/Voyage', {}, caller().headers);
  await createVoyage(service);
  await settled(service, subscription, ['DELIVERED', 'DELIVERED']);
  expect(hooks.received.map(({ headers }) => headers.traceparent)).toEqual([undefined, undefined]);
  const { rows } = await service.database.pool.query('select * from flaghoist_system.traced_transaction');
  expect(rows).toEqual([]);
});

test('rows of traces that were on before are deleted after a day', async () => {
  const { pool, url } = service.database;
  await pool.query(`insert into flaghoist_system.traced_transaction (transaction_id, trace_parent, created_at)
    values ('1', 'old', now() - interval '25 hours'), ('2', 'recent', now() - interval '23 hours')`);
  const resting = fileURLToPath(new URL('./short-rests.cjs', import.meta.url));
  await startWorker(url, { NODE_OPTIONS: `--require=${resting}` });
  const kept = async () => (await pool.query('select trace_parent from flaghoist_system.traced_transaction')).rows;
  await expect.poll(kept, { timeout: 20_000 }).toEqual([{ trace_parent: 'recent' }]);
});

async function modulesLoaded(environment: Record<string, string>): Promise<number> {
  const printing = fileURLToPath(new URL('./print-modules.cjs', import.meta.url));
  const worker = await startWorker(service.database.url, { ...environment, NODE_OPTIONS: `--require=${printing}` });
  await worker.stop();
  return Number(/modules of OpenTelemetry: (\d+)/.exec(worker.output())![1]);
}

test('no module of OpenTelemetry is loaded', async () => {
  expect(await modulesLoaded({})).toBe(0);
  expect(await modulesLoaded({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })).toBeGreaterThan(10);
});

test.each(['traceparent', 'Tracestate'])('a subscriber cannot set the header %s', async (name) => {
  const wishes = { eventType: 'Voyage.C', url: 'http://127.0.0.1:9/', headers: { [name]: 'mine' } };
  const answer = await service.post('/ws/rest/WebhookSubscription', wishes);
  expect(answer.status).toBe(400);
  expect(answer.text).toContain('the service sets this header itself');
});
