// All SQL of the backlog: how much waits in each queue, from the change to the receiver.

import type { Statement } from '../../database/database.ts';
import { type Backlog, countedMax, type QueueName } from '../../observe/backlog.ts';

interface QueueRow {
  queue: QueueName;
  waiting: number;
  oldest_seconds: number;
}

/** Counts each queue up to `countedMax`. */
export function selectBacklog(): Statement {
  const state = (queue: QueueName, oldest: string, waiting: string) =>
    `select '${queue}' as queue, count(*)::int as waiting, greatest(0, coalesce(extract(epoch
  from now() - (${oldest})), 0))::float8 as oldest_seconds
from (${waiting} limit $1::int) q`;
  const pending = (condition: string) =>
    `select created_date from flaghoist_system.pending_notification where ${condition}`;
  const oldestPending = `min(q.created_date) at time zone 'utc'`;
  return {
    text: [
      state(
        'events',
        'select e.event_time from flaghoist_system.event e where e.id = min(q.event_id)',
        'select event_id from flaghoist_system.unmatched_event order by event_id',
      ),
      state(
        'shaping',
        `min(q.occurred_at)::timestamptz`,
        'select occurred_at from flaghoist_system.unshaped_match order by notification_key',
      ),
      state('ready', oldestPending, pending('due_at is null')),
      state('blocked', oldestPending, pending(`due_at = '-infinity' and leased_until is null`)),
      state('retry', oldestPending, pending(`due_at > '-infinity' and due_at < 'infinity'`)),
      state('parked', oldestPending, pending(`due_at = 'infinity'`)),
      state('stream', oldestPending, pending('leased_until is not null')),
    ].join('\nunion all\n'),
    values: [countedMax],
  };
}

export function readBacklog(rows: readonly object[]): Backlog {
  const entries = (rows as readonly QueueRow[]).map(
    ({ queue, waiting, oldest_seconds }) => [queue, { waiting, oldestSeconds: oldest_seconds }] as const,
  );
  return Object.fromEntries(entries) as Backlog;
}
