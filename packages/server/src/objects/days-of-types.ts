// Remembers for a while which days the tables with one partition per day have.

import type { Database } from '../database/database.ts';
import type { ObjectType } from '../model/object-type.ts';
import { type KeptDays, selectKeptDays } from '../query/kept-days.ts';

/** A day is added or dropped once a day. */
const rememberedMs = 60_000;

interface Remembered {
  days: Promise<KeptDays | undefined>;
  readAt: number;
}

export class DaysOfTypes {
  readonly #database: Database;
  readonly #remembered = new Map<string, Remembered>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Undefined if there are none. */
  of(type: ObjectType): Promise<KeptDays | undefined> {
    const known = this.#remembered.get(type.name);
    if (known && performance.now() - known.readAt < rememberedMs) return known.days;
    const days = this.#read(type);
    this.#remembered.set(type.name, { days, readAt: performance.now() });
    days.catch(() => this.#remembered.delete(type.name));
    return days;
  }

  async #read(type: ObjectType): Promise<KeptDays | undefined> {
    const [row] = await this.#database.run(selectKeptDays(type));
    const { from, to } = row as { from: string | null; to: string | null };
    return from === null || to === null ? undefined : { from, to };
  }
}
