// The SQL that notes what has happened to notifications, as a part of the statement that does it. So the statistics are
// exact, whatever crashes, and cost one more row for each batch.

import type { Statement } from '../../database/database.ts';
import { bucketOf } from './latency-buckets.ts';

/** What has happened to a notification. From `deliveredWithin` on: delivered, within the range of time of that number. */
export const activityCodes = {
  /** Its status, or when it is sent. It is not counted. */
  changed: 0,
  created: 1,
  /** An attempt has failed, and others follow. */
  retried: 2,
  failed: 3,
  /** Sent again on request, so that the time since the change says nothing. */
  deliveredAgain: 4,
  deliveredWithin: 10,
} as const;

/**
 * `rows`: a SELECT with the columns `key`, `subscription`, `created_date` and `code`. `errors`: SQL of the last errors
 * of subscriptions. Inserts nothing if there are no rows.
 */
export function insertActivity(rows: string, errors = 'null'): string {
  return `insert into flaghoist_system.activity (notification_keys, subscription_keys, codes, first_date, last_date,
    errors)
  select array_agg(a."key"), array_agg(a.subscription), array_agg(a.code::smallint), min(a.created_date),
    max(a.created_date), ${errors}
  from (${rows}) a having count(*) > 0`;
}

/** SQL of the code of a notification that was delivered. `occurredAt`, `agoMs`, `isAgain`: SQL. */
export function codeOfDelivered(occurredAt: string, agoMs: string, isAgain: string): string {
  // `extract` would be twice as slow.
  const latencyMs = `date_part('epoch', now() at time zone 'utc' - ${occurredAt}) * 1000 - ${agoMs}`;
  return `case when ${isAgain} then ${activityCodes.deliveredAgain}
    else ${activityCodes.deliveredWithin} + ${bucketOf(latencyMs)} end`;
}

/** An attempt that has failed, as the errors of an activity have it. */
export interface SubscriptionError {
  subscription: number;
  /** ISO 8601. */
  at: string;
  text: string;
  status: number | null;
}

/** `occurredAt`: of each change that was matched, `yyyy-MM-ddTHH:mm…`, UTC. */
export function insertChangeActivity(occurredAt: readonly string[]): Statement {
  const counts = new Map<string, number>();
  for (const each of occurredAt) {
    const minute = each.slice(0, minuteLength);
    counts.set(minute, (counts.get(minute) ?? 0) + 1);
  }
  const minutes = [...counts.keys()].map((minute) => Date.parse(`${minute}Z`) / 60_000);
  return {
    text: `insert into flaghoist_system.activity (change_minutes, change_counts) values ($1::int[], $2::int[])`,
    values: [`{${minutes.join(',')}}`, `{${[...counts.values()].join(',')}}`],
  };
}

const minuteLength = 'yyyy-MM-ddTHH:mm'.length;
