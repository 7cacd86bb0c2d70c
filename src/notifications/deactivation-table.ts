// All SQL of deactivating a subscription: what the alert says, the change of state, the alert itself.

import type { Statement } from '../database/database.ts';

export interface FailingRow {
  key: string;
  state: 'ACTIVE' | 'DEACTIVATED' | 'UNSUBSCRIBED';
  do_not_unsubscribe: boolean;
  event_type: string;
  url: string;
  channel_info: { channelType: 'HTTP' | 'EMAIL' };
  /** By name: what else it was created with. */
  shape: Record<string, unknown>;
  failing_since: string | null;
  user_name: string | null;
  user_email: string | null;
}

const shownDate = (date: string) => `to_char(${date}, 'YYYY-MM-DD"T"HH24:MI:SS')`;

/** Locked, so that of several failures at once one deactivates. */
export function lockFailing(subscriptionKey: number): Statement {
  return {
    text: `select s."key"::text, s.state, s.do_not_unsubscribe, s.event_type, s.url, s.channel_info,
  json_strip_nulls(json_build_object('json', s.json, 'expression', s.expression, 'onlyMainObject', nullif(s.only_main_object, false),
    'rawObject', nullif(s.raw_object, false), 'notSendMyChanges', nullif(s.not_send_my_changes, false), 'xsl', s.xsl,
    'dlpAlertScript', s.dlp_alert_script, 'scriptParameterValues', s.script_parameter_values, 'useMsg', nullif(s.use_msg, false),
    'webhookUsername', s.webhook_username)) as shape, u.name as user_name, u.email as user_email,
  (select ${shownDate('h.failing_since')} from flaghoist_system.delivery_health h where h.subscription_key = s."key") as failing_since
from flaghoist_service.webhook_subscription s left join flaghoist_service.api_user u on u."key" = s."user"
where s."key" = $1::bigint for no key update of s`,
    values: [subscriptionKey],
  };
}

/** What is left to send of it, which from now on counts as failed. */
export function countWaiting(subscriptionKey: number): Statement {
  return {
    text: `select ((select count(*) from flaghoist_system.pending_notification where subscription_key = $1::bigint and due_at is null)
  + (select count(*) from flaghoist_system.pending_notification where subscription_key = $1::bigint and due_at is not null))::int as waiting`,
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
