// What the notifications of a subscription are made with, compiled from how it is stored.

import { createHash } from 'node:crypto';
import type { Operation } from '../events/change-event.ts';
import type { Model, ObjectType } from '../model/object-type.ts';
import { decodeStylesheet } from '../payload/stylesheet/decode-stylesheet.ts';
import {
  checkParameters,
  checkValues,
  renderValues,
  type ScriptParameter,
} from '../subscriptions/script-parameters.ts';
import { readScriptFields } from '../subscriptions/subscription.ts';
import type { RecipeRow } from './recipe-table.ts';

export interface Recipe {
  readonly version: string;
  /** Of the subscribed object; undefined where a changed model lacks it. */
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
      readonly edition: string;
      readonly body: string;
      /** JSON texts. */
      readonly parameters: string;
      readonly user: string;
    }
  | { readonly kind: 'missing'; readonly message: string };

export type StylesheetPart =
  | { readonly kind: 'stylesheet'; readonly edition: string; readonly text: string }
  | { readonly kind: 'missing'; readonly message: string };

/** A recipe without its texts, which many may have in common. */
export interface RecipeOutline extends Omit<Recipe, 'script' | 'stylesheet'> {
  readonly script: Omit<ScriptPart & { kind: 'script' }, 'body'> | (ScriptPart & { kind: 'missing' }) | undefined;
  /** Undefined where there is no stylesheet. */
  readonly xslEdition: string | undefined;
}

export function readOutline(row: RecipeRow, types: Model['types']): RecipeOutline {
  return {
    version: row.version,
    type: types.get(row.object_type),
    operation: row.operation,
    objectKey: row.object_key === null ? null : Number(row.object_key),
    rawObject: row.raw_object,
    useMsg: row.use_msg,
    script: readScript(row, types.get(row.object_type)),
    xslEdition: row.xsl_edition ?? undefined,
  };
}

export interface Texts {
  body: string | undefined;
  stylesheet: StylesheetPart | undefined;
}

export function withTexts({ script, xslEdition: _, ...outline }: RecipeOutline, { body, stylesheet }: Texts): Recipe {
  return { ...outline, script: script?.kind === 'script' ? { ...script, body: body! } : script, stylesheet };
}

/** What was checked when it was saved may fit no more: the model has changed, or somebody has written with SQL. */
function readScript(row: RecipeRow, type: ObjectType | undefined): RecipeOutline['script'] {
  const { alert_script_key: key, script_version } = row;
  if (key === null) return undefined;
  if (script_version === null) return { kind: 'missing', message: `There is no AlertScript with key ${key} any more.` };
  const { parameters } = checkParameters(row.parameters);
  const unfit = findUnfit(row, parameters, type);
  if (unfit !== undefined) return { kind: 'missing', message: unfit };
  const user = { key: Number(row.user), userCode: row.user_code, name: row.user_name };
  return {
    kind: 'script',
    edition: scriptEdition(row)!,
    parameters: renderValues(row.script_parameter_values, parameters),
    user: JSON.stringify(user),
  };
}

function findUnfit(
  { script_fields, script_parameter_values }: RecipeRow,
  parameters: readonly ScriptParameter[],
  type: ObjectType | undefined,
): string | undefined {
  const fields = type && readScriptFields(script_fields, type);
  if (fields?.kind === 'broken') return fields.message;
  const [mistake] = checkValues(script_parameter_values, parameters);
  return mistake && `The values of the subscription do not fit the script. ${mistake.name}: ${mistake.message}`;
}

/** Undefined where there is none. */
export function scriptEdition({ alert_script_key, script_version }: RecipeRow): string | undefined {
  return script_version === null ? undefined : `${alert_script_key} ${script_version}`;
}

export function xslEditionOf(xsl: string): string {
  return createHash('sha256').update(xsl).digest('base64');
}

/** `xsl`: in Base64. */
export function readStylesheet(xsl: string, edition: string): StylesheetPart {
  const decoded = decodeStylesheet(xsl);
  if (decoded.kind === 'mistaken') return { kind: 'missing', message: `xsl ${decoded.message}` };
  return { kind: 'stylesheet', edition, text: decoded.text };
}
