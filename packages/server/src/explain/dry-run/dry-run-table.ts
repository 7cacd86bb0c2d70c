// All SQL of dry runs: a saved subscription, and an object as an event would show it.

import type { Statement } from '../../database/database.ts';
import { tableOf } from '../../database/tables/identifiers.ts';
import type { ObjectType } from '../../model/object-type.ts';
import { scriptVersion } from '../../shape/shaping-plan-table.ts';
import { type SubscriptionRow, subscriptionColumns } from '../../subscriptions/subscription-table.ts';

export interface TestedRow extends SubscriptionRow {
  url: string;
  /** JSON. */
  channel_info: string;
  use_msg: boolean;
  /** In Base64. */
  xsl: string | null;
  /** JSON. */
  script_parameter_values: string | null;
  /** JSON. */
  retry_policy: string | null;
}

export function selectTested(key: number): Statement {
  return {
    text: `select ${subscriptionColumns}, s.url, s.channel_info::text as channel_info, s.use_msg, s.xsl,
  s.script_parameter_values::text as script_parameter_values, s.retry_policy::text as retry_policy
from flaghoist_service.webhook_subscription s where s.key = $1::bigint`,
    values: [key],
  };
}

export interface TriedScriptRow {
  script_fields: string | null;
  script_version: string | null;
  body: string | null;
  parameters: string | null;
  user_code: string | null;
  user_name: string;
}

/** The current script, if there is one, and the owner of the subscription. */
export function selectTriedScript(scriptKey: string | null, userKey: string): Statement {
  return {
    text: `select a.fields::text as script_fields, ${scriptVersion} as script_version, a.body,
  a.parameters::text as parameters, u.user_code, coalesce(u.name, '') as user_name
from (select $1::bigint as script_key, $2::bigint as user_key) asked
left join flaghoist_service.alert_script a on a.key = asked.script_key
left join flaghoist_service.api_user u on u.key = asked.user_key`,
    values: [scriptKey, userKey],
  };
}

/** Returns `row` without binary and hidden columns, as the event triggers write it. */
export function selectImage(type: ObjectType, key: number): Statement {
  const left = [...type.scalars.filter(({ kind }) => kind === 'binary'), ...type.hidden].map(({ column }) => column);
  return {
    text: `select (to_jsonb(t) - $2::text[])::text as "row" from ${tableOf(type)} t where t.key = $1::bigint`,
    values: [key, left],
  };
}
