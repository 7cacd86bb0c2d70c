// All SQL of new notifications: the record, the body, and the entry among the pending or the failed ones.

import { numberArray, textArray } from '../../database/array-parameter.ts';
import type { Statement } from '../../database/database.ts';
import { type Body, textOf } from '../../render/body.ts';
import { activityCodes, insertActivity } from '../statistics/activity-table.ts';
import { isNotDead } from '../workers/worker-table.ts';
import type { StoredContents } from './content-table.ts';
import { type MessageHead, renderHead } from './message-head.ts';
import { queueColumns, queueValues } from './notification-state-table.ts';

export interface NewNotification extends MessageHead {
  key: number;
  subscriptionKey: number;
  userKey: number;
  /** Subject of the mail, if a script has set one. */
  subject: string | null;
  /** Null if there is nothing to send. */
  body: Body | null;
  /** Why the notification is not sent; null if it is pending. */
  errorMessage: string | null;
  /** Whether the subscription is ordered: the notification is then blocked until it is the first about its object. */
  isOrdered: boolean;
  /** Whether consumers fetch the notifications of the subscription. */
  isStreamed: boolean;
  /** Whether it is dispatched directly to the worker of this process. */
  isDispatchedDirectly: boolean;
}

type NumberColumn = 'key' | 'subscriptionKey' | 'userKey' | 'objectKey' | 'subscribedObjectKey';
type BooleanColumn = 'isOrdered' | 'isStreamed' | 'isDispatchedDirectly';
type TextColumn = Exclude<keyof NewNotification, NumberColumn | BooleanColumn | 'body'>;

/**
 * `createdDate` is the same for all rows of one notification, because it determines the daily partition of each. If the
 * worker was declared dead meanwhile, the notifications stay unclaimed and any worker may claim them. `stored`: the
 * contents that the transaction has stored, of which only the key is stored again.
 */
export function insertNotifications(
  rows: readonly NewNotification[],
  { createdDate, workerId, stored }: { createdDate: string; workerId: number | null; stored: StoredContents },
): Statement {
  const numbers = (name: NumberColumn) => numberArray(rows.map((row) => row[name]));
  const texts = (name: TextColumn) => textArray(rows.map((row) => row[name]));
  const contentKeys = rows.map(({ body }) => body && stored.get(body.content));
  const booleans = (name: BooleanColumn) => `{${rows.map((row) => row[name]).join(',')}}`;
  return {
    text: `with n as materialized (
  select *, split_part(id, '-', 1)::bigint as sequence
  from unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[], $7::text[],
    $8::bigint[], $9::text[],
    $10::text[], $11::text[], $12::text[], $13::boolean[], $16::text[], $17::text[], $18::boolean[],
    $19::boolean[], $20::bigint[], $21::int[])
  as n ("key", id, subscription, "user", object_type, object_key, event_type, subscribed_object_key, occurred_at,
    content_type, body,
    error_message, is_claimed, subject, head, is_ordered, is_streamed, content_key, content_bytes)),
worker as materialized (select id from flaghoist_system.delivery_worker where id = $15::bigint
  and ${isNotDead} for key share),
bodies as (
  insert into flaghoist_system.notification_body (notification_key, created_date, content_key, content_bytes, body,
    head, subject)
  select n."key", $14::timestamp, n.content_key, n.content_bytes, n.body, n.head, n.subject
  from n where n.body is not null),
pending as (
  insert into flaghoist_system.pending_notification (notification_key, created_date, subscription_key, claimed_by,
    ${queueColumns})
  select n."key", $14::timestamp, n.subscription, case when n.is_claimed then (select id from worker) end,
    ${queueValues('n', 'false')}
  from n where n.error_message is null),
resendable as (
  insert into flaghoist_system.resendable_notification (subscription_key, notification_key, created_date)
  select n.subscription, n."key", $14::timestamp from n where n.error_message is not null and n.body is not null),
activity as (${insertActivity(newActivity)})
insert into flaghoist_service.webhook_notification ("key", created_date, id, subscription, "user", object_type,
  object_key, event_type,
  subscribed_object_key, occurred_at, content_type, error_message, status, next_attempt_date)
select n."key", $14::timestamp, n.id, n.subscription, n."user", n.object_type, n.object_key, n.event_type,
  n.subscribed_object_key, n.occurred_at::timestamp,
  n.content_type, n.error_message, case when n.error_message is null then 'PENDING' else 'FAILED' end,
  case when n.error_message is null and not n.is_ordered and not n.is_streamed then $14::timestamp end
from n`,
    values: [
      numbers('key'),
      texts('id'),
      numbers('subscriptionKey'),
      numbers('userKey'),
      texts('objectType'),
      numbers('objectKey'),
      texts('eventType'),
      numbers('subscribedObjectKey'),
      texts('occurredAt'),
      texts('contentType'),
      textArray(rows.map(({ body }, n) => body && (contentKeys[n] ? body.start : textOf(body)))),
      texts('errorMessage'),
      booleans('isDispatchedDirectly'),
      createdDate,
      workerId,
      texts('subject'),
      textArray(rows.map(renderHead)),
      booleans('isOrdered'),
      booleans('isStreamed'),
      `{${contentKeys.map((key) => key ?? 'null').join(',')}}`,
      `{${rows.map(({ body }, n) => (contentKeys[n] ? body!.content.bytes.length : 'null')).join(',')}}`,
    ],
  };
}

/** A notification that is not sent was created, and has failed. */
const newActivity = `select n."key", n.subscription, $14::timestamp as created_date, ${activityCodes.created} as code from n
  union all
  select n."key", n.subscription, $14::timestamp, ${activityCodes.failed} from n where n.error_message is not null`;

/** The mark is permanent: retention removes notifications, but not the fact that there were some. */
export function markNotified(subscriptionKeys: readonly number[]): Statement {
  return {
    text: `insert into flaghoist_system.notified_subscription (subscription_key)
select k from unnest($1::bigint[]) as k order by k on conflict do nothing`,
    values: [numberArray(subscriptionKeys)],
  };
}

/** Also true while a match of the subscription waits to be shaped: it may become a notification. */
export function selectIsNotified(subscriptionKey: number): Statement {
  return {
    text: `select exists (select from flaghoist_system.notified_subscription where subscription_key = $1::bigint)
  or exists (select from flaghoist_system.unshaped_match where subscription_key = $1::bigint) as is_notified`,
    values: [subscriptionKey],
  };
}

/** Reserves `count` new object keys. */
export function reserveKeys(count: number): Statement {
  return {
    text: `select nextval('flaghoist.object_key')::text as key from generate_series(1, $1::int)`,
    values: [count],
  };
}
