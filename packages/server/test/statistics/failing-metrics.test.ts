// The metrics of single subscriptions: of those that fail most, and of no others.

import { expect, onTestFinished, test } from 'vitest';
import { Database } from '../../src/database/database.ts';
import { RecentFailing } from '../../src/deliver/statistics/recent-failing.ts';
import { answering, createVoyage, settled, startHooks, subscribeTo } from '../deliver/hooks.ts';
import { useTestService } from '../support/test-service.ts';
import { counted } from './counts.ts';

const service = useTestService({
  FLAGHOIST_METRICS_SUBSCRIPTIONS: '2',
  FLAGHOIST_DELIVERY_ATTEMPTS: '3',
  FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.05',
});

/** Subscription → outcome → count. */
function readSamples(text: string): Record<string, Record<string, number>> {
  const samples: Record<string, Record<string, number>> = {};
  const line = /^flaghoist_subscription_recent_attempts\{subscription="(\d+)",outcome="(\w+)"\} (\d+)$/gm;
  for (const [, key, outcome, count] of text.matchAll(line))
    samples[key!] = { ...samples[key!], [outcome!]: Number(count) };
  return samples;
}

test('those that fail most are shown by their keys, up to the number set, and none that only delivers', async () => {
  const answers = [[200], [500, 200], [500, 500, 200], [500]];
  const subscriptions = [];
  for (const statuses of answers) {
    const hooks = await startHooks(answering(...statuses));
    subscriptions.push(await subscribeTo(service, { url: hooks.url }));
  }
  await createVoyage(service);
  for (const [index, subscription] of subscriptions.entries())
    await settled(service, subscription, [index === 3 ? 'FAILED' : 'DELIVERED']);
  await counted(service);
  const { text } = await service.get('/metrics');
  expect(readSamples(text)).toEqual({
    [subscriptions[3].key]: { delivered: 0, retry: 2, failure: 1 },
    [subscriptions[2].key]: { delivered: 1, retry: 2, failure: 0 },
  });
});

test('they are left out if the database does not answer within its time limit', async () => {
  const { url, pool } = service.database;
  const shared = { url, observe: () => undefined, connectionsMax: 1 };
  const database = new Database({ ...shared, statementTimeoutMs: 300 });
  onTestFinished(() => database.close());
  await database.ping();
  const holder = await pool.connect();
  onTestFinished(async () => {
    await holder.query('rollback');
    holder.release();
  });
  await holder.query('begin; lock table flaghoist_system.delivery_count in access exclusive mode');
  expect(await new RecentFailing(database, 2).read()).toBeUndefined();
});
