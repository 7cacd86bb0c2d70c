// All SQL of notifications: storing those that matching has made, and failing what is pending.

import { numberArray, textArray } from '../database/array-parameter.ts';
import type { Statement } from '../database/database.ts';
import type { Operation } from '../events/change-event.ts';

export interface NewNotification {
  key: number;
  /** Event and notification, joined by a hyphen. */
  id: string;
  subscriptionKey: number;
  userKey: number;
  objectType: string;
  objectKey: number;
  eventType: Operation;
  subscribedObjectKey: number;
  eventTime: string;
  contentType: string;
  /** Null where there is nothing that could be sent. */
  body: string | null;
  /** Why it will not be sent; null for one that is pending. */
  errorMessage: string | null;
}

type NumberColumn = 'key' | 'subscriptionKey' | 'userKey' | 'objectKey' | 'subscribedObjectKey';

export function insertNotifications(rows: readonly NewNotification[]): Statement {
  const numbers = (name: NumberColumn) => numberArray(rows.map((row) => row[name]));
  const texts = (name: Exclude<keyof NewNotification, NumberColumn>) => textArray(rows.map((row) => row[name]));
  return {
    text: `insert into flaghoist_service.webhook_notification ("key", id, subscription, "user", object_type, object_key, event_type,
  subscribed_object_key, event_time, content_type, body, error_message, status, is_failed, next_attempt_date)
select n."key", n.id, n.subscription, n."user", n.object_type, n.object_key, n.event_type, n.subscribed_object_key, n.event_time::timestamp, n.content_type,
  n.body, n.error_message, case when n.error_message is null then 'PENDING' else 'FAILED' end, n.error_message is not null,
  case when n.error_message is null then flaghoist_system.utc_second() end
from unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[], $7::text[], $8::bigint[], $9::text[],
  $10::text[], $11::text[], $12::text[])
  as n ("key", id, subscription, "user", object_type, object_key, event_type, subscribed_object_key, event_time, content_type, body, error_message)`,
    values: [
      numbers('key'),
      texts('id'),
      numbers('subscriptionKey'),
      numbers('userKey'),
      texts('objectType'),
      numbers('objectKey'),
      texts('eventType'),
      numbers('subscribedObjectKey'),
      texts('eventTime'),
      texts('contentType'),
      texts('body'),
      texts('errorMessage'),
    ],
  };
}

/** Lastingly: retention removes notifications, but not that there were some. */
export function markNotified(subscriptionKeys: readonly number[]): Statement {
  return {
    text: `insert into flaghoist_system.notified_subscription (subscription_key)
select k from unnest($1::bigint[]) as k order by k on conflict do nothing`,
    values: [numberArray(subscriptionKeys)],
  };
}

export function selectIsNotified(subscriptionKey: number): Statement {
  return {
    text: `select exists (select from flaghoist_system.notified_subscription where subscription_key = $1::bigint) as is_notified`,
    values: [subscriptionKey],
  };
}

export function failPending(subscriptionKey: number, errorMessage: string): Statement {
  return {
    text: `update flaghoist_service.webhook_notification
set status = 'FAILED', is_failed = true, error_message = $2, next_attempt_date = null
where subscription = $1::bigint and status = 'PENDING'`,
    values: [subscriptionKey, errorMessage],
  };
}

/** New keys of objects, as many as asked for. */
export function reserveKeys(count: number): Statement {
  return {
    text: `select nextval('flaghoist.object_key')::text as key from generate_series(1, $1::int)`,
    values: [count],
  };
}
