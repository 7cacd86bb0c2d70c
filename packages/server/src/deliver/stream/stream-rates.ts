// Keeps streams within the rate of their subscriptions, over all processes: how many notifications may be sent now.

import type { Database } from '../../database/database.ts';
import type { Observe } from '../../observe/observation.ts';
import type { DeliveryTargets } from '../targets/delivery-targets.ts';
import { Throttle } from '../throttle/throttle.ts';

export interface StreamRatesParts {
  database: Database;
  observe: Observe;
  targets: DeliveryTargets;
  /** These subscriptions may send again. */
  onAllowed(subscriptionKeys: readonly number[]): void;
}

const reservedAtOnce = 100;

export class StreamRates {
  readonly #parts: StreamRatesParts;
  readonly #throttle: Throttle;
  /** Of the next slots, by subscription. */
  readonly #timers = new Map<number, NodeJS.Timeout>();

  constructor(parts: StreamRatesParts) {
    this.#parts = parts;
    const { database, observe, onAllowed } = parts;
    this.#throttle = new Throttle({ database, observe, onReserved: onAllowed });
  }

  /**
   * How many may be sent now; call `use` for those that are sent. 0: `onAllowed` is called when there is a slot.
   * Undefined: slots are being reserved, and `onAllowed` is called in a moment.
   */
  allowed(subscriptionKey: number): number | undefined {
    if (!this.#hasRate(subscriptionKey)) return Number.MAX_SAFE_INTEGER;
    const waitMs = this.#throttle.waitMs(subscriptionKey, reservedAtOnce);
    if (waitMs === 0) return this.#throttle.due(subscriptionKey);
    if (waitMs === undefined) return undefined;
    this.#waitFor(subscriptionKey, waitMs);
    return 0;
  }

  use(subscriptionKey: number, count: number): void {
    if (!this.#hasRate(subscriptionKey)) return;
    for (let used = 0; used < count; used += 1) this.#throttle.use(subscriptionKey);
  }

  /** Call when targets were read. */
  noteChangedRates(): void {
    const { targets, onAllowed } = this.#parts;
    const changed = this.#throttle.dropChanged((key) => targets.rateOf(key));
    if (changed.length > 0) onAllowed(changed);
  }

  stop(): Promise<void> {
    return this.#throttle.stop();
  }

  #hasRate(subscriptionKey: number): boolean {
    return (this.#parts.targets.rateOf(subscriptionKey) ?? null) !== null;
  }

  /** The rate may have been raised since an earlier timer was set. */
  #waitFor(subscriptionKey: number, waitMs: number): void {
    clearTimeout(this.#timers.get(subscriptionKey));
    const end = () => {
      this.#timers.delete(subscriptionKey);
      this.#parts.onAllowed([subscriptionKey]);
    };
    this.#timers.set(subscriptionKey, setTimeout(end, Math.ceil(waitMs)).unref());
  }
}
