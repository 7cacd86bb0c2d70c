// Reserves keys for notifications in bulk, ahead of use. The body of a notification contains its key, so reserving keys
// one by one would cost a round trip each. Unused keys serve the next batch.

import type { Run } from '../database/database.ts';
import { reserveKeys } from '../deliver/queue/notification-table.ts';

const keysAtLeast = 500;

export class KeyReserve {
  /** The next key is the last one. */
  #keys: number[] = [];
  #serverEpoch = '';

  /**
   * Ensures that `count` keys are available. Discards keys from another server, because the current server may issue
   * the same keys again.
   */
  async fill({ count, serverEpoch }: { count: number; serverEpoch: string }, run: Run): Promise<void> {
    if (serverEpoch !== this.#serverEpoch) this.forget();
    this.#serverEpoch = serverEpoch;
    const missing = count - this.#keys.length;
    if (missing <= 0) return;
    const [rows = []] = await run(reserveKeys(Math.max(keysAtLeast, missing)));
    this.#keys = [...rows.map(({ key }) => Number(key)).reverse(), ...this.#keys];
  }

  /** Called after a failed transaction: a server that crashed may issue the same keys again. */
  forget(): void {
    this.#keys = [];
  }

  take(): number {
    const key = this.#keys.pop();
    if (key === undefined) throw new Error('No key was reserved.');
    return key;
  }
}
