// The counts are what the log says, whatever is killed: workers that deliver and count are killed again and again.

import { expect, test } from 'vitest';
import { awaitSettled, subscribeTo } from '../deliver/queued.ts';
import { startSwitchedReceiver } from '../deliver/switched-receiver.ts';
import { startWorker } from '../deliver/worker-process.ts';
import { useTestService } from '../support/test-service.ts';
import { counted, statisticsBy } from './counts.ts';

const settings = { FLAGHOIST_BASE_URL: 'http://flaghoist.test' };
const service = useTestService({ ...settings, FLAGHOIST_ROLES: 'api' });
const { pool } = service.database;

test('counts after kill -9 of two workers, four times each, equal the log', { timeout: 300_000 }, async () => {
  const receiver = await startSwitchedReceiver();
  const key = await subscribeTo(service, receiver.url, { eventTypes: ['Vessel.C'], eventType: undefined });
  const change = (count: number) =>
    pool.query(`insert into flaghoist.vessel (vessel_name) select 'V' || n from generate_series(1, ${count}) n`);
  for (let round = 0; round < 4; round += 1) {
    const workers = await Promise.all([1, 2].map(() => startWorker(service.database.url, settings)));
    for (let bulk = 0; bulk < 5; bulk += 1) await change(100);
    await expect.poll(() => receiver.taken().length, { timeout: 60_000 }).toBeGreaterThan(round * 500 + 100);
    await Promise.all(workers.map((worker) => worker.kill()));
  }
  await startWorker(service.database.url, settings);
  await expect
    .poll(async () => (await pool.query('select from flaghoist_system.unmatched_event')).rowCount, { timeout: 60_000 })
    .toBe(0);
  await awaitSettled(pool, 120_000);
  await counted(service);
  const { rows } = await pool.query(
    `select count(*)::int as created, count(*) filter (where status = 'DELIVERED')::int as delivered
     from flaghoist_service.webhook_notification where subscription = $1`,
    [key],
  );
  const { totals } = await statisticsBy(service, `subscription=${key}`);
  expect(rows[0]).toEqual({ created: 2000, delivered: 2000 });
  expect({ created: totals.created, delivered: totals.delivered, failed: totals.failed }).toEqual({
    ...rows[0],
    failed: 0,
  });
  expect(totals.changes).toBe(2000);
});
