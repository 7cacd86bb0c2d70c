// All SQL of deactivating a subscription: reads what the alert says, and changes the state.

import type { Statement } from '../../database/database.ts';
import { placeholder } from '../../subscriptions/channel/placeholder.ts';
import type { RetryPolicy } from '../../subscriptions/channel/retry-policy.ts';
import type { DeactivatedSubscription } from '../mail/compose-alert-mail.ts';
import type { ReadyNotification } from '../queue/ready-notification.ts';
import { isOwn, ownValues } from './outcome-table.ts';

export interface FailingRow {
  /** Whether the notification is still claimed by this worker. */
  is_own: boolean;
  /** Whether it was delivered before, and is being replayed. */
  was_delivered: boolean;
  state: 'ACTIVE' | 'DEACTIVATED' | 'UNSUBSCRIBED';
  do_not_unsubscribe: boolean;
  subscription: DeactivatedSubscription;
  failing_since: string | null;
  user_name: string | null;
  user_email: string | null;
  retry_policy: RetryPolicy | null;
  /** When the notification was first attempted since it was created or last resent. Null: not before. */
  first_attempt: string | null;
}

/** Locks nothing: decisions based on these rows are written only if the rows are unchanged (`requireUnchanged`). */
export function selectFailing(notification: ReadyNotification, workerId: number): Statement {
  return {
    text: `select s.state, s.do_not_unsubscribe, u.name as user_name, u.email as user_email,
  json_build_object('key', s."key", 'name', s.name, 'eventTypes', s.event_types,
    'channelInfo', s.channel_info, 'shape', json_strip_nulls(json_build_object(
      'name', s.name, 'json', s.json, 'expression', s.expression, 'onlyMainObject', nullif(s.only_main_object, false),
      'rawObject', nullif(s.raw_object, false), 'includeChanges', nullif(s.include_changes, false),
      'notSendMyChanges', nullif(s.not_send_my_changes, false), 'ordering', nullif(s.ordering, 'NONE'),
      'xsl', s.xsl, 'dlpAlertScript', s.dlp_alert_script, 'scriptParameterValues', s.script_parameter_values,
      'useMsg', nullif(s.use_msg, false), 'webhookUsername', s.webhook_username,
      'webhookPassword', case when s.webhook_password is not null then '${placeholder}' end, 'headers', s.headers,
      'retryPolicy', s.retry_policy, 'ratePerSecond', s.rate_per_second))) as subscription,
  p.notification_key is not null as is_own, coalesce(p.replay_of = 'DELIVERED', false) as was_delivered,
  (select to_char(h.failing_since, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') from flaghoist_system.delivery_health h
    where h.subscription_key = s."key") as failing_since,
  s.retry_policy, (select coalesce(n.attempt_log -> -p.attempts::int ->> 'date', n.created_date || 'Z')
    from flaghoist_service.webhook_notification n where n."key" = p.notification_key and n.created_date = p.created_date
      and p.attempts > 0) as first_attempt
from flaghoist_service.webhook_subscription s left join flaghoist_service.api_user u on u."key" = s."user"
left join flaghoist_system.pending_notification p on ${isOwn(2)}
where s."key" = $1::bigint`,
    values: [notification.subscriptionKey, ...ownValues(notification, workerId)],
  };
}

/**
 * Locks both rows, so that only one of several concurrent failures deactivates. If either row has changed, the
 * transaction is retried.
 */
export function requireUnchanged(
  { state, do_not_unsubscribe }: FailingRow,
  notification: ReadyNotification,
  workerId: number,
): Statement[] {
  const exactlyOne = (rows: string) => `select flaghoist_system.require_unchanged(count(*) = 1) from (${rows}) r`;
  return [
    {
      text: exactlyOne(`select from flaghoist_service.webhook_subscription s
  where s."key" = $1::bigint and s.state = $2 and s.do_not_unsubscribe = $3::boolean for no key update`),
      values: [notification.subscriptionKey, state, do_not_unsubscribe],
    },
    {
      text: exactlyOne(`select from flaghoist_system.pending_notification p where ${isOwn(1)} for update`),
      values: ownValues(notification, workerId),
    },
  ];
}

/** Counts the pending notifications of the subscription, which count as failed from now on. */
export function countWaiting(subscriptionKey: number): Statement {
  const count = (due: string) => `(select count(*) from flaghoist_system.pending_notification
  where subscription_key = $1::bigint and due_at ${due} and replay_of is distinct from 'DELIVERED')`;
  return {
    text: `select (${count('is null')} + ${count('is not null')})::int as waiting`,
    values: [subscriptionKey],
  };
}

export function setDeactivated(subscriptionKey: number, reason: string): Statement {
  return {
    text: `update flaghoist_service.webhook_subscription
set state = 'DEACTIVATED', state_date = flaghoist_system.utc_second(), state_reason = $2 where "key" = $1::bigint`,
    values: [subscriptionKey, reason],
  };
}
