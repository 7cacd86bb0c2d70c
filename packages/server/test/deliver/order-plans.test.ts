// The cost of a promotion and of a claim of followers depends on what they change, not on how many are blocked, whatever
// the planner assumes about the queue.

import { expect, onTestFinished, test } from 'vitest';
import type { Statement } from '../../src/database/database.ts';
import { sessionSettings } from '../../src/database/session-settings.ts';
import { claimFollowers, promoteHeads } from '../../src/deliver/order/order-table.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api' });
const objects = 500;
const workerId = 7;

/** Forty blocked notifications about each object, with the statistics of a queue without any. Undone after the test. */
async function withBlocked() {
  const client = await service.database.pool.connect();
  onTestFinished(async () => {
    await client.query('rollback');
    client.release();
  });
  await client.query('begin');
  for (const [name, setting] of Object.entries(sessionSettings(30_000, true)))
    await client.query('select set_config($1, $2, true)', [name, setting]);
  await client.query(`insert into flaghoist_system.delivery_worker (id, alive_until) overriding system value
    values (${workerId}, now() + interval '1 hour')`);
  await client.query(`insert into flaghoist_system.pending_notification (notification_key, created_date,
    subscription_key) select -n, now(), 1 from generate_series(1, 20000) n`);
  await client.query('analyze flaghoist_system.pending_notification');
  await client.query('delete from flaghoist_system.pending_notification');
  await client.query(
    `with n as (select n, flaghoist_system.utc_second() as now from generate_series(1, 40 * $1) n),
     bodies as (insert into flaghoist_system.notification_body (notification_key, created_date, body, head)
       select n, now, '{}', '' from n)
     insert into flaghoist_system.pending_notification (notification_key, created_date, subscription_key, due_at,
       ordered_object, sequence, is_repeat) select n, now, 1, '-infinity', n % $1, n, false from n`,
    [objects],
  );
  const run = async ({ text, values }: Statement) => (await client.query(text, values as unknown[])).rows;
  /** Of the queue, in all scans. */
  const rowsReadBy = async ({ text, values }: Statement): Promise<number> => {
    const [row] = await run({ text: `explain (analyze, format json) ${text}`, values: values! });
    return rowsReadIn(row['QUERY PLAN'][0].Plan);
  };
  return { run, rowsReadBy };
}

interface Plan {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

function rowsReadIn(plan: Plan): number {
  const each = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0);
  const own = plan['Relation Name'] === 'pending_notification' ? each * plan['Actual Loops'] : 0;
  return (plan.Plans ?? []).reduce((sum, part) => sum + rowsReadIn(part), own);
}

test('neither reads more than the rows of its objects, with thousands blocked', async () => {
  const { run, rowsReadBy } = await withBlocked();
  const some = Array.from({ length: 50 }, (_, n) => ({ subscriptionKey: 1, orderedObject: n + 1 }));
  expect(await rowsReadBy(promoteHeads(some))).toBeLessThan(50 * 10);
  const heads = await run({
    text: 'update flaghoist_system.pending_notification set claimed_by = $1 where due_at is null returning notification_key',
    values: [workerId],
  });
  expect(heads).toHaveLength(50);
  const keys = heads.map(({ notification_key }) => Number(notification_key));
  const claim = claimFollowers({ workerId, heads: keys, followersMax: 5, bytesMax: 100_000 });
  expect(await rowsReadBy(claim)).toBeLessThan(50 * 5 * 10);
});
