// What the notifications of a subscription are made with, compiled from how it is stored.

import { createHash } from 'node:crypto';
import type { Operation } from '../events/change-event.ts';
import type { Model, ObjectType } from '../model/object-type.ts';
import { decodeStylesheet } from '../payload/stylesheet/decode-stylesheet.ts';
import { checkParameters, renderValues } from '../subscriptions/script-parameters.ts';
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

export function readRecipe(row: RecipeRow, types: Model['types']): Recipe {
  return {
    version: row.version,
    type: types.get(row.object_type),
    operation: row.operation,
    objectKey: row.object_key === null ? null : Number(row.object_key),
    rawObject: row.raw_object,
    useMsg: row.use_msg,
    script: readScript(row),
    stylesheet: row.xsl === null ? undefined : readStylesheet(row.xsl),
  };
}

function readScript(row: RecipeRow): ScriptPart | undefined {
  const { alert_script_key: key, script_version, body } = row;
  if (key === null) return undefined;
  if (body === null) return { kind: 'missing', message: `There is no AlertScript with key ${key} any more.` };
  const user = { key: Number(row.user), userCode: row.user_code, name: row.user_name };
  return {
    kind: 'script',
    edition: `${key} ${script_version}`,
    body,
    parameters: renderValues(row.script_parameter_values, checkParameters(row.parameters).parameters),
    user: JSON.stringify(user),
  };
}

function readStylesheet(xsl: string): StylesheetPart {
  const decoded = decodeStylesheet(xsl);
  if (decoded.kind === 'mistaken') return { kind: 'missing', message: `xsl ${decoded.message}` };
  return { kind: 'stylesheet', edition: createHash('sha256').update(xsl).digest('base64'), text: decoded.text };
}
