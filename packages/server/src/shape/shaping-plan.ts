// The shaping plan of a subscription: how its notifications are made, compiled from its stored row.

import { createHash } from 'node:crypto';
import { decodeStylesheet } from '@flaghoist/stylesheets';
import type { Operation } from '../events/change-event.ts';
import type { Model, ObjectType } from '../model/object-type.ts';
import { checkParameters, checkValues, renderValues, type ScriptParameter } from '../scripts/script-parameters.ts';
import { readScriptFields } from '../subscriptions/subscription.ts';
import type { ShapingPlanRow } from './shaping-plan-table.ts';

export interface ShapingPlan {
  readonly version: string;
  /** The type of the subscribed object; undefined if a changed model lacks it. */
  readonly type: ObjectType | undefined;
  readonly operation: Operation;
  readonly objectKey: number | null;
  readonly rawObject: boolean;
  readonly useMsg: boolean;
  readonly script: ScriptPart | undefined;
  readonly stylesheet: StylesheetPart | undefined;
}

export type ScriptPart =
  | {
      readonly kind: 'script';
      readonly version: string;
      readonly body: string;
      /** JSON texts. */
      readonly parameters: string;
      readonly user: string;
    }
  | { readonly kind: 'missing'; readonly message: string };

export type StylesheetPart =
  | { readonly kind: 'stylesheet'; readonly version: string; readonly text: string }
  | { readonly kind: 'missing'; readonly message: string };

/** A plan without its texts, which many plans may share. */
export interface ShapingPlanOutline extends Omit<ShapingPlan, 'script' | 'stylesheet'> {
  readonly script: Omit<ScriptPart & { kind: 'script' }, 'body'> | (ScriptPart & { kind: 'missing' }) | undefined;
  /** Undefined if there is no stylesheet. */
  readonly xslVersion: string | undefined;
}

export function readOutline(row: ShapingPlanRow, types: Model['types']): ShapingPlanOutline {
  return {
    version: row.version,
    type: types.get(row.object_type),
    operation: row.operation,
    objectKey: row.object_key === null ? null : Number(row.object_key),
    rawObject: row.raw_object,
    useMsg: row.use_msg,
    script: readScript(row, types.get(row.object_type)),
    xslVersion: row.xsl_edition ?? undefined,
  };
}

export interface Texts {
  body: string | undefined;
  stylesheet: StylesheetPart | undefined;
}

export function withTexts(
  { script, xslVersion: _, ...outline }: ShapingPlanOutline,
  { body, stylesheet }: Texts,
): ShapingPlan {
  return { ...outline, script: script?.kind === 'script' ? { ...script, body: body! } : script, stylesheet };
}

/** What was valid when it was saved may no longer fit: the model has changed, or somebody has written with SQL. */
function readScript(row: ShapingPlanRow, type: ObjectType | undefined): ShapingPlanOutline['script'] {
  const { alert_script_key: key, script_version } = row;
  if (key === null) return undefined;
  if (script_version === null) return { kind: 'missing', message: `There is no AlertScript with key ${key} any more.` };
  const { parameters } = checkParameters(row.parameters);
  const unfit = findUnfit(row, parameters, type);
  if (unfit !== undefined) return { kind: 'missing', message: unfit };
  const user = { key: Number(row.user), userCode: row.user_code, name: row.user_name };
  return {
    kind: 'script',
    version: scriptVersionOf(row)!,
    parameters: renderValues(row.script_parameter_values, parameters),
    user: JSON.stringify(user),
  };
}

function findUnfit(
  { script_fields, script_parameter_values }: ShapingPlanRow,
  parameters: readonly ScriptParameter[],
  type: ObjectType | undefined,
): string | undefined {
  const fields = type && readScriptFields(script_fields, type);
  if (fields?.kind === 'broken') return fields.message;
  const [mistake] = checkValues(script_parameter_values, parameters);
  return mistake && `The values of the subscription do not fit the script. ${mistake.name}: ${mistake.message}`;
}

/** Undefined if there is no script. */
export function scriptVersionOf({ alert_script_key, script_version }: ShapingPlanRow): string | undefined {
  return script_version === null ? undefined : `${alert_script_key} ${script_version}`;
}

export function stylesheetVersionOf(xsl: string): string {
  return createHash('sha256').update(xsl).digest('base64');
}

/** `xsl` is in Base64. */
export function readStylesheet(xsl: string, version: string): StylesheetPart {
  const decoded = decodeStylesheet(xsl);
  if (decoded.kind === 'mistaken') return { kind: 'missing', message: `xsl ${decoded.message}` };
  return { kind: 'stylesheet', version, text: decoded.text };
}
