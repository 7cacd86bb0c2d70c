// All SQL that looks up scripts for the subscriptions that use them, and those subscriptions.

import { numberArray, textArray } from '../database/array-parameter.ts';
import type { Statement } from '../database/database.ts';

export interface ScriptRow {
  key: string;
  code: string | null;
  /** JSON. */
  parameters: string | null;
  /** A field selection, as JSON. */
  fields: string | null;
}

/** Locks the scripts until COMMIT: they are neither changed nor deleted. All code locks scripts in key order. */
export function selectAndLockScripts(keys: readonly number[], codes: readonly string[]): Statement {
  return {
    text: `select a.key::text, a.code, a.parameters::text as parameters, a.fields::text as fields
  from flaghoist_service.alert_script a
where a.key = any($1::bigint[]) or a.code = any($2::text[]) order by a.key for share`,
    values: [numberArray(keys), textArray(codes)],
  };
}

export function selectScriptBody(key: number): Statement {
  return { text: 'select a.body from flaghoist_service.alert_script a where a.key = $1::bigint', values: [key] };
}

/** The object type of a subscription that uses a script: all its event types name the same. */
const objectType = `split_part(s.event_types[1], '.', 1)`;

/** One active subscription for each distinct use of the script: the same values and the same type. */
export function selectDistinctUsers(scriptKey: number): Statement {
  return {
    text: `select min(s.key)::text as key from flaghoist_service.webhook_subscription s
where s.alert_script_key = $1::bigint and s.state = 'ACTIVE'
  group by ${objectType}, md5(s.script_parameter_values::text)`,
    values: [scriptKey],
  };
}

export interface ScriptUserRow {
  key: string;
  object_type: string;
  /** JSON. */
  script_parameter_values: string | null;
}

export function selectScriptUsers(subscriptionKeys: readonly number[]): Statement {
  return {
    text: `select s.key::text, ${objectType} as object_type, s.script_parameter_values::text as script_parameter_values
from flaghoist_service.webhook_subscription s where s.key = any($1::bigint[]) order by s.key`,
    values: [numberArray(subscriptionKeys)],
  };
}

export function selectIsUsed(scriptKey: number): Statement {
  return {
    text: `select s.key::text from flaghoist_service.webhook_subscription s
where s.alert_script_key = $1::bigint and s.state <> 'UNSUBSCRIBED' order by s.key limit 1`,
    values: [scriptKey],
  };
}
