// All SQL of deactivating a subscription: reads what the alert says, changes the state, and stores the alert.

import type { ChannelType } from '../../channel-types.ts';
import type { Statement } from '../../database/database.ts';

export interface FailingRow {
  key: string;
  /** Whether the notification is still claimed by this worker. */
  is_ours: boolean;
  state: 'ACTIVE' | 'DEACTIVATED' | 'UNSUBSCRIBED';
  do_not_unsubscribe: boolean;
  event_type: string;
  url: string;
  channel_info: { channelType: ChannelType };
  /** The other attributes that the subscription was created with, by name. */
  shape: Record<string, unknown>;
  failing_since: string | null;
  user_name: string | null;
  user_email: string | null;
}

const shownDate = (date: string) => `to_char(${date}, 'YYYY-MM-DD"T"HH24:MI:SS')`;

/** The notification that has failed, as this worker has claimed it. */
export interface OwnNotification {
  key: number;
  subscriptionKey: number;
  workerId: number;
  attempts: number;
  resendJob: number | null;
}

const isOwn = (first: number) => `p.notification_key = $${first}::bigint and p.claimed_by = $${first + 1}::bigint
  and p.attempts = $${first + 2}::int and p.resend_job is not distinct from $${first + 3}::bigint`;

function ownValues({ key, workerId, attempts, resendJob }: OwnNotification): unknown[] {
  return [key, workerId, attempts, resendJob];
}

/** Locks nothing: decisions based on these rows are written only if the rows are unchanged (`requireUnchanged`). */
export function selectFailing(own: OwnNotification): Statement {
  return {
    text: `select s."key"::text, s.state, s.do_not_unsubscribe, s.event_type, s.url, s.channel_info,
  json_strip_nulls(json_build_object('json', s.json, 'expression', s.expression, 'onlyMainObject',
    nullif(s.only_main_object, false),
    'rawObject', nullif(s.raw_object, false), 'notSendMyChanges', nullif(s.not_send_my_changes, false), 'xsl', s.xsl,
    'dlpAlertScript', s.dlp_alert_script, 'scriptParameterValues', s.script_parameter_values, 'useMsg',
      nullif(s.use_msg, false),
    'webhookUsername', s.webhook_username)) as shape, u.name as user_name, u.email as user_email,
  exists (select from flaghoist_system.pending_notification p where ${isOwn(2)}) as is_ours,
  (select ${shownDate('h.failing_since')} from flaghoist_system.delivery_health h
    where h.subscription_key = s."key") as failing_since
from flaghoist_service.webhook_subscription s left join flaghoist_service.api_user u on u."key" = s."user"
where s."key" = $1::bigint`,
    values: [own.subscriptionKey, ...ownValues(own)],
  };
}

/**
 * Locks both rows, so that only one of several concurrent failures deactivates. If either row has changed, the
 * transaction is retried.
 */
export function requireUnchanged(failing: FailingRow, own: OwnNotification): Statement[] {
  const exactlyOne = (rows: string) => `select flaghoist_system.require_unchanged(count(*) = 1) from (${rows}) r`;
  return [
    {
      text: exactlyOne(`select from flaghoist_service.webhook_subscription s
  where s."key" = $1::bigint and s.state = $2 and s.do_not_unsubscribe = $3::boolean for no key update`),
      values: [failing.key, failing.state, failing.do_not_unsubscribe],
    },
    {
      text: exactlyOne(`select from flaghoist_system.pending_notification p where ${isOwn(1)} for update`),
      values: ownValues(own),
    },
  ];
}

/** Counts the pending notifications of the subscription, which count as failed from now on. */
export function countWaiting(subscriptionKey: number): Statement {
  return {
    text: `select ((select count(*) from flaghoist_system.pending_notification where subscription_key = $1::bigint
  and due_at is null)
  + (select count(*) from flaghoist_system.pending_notification where subscription_key = $1::bigint
    and due_at is not null))::int as waiting`,
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

export function insertMail(mail: string): Statement {
  return { text: 'insert into flaghoist_system.outgoing_mail (mail) values ($1::jsonb)', values: [mail] };
}
