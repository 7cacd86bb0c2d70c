// All SQL of subscriptions that have been failing for long: finds them, reads what their owners are told, and marks
// them as reported.

import type { ChannelType } from '../../channel-types.ts';
import type { Mail } from '../../channels/mail/mail.ts';
import type { Statement } from '../../database/database.ts';
import type { RetryPolicy } from '../../subscriptions/channel/retry-policy.ts';
import type { NamedSubscription } from '../mail/name-subscription.ts';
import type { AlertFacts } from './alert.ts';
import { insertAlertsFrom } from './outgoing-alert-table.ts';

export interface UnreportedRow {
  key: string;
  failing_ms: number;
  retry_policy: RetryPolicy | null;
}

/** Subscriptions that have been failing for at least `failingMs`, and whose owners were not told. */
export function selectUnreported(failingMs: number): Statement {
  return {
    text: `select h.subscription_key::text as key, s.retry_policy,
  (extract(epoch from flaghoist_system.utc_second() - h.failing_since) * 1000)::float8 as failing_ms
from flaghoist_system.delivery_health h join flaghoist_service.webhook_subscription s on s."key" = h.subscription_key
where h.reported_at is null and s.state = 'ACTIVE'
  and h.failing_since <= flaghoist_system.utc_second() - $1 * interval '1 millisecond'`,
    values: [failingMs],
  };
}

export interface LongFailingRow {
  subscription: NamedSubscription & { eventTypes: string[]; url: string | null; channelType: ChannelType };
  retry_policy: RetryPolicy | null;
  do_not_unsubscribe: boolean;
  user_name: string | null;
  user_email: string | null;
  /** Like the other times: `2026-09-14T08:15:22Z`. */
  failing_since: string;
  waiting: number;
  /** Of the notification with the most attempts, whose last attempt comes first. */
  attempts: number;
  error: string | null;
  next_attempt: string;
}

/** No row: no retry is waiting. */
export function selectLongFailing(subscriptionKey: number): Statement {
  const asText = (time: string) => `to_char(${time}, 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
  return {
    text: `select json_build_object('key', s."key", 'name', s.name, 'eventTypes', s.event_types, 'url', s.url,
    'channelType', s.channel_info -> 'channelType') as subscription,
  s.retry_policy, s.do_not_unsubscribe, u.name as user_name, u.email as user_email,
  ${asText('h.failing_since')} as failing_since, r.attempts::int as attempts, n.error_message as error,
  ${asText(`coalesce(r.due_at, now()) at time zone 'utc'`)} as next_attempt,
  (select count(*)::int from flaghoist_system.pending_notification w
    where w.subscription_key = s."key" and w.replay_of is distinct from 'DELIVERED') as waiting
from flaghoist_system.delivery_health h
join flaghoist_service.webhook_subscription s on s."key" = h.subscription_key
left join flaghoist_service.api_user u on u."key" = s."user"
cross join lateral (
  select p.notification_key, p.created_date, p.attempts, p.due_at from flaghoist_system.pending_notification p
  where p.subscription_key = s."key" and p.attempts > 0 and p.replay_of is distinct from 'DELIVERED'
    and (p.due_at is null or isfinite(p.due_at))
  order by p.attempts desc, p.due_at, p.notification_key limit 1) r
join flaghoist_service.webhook_notification n on n."key" = r.notification_key and n.created_date = r.created_date
where h.subscription_key = $1::bigint and h.reported_at is null and s.state = 'ACTIVE'`,
    values: [subscriptionKey],
  };
}

export interface FailingNews {
  failingSince: string;
  /** Undefined: the owner has no address. */
  mail: Mail | undefined;
  /** Undefined: there is no alert URL. */
  facts: AlertFacts['SUBSCRIPTION_FAILING'] | undefined;
}

/** Stores the mail and the alert, and returns a row, unless another process has done so for this period of failing. */
export function reportFailing(subscriptionKey: number, { failingSince, mail, facts }: FailingNews): Statement {
  return {
    text: `with reported as (
  update flaghoist_system.delivery_health set reported_at = now()
  where subscription_key = $1::bigint and reported_at is null and failing_since = $2::timestamp
  returning subscription_key),
mailed as (insert into flaghoist_system.outgoing_mail (mail) select $3::jsonb from reported where $3 is not null),
alerted as (${insertAlertsFrom(
      'SUBSCRIPTION_FAILING',
      't.subscription_key',
      '$4::jsonb',
      'from reported t where $4 is not null',
    )})
select 1 from reported`,
    values: [subscriptionKey, failingSince.slice(0, -1), mail && JSON.stringify(mail), facts && JSON.stringify(facts)],
  };
}
