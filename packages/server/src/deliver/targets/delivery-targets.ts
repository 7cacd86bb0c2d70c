// Caches where the notifications of each subscription go. The cache is valid until something about subscriptions or
// users changes. Then the targets in use are read again in one query, because such changes are rare.

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

  /** As last loaded; undefined if it was never loaded, or there is no such subscription. */
  get(key: number): Target | undefined {
    return this.#targets.get(key);
  }

  has(key: number): boolean {
    return this.#targets.has(key);
  }

  /** Whether the targets are as of this revision of the subscriptions. */
  isCurrent(subscriptionRevision: string): boolean {
    return this.#subscriptionRevision === subscriptionRevision;
  }

  /** If anything has changed, or the cache is full, reads `wanted` and forgets all others. */
  async refresh(wanted: readonly number[]): Promise<void> {
    const [row] = await this.#parts.database.run(selectRevisions());
    const revisions = `${row?.subscriptions}/${row?.access}`;
    if (revisions === this.#revisions && this.#targets.size < targetsMax) return;
    this.#targets = await this.#read(wanted);
    this.#revisions = revisions;
    this.#subscriptionRevision = String(row?.subscriptions);
  }

  /**
   * Loads targets that are not cached. Unusable targets are loaded again: they may have become usable, which would
   * otherwise be noticed late.
   */
  async load(keys: Iterable<number>): Promise<void> {
    const wanted = [...keys];
    for (const key of wanted) if (this.#targets.get(key)?.isUsable === false) this.#targets.delete(key);
    for (let unknown = this.#unknownOf(wanted); unknown.length > 0; unknown = this.#unknownOf(wanted)) {
      const targets = this.#targets;
      for (const [key, target] of await this.#read(unknown)) targets.set(key, target);
    }
  }

  #unknownOf(keys: readonly number[]): number[] {
    return keys.filter((key) => !this.#targets.has(key));
  }

  /** A subscription with unreadable secrets delays no other. Only SQL or another encryption key can cause this. */
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

/** Replaces columns of a row with unreadable secrets. Its notifications are parked: none is sent, and none is lost. */
const unreadable = { webhook_password: null, signing_secret_sealed: null, user_active: false };

const targetsMax = 20_000;
