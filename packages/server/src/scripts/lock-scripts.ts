// Reads the scripts that subscriptions name, and locks them until COMMIT: they are neither changed nor deleted.

import type { Run } from '../database/database.ts';
import { findUnusableCharacter } from '../query/attributes/unusable-character.ts';
import { checkParameters, type ScriptParameter } from './script-parameters.ts';
import { type ScriptRow, selectAndLockScripts } from './script-table.ts';

export interface LockedScript {
  readonly key: string;
  readonly code: string | null;
  readonly parameters: readonly ScriptParameter[];
  /** A field selection, as JSON. */
  readonly fields: string | null;
}

/** `names` are codes or keys. */
export async function lockScripts(names: readonly string[], run: Run): Promise<LockedScript[]> {
  const codes = [...new Set(names)].filter((name) => findUnusableCharacter(name) < 0);
  if (codes.length === 0) return [];
  const keys = codes.map(Number).filter((key) => Number.isSafeInteger(key));
  const [rows = []] = await run(selectAndLockScripts(keys, codes));
  return (rows as unknown as ScriptRow[]).map((row) => ({
    ...row,
    parameters: checkParameters(row.parameters).parameters,
  }));
}
