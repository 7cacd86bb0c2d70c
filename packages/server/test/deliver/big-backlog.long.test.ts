// A worker that starts with a large backlog is ready at once, delivers at once, and uses no more memory than usual.
// `npm run endurance backlog` does the same with a million.

import { expect, test } from 'vitest';
import { insertBacklog, reserveKeys } from '../../../../bench/delivery/delivery-table.ts';
import type { Subscribed } from '../../../../bench/delivery/planned-notifications.ts';
import { useTestService } from '../support/test-service.ts';
import { startHooks, subscribeTo } from './hooks.ts';
import { awaitSettled, countFates, countPending, workerIds } from './queued.ts';
import { startWorker } from './worker-process.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api' });
const { pool, url: databaseUrl } = service.database;

const count = 20_000;
const lanes = 20;

/**
 * What is ready in memory, and what has been sent and waits to be recorded, see `open-delivery.ts` and
 * `outcome-recorder.ts`.
 */
const claimedMax = 2_000 + 256 + 5_000;

test('FLT-20: 20,000 that are due when a worker starts: ready in seconds, the first arrive soon, then all, each once', {
  timeout: 120_000,
}, async () => {
  const hooks = await startHooks();
  const subscribed: Subscribed[] = [];
  for (let lane = 0; lane < lanes; lane += 1) {
    const url = `${hooks.url}/${lane}`;
    const { key, signingSecret } = await subscribeTo(service, { url, eventType: 'Vessel.D' });
    subscribed.push({ key, url, signingSecret, objectKey: 1 });
  }
  const ids = await fill(subscribed);

  const startedAt = performance.now();
  const worker = await startWorker(databaseUrl);
  expect(performance.now() - startedAt).toBeLessThan(30_000);
  await expect.poll(() => hooks.received.length, { timeout: 5_000, interval: 10 }).toBeGreaterThan(0);

  let claimedMost = 0;
  while ((await countPending(pool)) > 0) {
    claimedMost = Math.max(claimedMost, await countPending(pool, 'claimed_by is not null'));
    // Whoever asks is answered meanwhile.
    expect((await service.get('/ws/rest/Vessel?limit=1')).status).toBe(200);
  }
  await awaitSettled(pool);
  expect(claimedMost).toBeGreaterThan(0);
  expect(claimedMost).toBeLessThanOrEqual(claimedMax);
  expect(hooks.received.map(({ headers }) => String(headers['webhook-id'])).sort()).toEqual(ids.sort());
  expect(new Set(hooks.received.map(({ path }) => path)).size).toBe(lanes);
  expect(await countFates(pool)).toEqual({ 'DELIVERED 1': count });
  expect(await workerIds(pool)).toHaveLength(1);
  expect(worker.output()).not.toMatch(/delivery\.failed/);
});

/**
 * As an hour without any worker leaves it: half is ready, half has waited for a time that is long over. Answers the
 * ids.
 */
async function fill(subscribed: readonly Subscribed[]): Promise<string[]> {
  const users = await pool.query('select "user"::int as key from flaghoist_service.webhook_subscription limit 1');
  const template = {
    key: 0,
    id: 'THE ID',
    subscriptionKey: 0,
    userKey: users.rows[0].key,
    objectType: 'Vessel',
    objectKey: 1,
    eventType: 'D' as const,
    subscribedObjectKey: 1,
    occurredAt: '2026-01-01T00:00:00.000000Z',
    contentType: 'application/json',
    subject: null,
    body: JSON.stringify({ id: 'THE ID', resource: { vesselName: 'Waiting' } }),
  };
  const firstKey = await reserveKeys(databaseUrl, count);
  await insertBacklog(databaseUrl, { template, subscribed, count, firstKey });
  await pool.query(
    "update flaghoist_system.pending_notification set due_at = now() - interval '1 hour' where notification_key " +
      '% 2 = 0',
  );
  const { rows } = await pool.query('select id from flaghoist_service.webhook_notification');
  expect(rows).toHaveLength(count);
  return rows.map(({ id }) => id);
}
