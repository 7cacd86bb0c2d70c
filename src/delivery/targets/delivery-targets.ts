// Where the notifications of each subscription go, in memory. Trusted only as long as nothing about subscriptions or users has
// changed: then all are asked for again, since they change seldom and are asked for at once.

import type { Encryption } from '../../auth/encryption/encryption.ts';
import type { Database } from '../../database/database.ts';
import type { Observe } from '../../observability/observation.ts';
import { readTarget, type Target } from './target.ts';
import { selectRevisions, selectTargets, type TargetRow } from './target-table.ts';

export class DeliveryTargets {
  readonly #database: Database;
  readonly #encryption: Encryption;
  readonly #observe: Observe;
  #targets = new Map<number, Target | undefined>();
  #seen = '';
  #subscriptionRevision = '';

  constructor(database: Database, encryption: Encryption, observe: Observe) {
    this.#database = database;
    this.#encryption = encryption;
    this.#observe = observe;
  }

  /** As it was last loaded; undefined where it never was, or there is no such subscription. */
  get(key: number): Target | undefined {
    return this.#targets.get(key);
  }

  has(key: number): boolean {
    return this.#targets.has(key);
  }

  /** Whether subscriptions are known as of this revision. */
  isCurrent(subscriptionRevision: string): boolean {
    return this.#subscriptionRevision === subscriptionRevision;
  }

  /** Where anything has changed, only `wanted` are known afterwards, as they are now. Answers whether something has. */
  async refresh(wanted: readonly number[]): Promise<boolean> {
    const [row] = await this.#database.run(selectRevisions());
    const seen = `${row?.subscriptions}/${row?.access}`;
    if (seen === this.#seen && this.#targets.size < targetsMax) return false;
    this.#targets = await this.#read(wanted);
    this.#seen = seen;
    this.#subscriptionRevision = String(row?.subscriptions);
    return true;
  }

  /** Loads those that are not known, and once more those that were not to be sent to: that may have changed, and would be found out late. */
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

  /** One whose secrets cannot be read, which only SQL or another key can bring about, holds up no other. */
  #open(row: TargetRow): Target {
    try {
      return readTarget(row, this.#encryption);
    } catch (error) {
      this.#observe({ kind: 'subscription.unreadable', subscription: Number(row.key), error: error as Error });
      return readTarget({ ...row, ...unreadable }, this.#encryption);
    }
  }

  async #read(keys: readonly number[]): Promise<Map<number, Target | undefined>> {
    const targets = new Map<number, Target | undefined>(keys.map((key) => [key, undefined]));
    if (keys.length === 0) return targets;
    const rows = (await this.#database.run(selectTargets(keys))) as unknown as TargetRow[];
    for (const row of rows) targets.set(Number(row.key), this.#open(row));
    return targets;
  }
}

/** What its own row cannot tell: nothing is sent, and nothing is lost. */
const unreadable = {
  webhook_password: null,
  signing_secret_sealed: null,
  previous_secret_sealed: null,
  user_active: false,
};

const targetsMax = 20_000;
