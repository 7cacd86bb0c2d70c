// Checks whether a changed script still fits the subscriptions that use it: their parameter values and their object
// types.

import type { Run } from '../database/database.ts';
import type { Model } from '../model/object-type.ts';
import type { Mistake } from '../objects/mistake.ts';
import { compileSelection } from '../query/compile-selection.ts';
import { checkValues, type ScriptParameter } from './script-parameters.ts';
import { type ScriptUserRow, selectDistinctUsers, selectScriptUsers } from './script-table.ts';

export interface ChangedScript {
  readonly key: number;
  /** Undefined if unchanged. */
  readonly parameters: readonly ScriptParameter[] | undefined;
  /** JSON; undefined if unchanged. */
  readonly fields: string | undefined;
  /** The types as subscribers see them. */
  readonly types: Model['types'];
}

/** How many subscriptions are loaded at once: their values may be large. */
const usersAtOnce = 100;

/**
 * Returns the first mistake of each kind, which names one subscription. Of the subscriptions that use the script in the
 * same way, one is checked.
 */
export async function checkScriptUsers(script: ChangedScript, run: Run): Promise<Mistake[]> {
  if (script.parameters === undefined && script.fields === undefined) return [];
  const [distinct = []] = await run(selectDistinctUsers(script.key));
  const keys = distinct.map(({ key }) => Number(key)).sort((one, other) => one - other);
  const mistakes = new Map<string, Mistake>();
  for (let start = 0; start < keys.length && mistakes.size === 0; start += usersAtOnce) {
    const [rows = []] = await run(selectScriptUsers(keys.slice(start, start + usersAtOnce)));
    for (const row of rows as unknown as ScriptUserRow[])
      for (const mistake of [...checkValuesOf(row, script), ...checkTypeOf(row, script)])
        if (!mistakes.has(mistake.name)) mistakes.set(mistake.name, mistake);
  }
  return [...mistakes.values()];
}

function checkValuesOf({ key, script_parameter_values }: ScriptUserRow, { parameters }: ChangedScript): Mistake[] {
  if (!parameters) return [];
  return checkValues(script_parameter_values, parameters).map(({ name, message }) => ({
    name: 'parameters',
    message:
      `do not fit WebhookSubscription ${key}, which uses the script: ${name}: ${message} Change that subscription ` +
      'first, give a new parameter a default, or make another script.',
  }));
}

function checkTypeOf({ key, object_type }: ScriptUserRow, { fields, types }: ChangedScript): Mistake[] {
  const type = types.get(object_type);
  if (fields === undefined || !type) return [];
  const compiled = compileSelection(fields, type);
  if (compiled.kind === 'compiled') return [];
  return compiled.messages.map((message) => ({
    name: 'fields',
    message:
      `do not fit ${type.name}, which WebhookSubscription ${key} uses with this script: ${message} Give that ` +
      'subscription another script first, or make another one.',
  }));
}
