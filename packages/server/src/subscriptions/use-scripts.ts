// Checks whether subscriptions can use the scripts that they name: the script exists, fits the type, and the values fit
// its parameters. The scripts stay locked until the save commits.

import { quoteText } from '@flaghoist/source-text';
import type { Run } from '../database/database.ts';
import type { Violation } from '../errors.ts';
import type { Model, ObjectType } from '../model/object-type.ts';
import type { StoredValue } from '../objects/check-scalar.ts';
import { type Mistake, violationsAt } from '../objects/mistake.ts';
import { type ObjectChange, valueAfter } from '../objects/object-change.ts';
import type { LockedRow } from '../objects/type-rules.ts';
import { findUnusableCharacter } from '../query/attributes/unusable-character.ts';
import { compileSelection } from '../query/compile-selection.ts';
import { checkParameters, checkValues } from '../scripts/script-parameters.ts';
import { type ScriptRow, selectAndLockScripts } from '../scripts/script-table.ts';
import { onlyStoredType } from './event-types.ts';

/** The columns that must be known of a subscription that is changed. */
export const lockedScriptColumns = [
  'dlp_alert_script',
  'alert_script_key',
  'script_parameter_values',
  'use_msg',
] as const;

export interface UsedScripts {
  /** For each change, in order: the columns to write in addition. */
  columns: ReadonlyMap<string, StoredValue>[];
  violations: Violation[];
}

/** `types`: as subscribers see them. `current`: the current row, if a subscription is changed. */
export async function useScripts(
  changes: readonly ObjectChange[],
  run: Run,
  types: Model['types'],
  current?: LockedRow,
): Promise<UsedScripts> {
  const uses = changes.map(({ columns }) => readUse(columns, current));
  const names = uses.flatMap((use) => use?.key ?? use?.name ?? []);
  const scripts = await lockScripts(names, run);
  const byKey = new Map(scripts.map((script) => [script.key, script]));
  // If a code looks like a key, the code takes precedence.
  const byName = new Map([...byKey, ...scripts.map((script) => [script.code, script] as const)]);
  const found = uses.map((use) => {
    if (!use || use.name === null) return undefined;
    return use.key === null ? byName.get(use.name) : byKey.get(use.key);
  });
  return {
    columns: uses.map((use, index) => (use ? columnsOf(found[index]) : new Map())),
    violations: uses.flatMap((use, index) => {
      const mistakes = use ? checkUse(use, found[index], types.get(onlyStoredType(use.eventTypes) ?? '')) : [];
      return violationsAt(changes[index]!.path, mistakes);
    }),
  };
}

/** However the script was named, its code is shown. A trigger stores the new code if it changes (see the migration). */
function columnsOf(script: ScriptRow | undefined): ReadonlyMap<string, StoredValue> {
  return new Map([
    ['alert_script_key', script?.key ?? null],
    ['dlp_alert_script', script?.code ?? null],
  ]);
}

/** `names` are codes or keys. */
export async function lockScripts(names: readonly string[], run: Run): Promise<ScriptRow[]> {
  const codes = [...new Set(names)].filter((name) => findUnusableCharacter(name) < 0);
  if (codes.length === 0) return [];
  const keys = codes.map(Number).filter((key) => Number.isSafeInteger(key));
  const [rows = []] = await run(selectAndLockScripts(keys, codes));
  return rows as unknown as ScriptRow[];
}

interface ScriptUse {
  /** As stored. */
  eventTypes: StoredValue;
  /** How the subscription names the script: its code or key. */
  name: StoredValue;
  /** Null: the script is found by its name. Otherwise its key was sent, or the subscription keeps its script. */
  key: StoredValue;
  /** JSON. */
  values: StoredValue;
  usesMessage: boolean;
}

/** Undefined if the change sets no script column, and nothing is to be checked. */
function readUse(sent: ObjectChange['columns'], current: LockedRow | undefined): ScriptUse | undefined {
  if (!lockedScriptColumns.some((column) => sent.has(column))) return undefined;
  const sentKey = sent.get('alert_script_key') ?? null;
  const name = sentKey ?? valueAfter(sent, current, 'dlp_alert_script');
  const isKept = sentKey === null && name !== null && name === current?.get('dlp_alert_script');
  return {
    eventTypes: valueAfter(sent, current, 'event_types'),
    name,
    key: isKept ? (current?.get('alert_script_key') ?? null) : sentKey,
    values: valueAfter(sent, current, 'script_parameter_values'),
    usesMessage: valueAfter(sent, current, 'use_msg') === 'true',
  };
}

function checkUse(use: ScriptUse, script: ScriptRow | undefined, type: ObjectType | undefined): Mistake[] {
  const { name, values } = use;
  if (name === null) return checkWithoutScript(use);
  if (!script) {
    const wanted = use.key === null ? `code or key ${quoteText(name)}` : `key ${use.key}`;
    return [{ name: 'dlpAlertScript', message: `there is no AlertScript with ${wanted}.` }];
  }
  return [...checkFields(script, name, type), ...checkValues(values, checkParameters(script.parameters).parameters)];
}

function checkFields({ fields }: ScriptRow, name: string, type: ObjectType | undefined): Mistake[] {
  if (!type || fields === null || fields === 'null') return [];
  const compiled = compileSelection(fields, type);
  if (compiled.kind === 'compiled') return [];
  return compiled.messages.map((message) => ({
    name: 'dlpAlertScript',
    message: `the fields of AlertScript ${quoteText(name)} do not fit ${type.name}: ${message}`,
  }));
}

function checkWithoutScript({ values, usesMessage }: ScriptUse): Mistake[] {
  const mistakes: Mistake[] = [];
  if (values !== null && values !== '{}' && values !== 'null') {
    const complaint = values.startsWith('{') ? 'has values' : 'must be an object';
    mistakes.push({
      name: 'scriptParameterValues',
      message: `${complaint}, and there is no script to take any: set dlpAlertScript.`,
    });
  }
  if (usesMessage)
    mistakes.push({
      name: 'useMsg',
      message: 'is true, and there is no script to make a message: set dlpAlertScript.',
    });
  return mistakes;
}
