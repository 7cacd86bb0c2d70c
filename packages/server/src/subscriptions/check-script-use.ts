// Checks whether a subscription can use the script it names: the script exists, fits the type, and the values fit its
// parameters.

import { quoteText } from '@flaghoist/source-text';
import type { ObjectType } from '../model/object-type.ts';
import type { StoredValue } from '../objects/check-scalar.ts';
import type { Mistake } from '../objects/mistake.ts';
import { compileSelection } from '../query/compile-selection.ts';
import type { KnownScript, KnownScripts } from '../scripts/known-scripts.ts';
import { checkValues } from '../scripts/script-parameters.ts';

export const scriptColumns = ['dlp_alert_script', 'script_parameter_values', 'use_msg'] as const;

/** The columns that must be known of a subscription that is changed. */
export const lockedScriptColumns = [...scriptColumns, 'alert_script_key'] as const;

export interface ScriptUse {
  /** Column → value: what is stored in addition. */
  columns: [string, StoredValue][];
  mistakes: Mistake[];
}

/** `current`: the current row, if a subscription is changed. Nothing is checked if no script column was sent. */
export function checkScriptUse(
  sent: ReadonlyMap<string, StoredValue>,
  current: ReadonlyMap<string, StoredValue> | undefined,
  type: ObjectType | undefined,
  scripts: KnownScripts,
): ScriptUse {
  if (!scriptColumns.some((column) => sent.has(column))) return { columns: [], mistakes: [] };
  const valueAt = (column: string) => (sent.has(column) ? sent.get(column) : current?.get(column)) ?? null;
  const name = valueAt('dlp_alert_script');
  if (name === null) return { columns: [['alert_script_key', null]], mistakes: checkWithout(valueAt) };
  const kept = keptScript(name, current);
  // The save locks this script, and checks it then (`lock-scripts.ts`).
  if (kept !== undefined && !scripts.byKey.has(kept))
    return { columns: [['alert_script_key', String(kept)]], mistakes: [] };
  const script = kept === undefined ? scripts.byName.get(name) : scripts.byKey.get(kept);
  if (!script)
    return {
      columns: [],
      mistakes: [{ name: 'dlpAlertScript', message: `there is no AlertScript with code or key ${quoteText(name)}.` }],
    };
  return {
    columns: [['alert_script_key', String(script.key)]],
    mistakes: checkUse(script, { name, values: valueAt('script_parameter_values') }, type),
  };
}

/** `name`: how the subscription names the script. `values`: JSON. */
export function checkUse(
  script: KnownScript,
  { name, values }: { name: string; values: string | null },
  type: ObjectType | undefined,
): Mistake[] {
  return [...checkFields(script, name, type), ...checkValues(values, script.parameters)];
}

/** A subscription that does not name another script keeps its script, even if the code now belongs to another one. */
function keptScript(name: string, current: ReadonlyMap<string, StoredValue> | undefined): number | undefined {
  const key = name === current?.get('dlp_alert_script') ? current.get('alert_script_key') : undefined;
  return key == null ? undefined : Number(key);
}

function checkFields({ fields }: KnownScript, name: string, type: ObjectType | undefined): Mistake[] {
  if (!type || fields === null || fields === 'null') return [];
  const compiled = compileSelection(fields, type);
  if (compiled.kind === 'compiled') return [];
  return compiled.messages.map((message) => ({
    name: 'dlpAlertScript',
    message: `the fields of AlertScript ${quoteText(name)} do not fit ${type.name}: ${message}`,
  }));
}

function checkWithout(valueAt: (column: string) => StoredValue): Mistake[] {
  const values = valueAt('script_parameter_values') ?? '{}';
  const complaint = values.startsWith('{') ? 'has values' : 'must be an object';
  return [
    ...(values === '{}' || values === 'null'
      ? []
      : [
          {
            name: 'scriptParameterValues',
            message: `${complaint}, and there is no script to take any: set dlpAlertScript.`,
          },
        ]),
    ...(valueAt('use_msg') === 'true'
      ? [{ name: 'useMsg', message: 'is true, and there is no script to make a message: set dlpAlertScript.' }]
      : []),
  ];
}
