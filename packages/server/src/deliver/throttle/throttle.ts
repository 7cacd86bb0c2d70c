// Keeps the attempts of each subscription within its rate. The slots of this process are reserved in the database, some
// at a time, and used from memory.

import type { Database } from '../../database/database.ts';
import { WorkLoop } from '../../database/work-loop.ts';
import type { Observe } from '../../observe/observation.ts';
import { type ReservedSlots, readReserved, reserveSlots, type WantedSlots } from './rate-table.ts';

export interface ThrottleParts {
  database: Database;
  observe: Observe;
  /** Slots of these subscriptions were reserved: ask again how long to wait. */
  onReserved(subscriptionKeys: readonly number[]): void;
}

/** Slots that follow each other at a rate. */
interface Grant {
  /** Null: the subscription has no rate any more. */
  readonly ratePerSecond: number | null;
  readonly intervalMs: number;
  left: number;
  /** The moment of the next slot, by `performance.now()`. */
  nextAt: number;
}

const subscriptionsAtOnce = 100;
const retryMs = 250;
/** A process makes up for at most this delay: the slots of other processes come on top. */
const lateMs = 250;
/** Later, other processes may have used slots that follow: new ones are reserved. */
const forgottenMs = 5_000;
const grantsMax = 20_000;

export class Throttle {
  readonly #parts: ThrottleParts;
  readonly #loop: WorkLoop;
  readonly #grants = new Map<number, Grant>();
  readonly #wanted = new Map<number, WantedSlots>();

  constructor(parts: ThrottleParts) {
    this.#parts = parts;
    this.#loop = new WorkLoop({
      round: () => this.#reserve(),
      pollEveryMs: retryMs,
      onError: (error) => parts.observe({ kind: 'delivery.failed', error }),
    });
    this.#loop.start();
  }

  /**
   * How long a subscription with a rate has to wait. 0: a slot is there, call `use`. Undefined: until slots are
   * reserved. `ready`: how many attempts it could start now.
   */
  waitMs(subscriptionKey: number, ready: number): number | undefined {
    const grant = this.#grants.get(subscriptionKey);
    const now = performance.now();
    if (!grant || now - grant.nextAt > forgottenMs) {
      this.#grants.delete(subscriptionKey);
      const unusedUntilMs = grant
        ? grant.nextAt + grant.left * grant.intervalMs - now
        : this.#wanted.get(subscriptionKey)?.unusedUntilMs;
      this.#wanted.set(subscriptionKey, { subscriptionKey, count: ready, unusedUntilMs });
      this.#loop.wake();
      return undefined;
    }
    dropLate(grant, now);
    return Math.max(0, grant.nextAt - now);
  }

  /** How many slots are there now, after `waitMs` returned 0. */
  due(subscriptionKey: number): number {
    const grant = this.#grants.get(subscriptionKey);
    if (!grant) return 0;
    if (grant.intervalMs === 0) return grant.left;
    return Math.min(grant.left, 1 + Math.floor((performance.now() - grant.nextAt) / grant.intervalMs));
  }

  use(subscriptionKey: number): void {
    const grant = this.#grants.get(subscriptionKey);
    if (!grant) return;
    grant.left -= 1;
    grant.nextAt += grant.intervalMs;
    if (grant.left === 0) this.#grants.delete(subscriptionKey);
  }

  /**
   * Drops the slots of subscriptions whose rate has changed, and returns their keys. `rateOf`: undefined if the rate is
   * not known.
   */
  dropChanged(rateOf: (subscriptionKey: number) => number | null | undefined): number[] {
    const changed: number[] = [];
    for (const [key, { ratePerSecond }] of this.#grants) {
      const rate = rateOf(key);
      if (rate !== undefined && rate !== ratePerSecond) changed.push(key);
    }
    for (const key of changed) this.#grants.delete(key);
    return changed;
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
  }

  async #reserve(): Promise<boolean> {
    const wanted = [...this.#wanted.keys()].slice(0, subscriptionsAtOnce);
    if (wanted.length === 0) return false;
    const rows = await this.#parts.database.run(reserveSlots(wanted.map((key) => this.#wanted.get(key)!)));
    const reserved = new Map(rows.map(readReserved).map((each) => [each.subscriptionKey, each]));
    for (const key of wanted) this.#grant(key, reserved.get(key));
    this.#parts.onReserved(wanted);
    return this.#wanted.size > 0;
  }

  #grant(subscriptionKey: number, reserved: ReservedSlots | undefined): void {
    const now = performance.now();
    const { count } = this.#wanted.get(subscriptionKey)!;
    this.#wanted.delete(subscriptionKey);
    const [oldest] = this.#grants.keys();
    if (this.#grants.size >= grantsMax) this.#grants.delete(oldest!);
    this.#grants.set(
      subscriptionKey,
      reserved
        ? {
            ratePerSecond: reserved.ratePerSecond,
            intervalMs: 1_000 / reserved.ratePerSecond,
            left: reserved.count,
            nextAt: now + reserved.delayMs,
          }
        : { ratePerSecond: null, intervalMs: 0, left: count, nextAt: now },
    );
  }
}

/** One is left in any case: where places are scarce, each new slot could be too late again. */
function dropLate(grant: Grant, now: number): void {
  const late = Math.ceil((now - lateMs - grant.nextAt) / grant.intervalMs);
  if (!(late > 0)) return;
  const dropped = Math.min(late, grant.left - 1);
  grant.left -= dropped;
  grant.nextAt += dropped * grant.intervalMs;
}
