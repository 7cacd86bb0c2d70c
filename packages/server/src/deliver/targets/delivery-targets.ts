// Caches the delivery target of each subscription. Any change of a subscription or user invalidates the whole cache.
// The targets in use are then read again in one query. This is cheap enough, because such changes are rare.

import type { Encryption } from '../../auth/encryption/encryption.ts';
import type { Database } from '../../database/database.ts';
import type { Observe } from '../../observe/observation.ts';
import { readTarget, type Target } from './target.ts';
import { selectRevisions, selectTargets, type TargetRow } from './target-table.ts';

export interface TargetParts {
  database: Database;
  encryption: Encryption;
  observe: Observe;
}

export class DeliveryTargets {
  readonly #parts: TargetParts;
  #targets = new Map<number, Target | undefined>();
  #revisions = '';
  #subscriptionRevision = '';

  constructor(parts: TargetParts) {
    this.#parts = parts;
  }

  /** The target as last read; undefined if it was never read, or there is no such subscription. */
  get(key: number): Target | undefined {
    return this.#targets.get(key);
  }

  /** Whether the target was read. Also true if the read found no such subscription. */
  has(key: number): boolean {
    return this.#targets.has(key);
  }

  /** Null: it has no rate. Undefined: the target was not read. */
  rateOf(key: number): number | null | undefined {
    return this.#targets.has(key) ? (this.#targets.get(key)?.ratePerSecond ?? null) : undefined;
  }

  /** Whether the cache is from this revision of the subscriptions. */
  isCurrent(subscriptionRevision: string): boolean {
    return this.#subscriptionRevision === subscriptionRevision;
  }

  /** If anything has changed, or the cache is full, reads the `wanted` targets and drops all others. */
  async refresh(wanted: readonly number[]): Promise<void> {
    const [row] = await this.#parts.database.run(selectRevisions());
    const revisions = `${row?.subscriptions}/${row?.access}`;
    if (revisions === this.#revisions && this.#targets.size < targetsMax) return;
    this.#targets = await this.#read(wanted);
    this.#revisions = revisions;
    this.#subscriptionRevision = String(row?.subscriptions);
  }

  /**
   * Reads targets that are not cached. Unusable ones are read again: they may have become usable since the last
   * refresh.
   */
  async load(keys: Iterable<number>): Promise<void> {
    const wanted = [...keys];
    for (const key of wanted) if (this.#targets.get(key)?.isUsable === false) this.#targets.delete(key);
    for (let missing = this.#missingOf(wanted); missing.length > 0; missing = this.#missingOf(wanted)) {
      // If `refresh` replaces the cache during the read, the result goes to the old one, and the loop reads again.
      const targets = this.#targets;
      for (const [key, target] of await this.#read(missing)) targets.set(key, target);
    }
  }

  #missingOf(keys: readonly number[]): number[] {
    return keys.filter((key) => !this.#targets.has(key));
  }

  /**
   * If the secrets of one subscription cannot be decrypted, the others are still delivered. Only a change by SQL or a
   * different encryption key can cause this.
   */
  #readRow(row: TargetRow): Target {
    const { encryption, observe } = this.#parts;
    try {
      return readTarget(row, encryption);
    } catch (error) {
      observe({ kind: 'subscription.unreadable', subscription: Number(row.key), error: error as Error });
      return readTarget({ ...row, ...unreadable }, encryption);
    }
  }

  async #read(keys: readonly number[]): Promise<Map<number, Target | undefined>> {
    const targets = new Map<number, Target | undefined>(keys.map((key) => [key, undefined]));
    if (keys.length === 0) return targets;
    const rows = (await this.#parts.database.run(selectTargets(keys))) as unknown as TargetRow[];
    for (const row of rows) targets.set(Number(row.key), this.#readRow(row));
    return targets;
  }
}

/** Overrides for a row whose secrets cannot be decrypted. Its notifications are parked: not sent, and not lost. */
const unreadable = {
  webhook_password: null,
  headers_sealed: null,
  channel_secret_sealed: null,
  signing_secret_sealed: null,
  user_active: false,
};

const targetsMax = 20_000;
