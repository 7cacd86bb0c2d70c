// A subscription is saved with its script as it is at that moment: the script is held until COMMIT, so that it is neither deleted nor
// changed meanwhile, and looked at again where it is not what the subscription was checked with.

import type { Run } from '../database/database.ts';
import type { Violation } from '../errors.ts';
import type { Model } from '../model/object-type.ts';
import type { ObjectChange } from '../objects/object-change.ts';
import type { HeldRow } from '../objects/type-rules.ts';
import { checkUse } from './check-script-use.ts';
import { type KnownScripts, scriptOf } from './known-scripts.ts';
import { type Mistake, violationsAt } from './mistake.ts';
import { lockScripts, type ScriptRow } from './script-table.ts';

export interface HoldScriptsParts {
  scripts: KnownScripts;
  /** As subscribers see them. */
  types: Model['types'];
}

/** `present`: of a subscription that is changed. */
export async function holdScripts(
  changes: readonly ObjectChange[],
  run: Run,
  parts: HoldScriptsParts,
  present?: HeldRow,
): Promise<Violation[]> {
  const using = changes.flatMap((change) => {
    const key = change.columns.get('alert_script_key') ?? undefined;
    return key === undefined ? [] : [{ change, key }];
  });
  if (using.length === 0) return [];
  const [rows = []] = await run(lockScripts([...new Set(using.map(({ key }) => Number(key)))]));
  const held = new Map((rows as unknown as ScriptRow[]).map((row) => [row.key, row]));
  return using.flatMap(({ change, key }) =>
    violationsAt(change.path, checkHeld(change, held.get(key), parts, present)),
  );
}

function checkHeld(
  { columns }: ObjectChange,
  row: ScriptRow | undefined,
  { scripts, types }: HoldScriptsParts,
  present: HeldRow | undefined,
): Mistake[] {
  const valueAt = (column: string) => (columns.has(column) ? columns.get(column) : present?.get(column)) ?? null;
  const name = valueAt('dlp_alert_script') ?? '';
  if (!row) return [{ name: 'dlpAlertScript', message: 'was deleted just now.' }];
  const script = scriptOf(row);
  // What is wrong with it as it was is told already.
  if (JSON.stringify(script) === JSON.stringify(scripts.byKey.get(script.key))) return [];
  return checkUse(
    script,
    { name, values: valueAt('script_parameter_values') },
    types.get(valueAt('object_type') ?? ''),
  );
}
