// The SQL of the subscriptions that fail most.

import type { Statement } from '../../database/database.ts';
import type { FailingSubscription } from '../../observe/failing-subscription.ts';

interface FailingRow {
  key: string;
  delivered: number;
  retry: number;
  failure: number;
}

/** In the quarters of an hour that have begun within the last hour. Users and the sum of all are counted there, too. */
export function selectFailing(subscriptionsMax: number): Statement {
  return {
    text: `select c.subject_key::text as "key", sum(c.delivered)::float8 as delivered, sum(c.retried)::float8 as retry,
  sum(c.failed)::float8 as failure
from flaghoist_system.delivery_count c join flaghoist_service.webhook_subscription s on s."key" = c.subject_key
where c.step_minutes = 15 and c.starts_at > now() - interval '1 hour'
group by c.subject_key having sum(c.retried + c.failed) > 0
order by sum(c.retried + c.failed) desc, c.subject_key limit $1::int`,
    values: [subscriptionsMax],
  };
}

export function readFailing(rows: readonly object[]): FailingSubscription[] {
  return (rows as readonly FailingRow[]).map((row) => ({ ...row, key: Number(row.key) }));
}
