// The cost of a promotion and of a claim of followers depends on what they change, not on how many are blocked,
// whatever the planner assumes about the queue.

import { expect, test } from 'vitest';
import type { Statement } from '../../src/database/database.ts';
import { claimFollowers, promoteHeads } from '../../src/deliver/order/order-table.ts';
import { useTestService } from '../support/test-service.ts';
import { beginForQueues, rowsIn } from './plan-rows.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api' });
const objects = 500;
const some = Array.from({ length: 50 }, (_, n) => ({ subscriptionKey: 1, orderedObject: n + 1 }));
const workerId = 7;

/** Forty blocked notifications about each object, with the statistics of a queue without any. Undone after the test. */
async function withBlocked() {
  const client = await beginForQueues(service);
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
  const promoteSome = () => rowsIn(client, promoteHeads(some));
  const followSome = async () => {
    const claimed = await run({
      text: `update flaghoist_system.pending_notification set claimed_by = $1 where due_at is null
        returning notification_key`,
      values: [workerId],
    });
    expect(claimed).toHaveLength(some.length);
    const heads = claimed.map(({ notification_key }) => Number(notification_key));
    return await rowsIn(client, claimFollowers({ workerId, heads, followersMax: 5, bytesMax: 100_000 }));
  };
  return { run, promoteSome, followSome };
}

test('with thousands blocked, both read a few rows for each object', async () => {
  const { promoteSome, followSome } = await withBlocked();
  expect(await promoteSome()).toBeLessThan(some.length * 40);
  expect(await followSome()).toBeLessThan(some.length * 5 * 40);
});

test('with a thousand events to be matched, both read each event a few times, not once for each object', async () => {
  const { run, promoteSome, followSome } = await withBlocked();
  await run({
    text: `with made as (insert into flaghoist_system.event (object_type, operation, object_key, new_row)
        select 'Vessel', 'U', 1000000 + n, '{}' from generate_series(1, 1000) n returning id)
      insert into flaghoist_system.unmatched_event (event_id) select id from made`,
    values: [],
  });
  await run({ text: 'update flaghoist_system.pending_notification set sequence = sequence + 1000000', values: [] });
  expect(await promoteSome()).toBeLessThan(20_000);
  expect(await followSome()).toBeLessThan(20_000);
});
