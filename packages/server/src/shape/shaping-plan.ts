// The shaping plan of a subscription: its script, its stylesheet and their parameters, read from its stored row.

import { createHash } from 'node:crypto';
import { decodeStylesheet } from '@flaghoist/stylesheets';
import type { Model, ObjectType } from '../model/object-type.ts';
import { checkParameters, checkValues, renderValues, type ScriptParameter } from '../scripts/script-parameters.ts';
import { type EventTypes, onlyStoredType, readStoredEventTypes } from '../subscriptions/event-types.ts';
import { readScriptFields } from '../subscriptions/subscription.ts';
import type { ShapingPlanRow } from './shaping-plan-table.ts';

export interface ShapingPlan {
  readonly version: string;
  /** The type of the subscribed object; undefined if the model no longer has it, or if there are several types. */
  readonly type: ObjectType | undefined;
  readonly eventTypes: EventTypes;
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
      /** JSON. */
      readonly parameters: string;
      /** JSON. */
      readonly user: string;
    }
  | { readonly kind: 'missing'; readonly message: string };

export type StylesheetPart =
  | { readonly kind: 'stylesheet'; readonly version: string; readonly text: string }
  | { readonly kind: 'missing'; readonly message: string };

/** Texts that many plans may share. */
export interface PlanTexts {
  body: string | undefined;
  stylesheet: StylesheetPart | undefined;
}

export function readPlan(row: ShapingPlanRow, types: Model['types'], { body, stylesheet }: PlanTexts): ShapingPlan {
  const type = types.get(onlyStoredType(row.event_types) ?? '');
  return {
    version: row.version,
    type,
    eventTypes: readStoredEventTypes(row.event_types)!,
    rawObject: row.raw_object,
    useMsg: row.use_msg,
    script: readScript(row, body, type),
    stylesheet,
  };
}

/** A script that was valid when it was saved may no longer fit after a change to the model, or after direct SQL. */
function readScript(
  row: ShapingPlanRow,
  body: string | undefined,
  type: ObjectType | undefined,
): ScriptPart | undefined {
  const { alert_script_key: key } = row;
  if (key === null) return undefined;
  if (body === undefined) return { kind: 'missing', message: `AlertScript ${key} no longer exists.` };
  const { parameters } = checkParameters(row.parameters);
  const mismatch = findMismatch(row, parameters, type);
  if (mismatch !== undefined) return { kind: 'missing', message: mismatch };
  const user = { key: Number(row.user), userCode: row.user_code, name: row.user_name };
  return {
    kind: 'script',
    version: row.script_version!,
    body,
    parameters: renderValues(row.script_parameter_values, parameters),
    user: JSON.stringify(user),
  };
}

function findMismatch(
  { script_fields, script_parameter_values }: ShapingPlanRow,
  parameters: readonly ScriptParameter[],
  type: ObjectType | undefined,
): string | undefined {
  const fields = type && readScriptFields(script_fields, type);
  if (fields?.kind === 'broken') return fields.message;
  const [mistake] = checkValues(script_parameter_values, parameters);
  return mistake && `The parameter values do not fit the script. ${mistake.name}: ${mistake.message}`;
}

export function versionOfText(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

/** `xsl`: the stylesheet in Base64. */
export function readStylesheet(xsl: string, version: string): StylesheetPart {
  const decoded = decodeStylesheet(xsl);
  if (decoded.kind === 'mistaken') return { kind: 'missing', message: `xsl: ${decoded.message}` };
  return { kind: 'stylesheet', version, text: decoded.text };
}
