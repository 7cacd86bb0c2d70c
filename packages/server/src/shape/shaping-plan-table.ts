// All SQL of shaping plans: the script, the parameter values and the stylesheet of a subscription.

import { numberArray, textArray } from '../database/array-parameter.ts';
import type { Statement } from '../database/database.ts';
import { revisionWithEpoch } from '../database/server-epoch.ts';

export interface VersionRow {
  key: string;
  /** Changes whenever anything in the plan changes. */
  version: string;
}

const joined = `from flaghoist_service.webhook_subscription s
join flaghoist_service.api_user u on u.key = s."user"
left join flaghoist_service.alert_script a on a.key = s.alert_script_key
where s.key = any($1::bigint[])`;

const version = revisionWithEpoch("s.xmin::text || ' ' || u.xmin::text || ' ' || coalesce(a.xmin::text, '')");

/** With the epoch, because after a failover another edit may have the same transaction id. Null without a script. */
export const scriptVersion = `a.key || ' ' || ${revisionWithEpoch('a.xmin::text')}`;

export function selectPlanVersions(subscriptionKeys: readonly number[]): Statement {
  return {
    text: `select s.key::text as key, ${version} as version ${joined}`,
    values: [numberArray(subscriptionKeys)],
  };
}

export interface ShapingPlanRow extends VersionRow {
  /** An array, as PostgreSQL renders it. */
  event_types: string;
  raw_object: boolean;
  use_msg: boolean;
  /** SHA-256 of the stylesheet. */
  xsl_version: string | null;
  /** JSON. */
  script_parameter_values: string | null;
  alert_script_key: string | null;
  /** Key and revision; null if the script no longer exists. */
  script_version: string | null;
  parameters: string | null;
  script_fields: string | null;
  user: string;
  user_code: string | null;
  user_name: string;
}

/** Each text is in one of the rows that need it, and null in the others. */
export interface ShapingPlanTexts {
  body: string | null;
  /** In Base64. */
  xsl: string | null;
}

/** `versions`: those of the texts that are already cached. */
export function selectPlans(subscriptionKeys: readonly number[], versions: readonly string[]): Statement {
  return {
    text: `select r.*,
  case when script_version <> all($2::text[]) and row_number() over (partition by script_version) = 1
    then (select a.body from flaghoist_service.alert_script a where a.key = r.alert_script_key::bigint) end as body,
  case when xsl_version <> all($2::text[]) and row_number() over (partition by xsl_version) = 1
    then (select s.xsl from flaghoist_service.webhook_subscription s where s.key = r.key::bigint) end as xsl
from (select s.key::text as key, ${version} as version, s.event_types::text as event_types,
    s.raw_object, s.use_msg, s.script_parameter_values::text as script_parameter_values,
    s.alert_script_key::text as alert_script_key, ${scriptVersion} as script_version,
    a.parameters::text as parameters, a.fields::text as script_fields,
    u.key::text as "user", u.user_code, u.name as user_name,
    encode(sha256(convert_to(s.xsl, 'UTF8')), 'base64') as xsl_version
  ${joined} offset 0) r`,
    values: [numberArray(subscriptionKeys), textArray(versions)],
  };
}
