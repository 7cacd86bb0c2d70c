// Checks whether a changed script still fits the subscriptions that use it: their parameter values and their object
// types.

import type { Run } from '../database/database.ts';
import type { Model } from '../model/object-type.ts';
import type { Mistake } from '../objects/mistake.ts';
import type { ObjectChange } from '../objects/object-change.ts';
import type { LockedRow } from '../objects/type-rules.ts';
import { compileSelection } from '../query/compile-selection.ts';
import { checkParameters, checkValues, type ScriptParameter } from './script-parameters.ts';
import { type ScriptUserRow, selectDistinctUsers, selectScriptUsers } from './script-table.ts';

/** How many subscriptions are loaded at once: their values may be large. */
const usersAtOnce = 100;

/**
 * Returns the first mistake of each kind, which names one subscription. Of the subscriptions that use the script in the
 * same way, one is checked. Values that are unchanged, or wrong in themselves, are skipped. `types`: as subscribers see
 * them.
 */
export async function checkScriptUsers(
  { columns: sent, key }: ObjectChange,
  current: LockedRow,
  run: Run,
  types: Model['types'],
): Promise<Mistake[]> {
  const isChanged = (column: string) =>
    sent.has(column) && !isSameJson(sent.get(column) ?? null, current.get(column) ?? null);
  const checked = isChanged('parameters') ? checkParameters(sent.get('parameters') ?? null) : undefined;
  const parameters = checked?.mistakes.length === 0 ? checked.parameters : undefined;
  const selection = isChanged('fields') ? sent.get('fields') : undefined;
  const fields = selection?.trimStart().startsWith('{') ? selection : undefined;
  if (parameters === undefined && fields === undefined) return [];
  const [distinct = []] = await run(selectDistinctUsers(key!));
  const keys = distinct.map((row) => Number(row.key)).sort((one, other) => one - other);
  const mistakes = new Map<string, Mistake>();
  for (let start = 0; start < keys.length && mistakes.size === 0; start += usersAtOnce) {
    const [rows = []] = await run(selectScriptUsers(keys.slice(start, start + usersAtOnce)));
    for (const row of rows as unknown as ScriptUserRow[])
      for (const mistake of [...checkValuesOf(row, parameters), ...checkTypeOf(row, fields, types)])
        if (!mistakes.has(mistake.name)) mistakes.set(mistake.name, mistake);
  }
  return [...mistakes.values()];
}

function isSameJson(one: string | null, other: string | null): boolean {
  return JSON.stringify(JSON.parse(one ?? 'null')) === JSON.stringify(JSON.parse(other ?? 'null'));
}

function checkValuesOf(
  { key, script_parameter_values }: ScriptUserRow,
  parameters: readonly ScriptParameter[] | undefined,
): Mistake[] {
  if (!parameters) return [];
  return checkValues(script_parameter_values, parameters).map(({ name, message }) => ({
    name: 'parameters',
    message:
      `do not fit WebhookSubscription ${key}, which uses the script: ${name}: ${message} Change that subscription ` +
      'first, give a new parameter a default, or make another script.',
  }));
}

function checkTypeOf(
  { key, object_type }: ScriptUserRow,
  fields: string | undefined,
  types: Model['types'],
): Mistake[] {
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
