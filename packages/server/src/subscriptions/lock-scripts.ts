// Locks the script of a subscription until the save commits, so that the script is neither deleted nor changed
// meanwhile. Checks the script again if it is not the version that the subscription was checked with.

import type { Run } from '../database/database.ts';
import type { Violation } from '../errors.ts';
import type { Model } from '../model/object-type.ts';
import { type Mistake, violationsAt } from '../objects/mistake.ts';
import type { ObjectChange } from '../objects/object-change.ts';
import type { LockedRow } from '../objects/type-rules.ts';
import { type KnownScripts, scriptOf } from '../scripts/known-scripts.ts';
import { type ScriptRow, selectAndLockScripts } from '../scripts/script-table.ts';
import { checkUse } from './check-script-use.ts';

export interface LockScriptsParts {
  scripts: KnownScripts;
  /** The types as subscribers see them. */
  types: Model['types'];
}

/** `current`: the current row, if a subscription is changed. */
export async function lockScripts(
  changes: readonly ObjectChange[],
  run: Run,
  parts: LockScriptsParts,
  current?: LockedRow,
): Promise<Violation[]> {
  const using = changes.flatMap((change) => {
    const key = change.columns.get('alert_script_key') ?? undefined;
    return key === undefined ? [] : [{ change, key }];
  });
  if (using.length === 0) return [];
  const [rows = []] = await run(selectAndLockScripts([...new Set(using.map(({ key }) => Number(key)))]));
  const locked = new Map((rows as unknown as ScriptRow[]).map((row) => [row.key, row]));
  return using.flatMap(({ change, key }) =>
    violationsAt(change.path, checkLocked(change, locked.get(key), parts, current)),
  );
}

function checkLocked(
  { columns }: ObjectChange,
  row: ScriptRow | undefined,
  { scripts, types }: LockScriptsParts,
  current: LockedRow | undefined,
): Mistake[] {
  const valueAt = (column: string) => (columns.has(column) ? columns.get(column) : current?.get(column)) ?? null;
  const name = valueAt('dlp_alert_script') ?? '';
  if (!row) return [{ name: 'dlpAlertScript', message: 'was deleted just now.' }];
  const script = scriptOf(row);
  // The script has not changed, so its mistakes are already reported.
  if (JSON.stringify(script) === JSON.stringify(scripts.byKey.get(script.key))) return [];
  return checkUse(
    script,
    { name, values: valueAt('script_parameter_values') },
    types.get(valueAt('object_type') ?? ''),
  );
}
