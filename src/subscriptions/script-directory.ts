// Which scripts there are, as of a moment ago: subscriptions that name one are checked with it.

import type { Database } from '../database/database.ts';
import { checkParameters, type ScriptParameter } from './script-parameters.ts';
import { type ScriptRow, selectScripts } from './script-table.ts';

export interface KnownScript {
  readonly key: number;
  readonly parameters: readonly ScriptParameter[];
  /** JSON of a field selection. */
  readonly fields: string | null;
}

export class ScriptDirectory {
  readonly #database: Database;
  #byName = new Map<string, KnownScript>();
  #byKey = new Map<number, KnownScript>();

  constructor(database: Database) {
    this.#database = database;
  }

  async refresh(): Promise<void> {
    const byName = new Map<string, KnownScript>();
    const rows = (await this.#database.run(selectScripts())) as unknown as ScriptRow[];
    const known = rows.map((row) => [row, scriptOf(row)] as const);
    for (const [row, script] of known) byName.set(row.key, script);
    // A code that looks like a key is a code all the same.
    for (const [row, script] of known) if (row.code !== null) byName.set(row.code, script);
    this.#byName = byName;
    this.#byKey = new Map(known.map(([, script]) => [script.key, script]));
  }

  /** By code or key. */
  find(name: string): KnownScript | undefined {
    return this.#byName.get(name);
  }

  findByKey(key: number): KnownScript | undefined {
    return this.#byKey.get(key);
  }
}

function scriptOf({ key, parameters, fields }: ScriptRow): KnownScript {
  return { key: Number(key), parameters: checkParameters(parameters).parameters, fields };
}
