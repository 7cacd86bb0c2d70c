// While `default_transaction_read_only` is on, a traced request can still read, also where it needs a transaction.

import { afterAll, expect, test } from 'vitest';
import { subscribeTo } from '../deliver/hooks.ts';
import { useTestService } from '../support/test-service.ts';
import { startCollector, tracedTo } from './collector.ts';
import { caller } from './spans.ts';

const collector = await startCollector();
afterAll(() => collector.close());
const service = useTestService(tracedTo(collector.url));

/** For connections that are opened from now on; all others are ended. */
async function setReadOnly(value: 'on' | 'off'): Promise<void> {
  const { pool, url } = service.database;
  const name = new URL(url).pathname.slice(1);
  await pool.query(`begin read write; alter database ${name} set default_transaction_read_only = ${value}; commit`);
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
}

test('changes, decisions, statistics and dry runs are answered, and a change gets 503', async () => {
  const { key } = await subscribeTo(service, { url: 'http://127.0.0.1:9/' });
  const created = await service.post('/ws/rest/Voyage', {}, caller().headers);
  expect(created.status).toBe(201);
  await setReadOnly('on');
  const { headers, traceId } = caller();
  const list = () => service.get('/ws/rest/changes', headers).then(({ status }) => status);
  await expect.poll(list, { timeout: 20_000 }).toBe(200);
  const subscriptions = '/ws/rest/WebhookSubscription';
  const tested = { subscription: key, objectKey: created.body.key };
  const reads = {
    decisions: await service.get(`${subscriptions}/${key}/decisions`, headers),
    statistics: await service.get(`/ws/rest/WebhookNotification/statistics?subscription=${key}`, headers),
    dryRun: await service.post(`${subscriptions}/test`, tested, headers),
    recent: await service.post(`${subscriptions}/testRecent`, { subscription: key }, headers),
  };
  for (const [name, { status, text }] of Object.entries(reads)) expect(status, `${name} ${text}`).toBe(200);
  expect((await service.post('/ws/rest/Voyage', {}, headers)).status).toBe(503);
  await collector.trace(traceId, (spans) => spans.some(({ kind }) => kind === 2));
  await setReadOnly('off');
});
