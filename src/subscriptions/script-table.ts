// All SQL of scripts that are looked up by their users.

import type { Statement } from '../database/database.ts';

export interface ScriptRow {
  key: string;
  code: string | null;
  /** JSON. */
  parameters: string | null;
  fields: string | null;
}

export function selectScripts(): Statement {
  return {
    text: 'select a.key::text, a.code, a.parameters::text as parameters, a.fields::text as fields from flaghoist_service.alert_script a',
    values: [],
  };
}

export function selectIsUsed(scriptKey: number): Statement {
  return {
    text: `select s.key::text from flaghoist_service.webhook_subscription s
where s.alert_script_key = $1::bigint and s.state <> 'UNSUBSCRIBED' order by s.key limit 1`,
    values: [scriptKey],
  };
}
