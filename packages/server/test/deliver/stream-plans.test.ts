// The cost of a release depends on what was leased to the consumer, not on how much waits.

import { expect, test } from 'vitest';
import { releaseLeases } from '../../src/deliver/stream/stream-table.ts';
import { useTestService } from '../support/test-service.ts';
import { beginForQueues, rowsIn } from './plan-rows.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api' });

test.each([
  ['everything', undefined],
  ['what is beyond a time', '-infinity'],
])('a consumer has five of 20,000 notifications, and %s is released', async (_, beyond) => {
  const client = await beginForQueues(service);
  await client.query(`insert into flaghoist_system.pending_notification (notification_key, created_date,
    subscription_key, due_at, sequence, leased_until, lease_id)
    select n, flaghoist_system.utc_second(), 1, '-infinity', n,
      case when n <= 5 then now() + interval '1 hour' else '-infinity' end, case when n <= 5 then 7 end
    from generate_series(1, 20000) n`);
  expect(await rowsIn(client, releaseLeases([{ leaseId: 7, beyond }]))).toBeLessThan(100);
  const left = await client.query(
    `select count(*)::int as n from flaghoist_system.pending_notification where leased_until > '-infinity'`,
  );
  expect(left.rows).toEqual([{ n: 0 }]);
});
