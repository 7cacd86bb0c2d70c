// Loads the scripts that a request refers to, before its transaction. The subscriptions of the request are checked
// against them.

import type { Actor, Database } from '../database/database.ts';
import { findUnusableCharacter } from '../query/attributes/unusable-character.ts';
import { checkParameters, type ScriptParameter } from './script-parameters.ts';
import { type ScriptRow, selectScripts } from './script-table.ts';

export interface KnownScript {
  readonly key: number;
  readonly parameters: readonly ScriptParameter[];
  /** A field selection, as JSON. */
  readonly fields: string | null;
}

export interface KnownScripts {
  /** By code or key. */
  readonly byName: ReadonlyMap<string, KnownScript>;
  readonly byKey: ReadonlyMap<number, KnownScript>;
}

const noScripts: KnownScripts = { byName: new Map(), byKey: new Map() };

/** `names` are codes or keys. */
export async function loadScripts(
  names: readonly string[],
  actor: Actor,
  database: Pick<Database, 'run'>,
): Promise<KnownScripts> {
  const codes = [...new Set(names)].filter((name) => findUnusableCharacter(name) < 0);
  if (codes.length === 0) return noScripts;
  const keys = codes.map(Number).filter((key) => Number.isSafeInteger(key));
  const rows = (await database.run(selectScripts(keys, codes), actor)) as unknown as ScriptRow[];
  const known = rows.map((row) => [row, scriptOf(row)] as const);
  return {
    byName: new Map([
      ...known.map(([{ key }, script]) => [key, script] as const),
      // If a code looks like a key, the code takes precedence.
      ...known.flatMap(([{ code }, script]) => (code === null ? [] : [[code, script] as const])),
    ]),
    byKey: new Map(known.map(([, script]) => [script.key, script])),
  };
}

export function scriptOf({ key, parameters, fields }: ScriptRow): KnownScript {
  return { key: Number(key), parameters: checkParameters(parameters).parameters, fields };
}
