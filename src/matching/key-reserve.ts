// Keys for notifications, taken from the database before they are needed and in numbers: the body of a notification carries its
// key, and asking for each would be a round trip more. What is left over serves the next batch.

import type { Run } from '../database/database.ts';
import { reserveKeys } from '../notifications/notification-table.ts';

const keysAtLeast = 500;

export class KeyReserve {
  #keys: number[] = [];
  #taken = 0;
  #serverEpoch = '';

  /** Takes care that `count` keys are there. Those of another server are forgotten: this one may give them out again. */
  async fill({ count, serverEpoch }: { count: number; serverEpoch: string }, run: Run): Promise<void> {
    if (serverEpoch !== this.#serverEpoch) this.forget();
    this.#serverEpoch = serverEpoch;
    const left = this.#keys.slice(this.#taken);
    if (left.length >= count) return;
    const [rows = []] = await run(reserveKeys(Math.max(keysAtLeast, count - left.length)));
    this.#keys = [...left, ...rows.map(({ key }) => Number(key))];
    this.#taken = 0;
  }

  /** After a failed transaction: a server that crashed may give out the same keys again. */
  forget(): void {
    this.#keys = [];
    this.#taken = 0;
  }

  take(): number {
    const key = this.#keys[this.#taken];
    if (key === undefined) throw new Error('No key was reserved.');
    this.#taken += 1;
    return key;
  }
}
