// All SQL of what the notifications of a subscription are made with: its script, its values, its stylesheet.

import { numberArray } from '../database/array-parameter.ts';
import type { Statement } from '../database/database.ts';

export interface VersionRow {
  key: string;
  /** Another one whenever anything of the recipe has changed. */
  version: string;
}

const joined = `from flaghoist_service.webhook_subscription s
join flaghoist_service.api_user u on u.key = s."user"
left join flaghoist_service.alert_script a on a.key = s.alert_script_key
where s.key = any($1::bigint[])`;

const version = `s.xmin::text || ' ' || u.xmin::text || ' ' || coalesce(a.xmin::text, '') as version`;

export function selectRecipeVersions(subscriptionKeys: readonly number[]): Statement {
  return { text: `select s.key::text as key, ${version} ${joined}`, values: [numberArray(subscriptionKeys)] };
}

export interface RecipeRow extends VersionRow {
  object_type: string;
  operation: 'C' | 'U' | 'D';
  object_key: string | null;
  raw_object: boolean;
  use_msg: boolean;
  xsl: string | null;
  /** JSON. */
  script_parameter_values: string | null;
  alert_script_key: string | null;
  script_version: string | null;
  body: string | null;
  parameters: string | null;
  user: string;
  user_code: string | null;
  user_name: string;
}

export function selectRecipes(subscriptionKeys: readonly number[]): Statement {
  return {
    text: `select s.key::text as key, ${version}, s.object_type, s.operation, s.object_key::text as object_key, s.raw_object, s.use_msg, s.xsl,
  s.script_parameter_values::text as script_parameter_values, s.alert_script_key::text as alert_script_key, a.xmin::text as script_version, a.body,
  a.parameters::text as parameters, u.key::text as "user", u.user_code, u.name as user_name ${joined}`,
    values: [numberArray(subscriptionKeys)],
  };
}
