// Makes the first notification about each ordered object ready. An object is added after a notification about it was
// stored, delivered or failed, always after COMMIT: of two such transactions, the promotion after the later one sees
// both. What is lost with a process is found by the sweep (`head-sweep-loop.ts`).

import type { Database } from '../../database/database.ts';
import { WorkLoop } from '../../database/work-loop.ts';
import type { Observe } from '../../observe/observation.ts';
import { type HeadRow, type OrderedObject, promoteHeads } from './order-table.ts';

export interface HeadPromoterParts {
  database: Database;
  observe: Observe;
  /** Called when notifications are ready to be sent. */
  onPromoted(): void;
  wakeStreams(subscriptionKeys: Iterable<number>): void;
}

/** How soon to look again at a head that waits for an earlier event to be matched or shaped. */
const pollEveryMs = 100;
const objectsAtOnce = 1_000;
/** Beyond this, the sweep finds them. */
const objectsMax = 50_000;

export class HeadPromoter {
  readonly #parts: HeadPromoterParts;
  readonly #loop: WorkLoop;
  #due = new Map<string, OrderedObject>();
  /** Objects with a head that could not be promoted yet. */
  #waiting = new Map<string, OrderedObject>();
  #triedAt = 0;

  constructor(parts: HeadPromoterParts) {
    this.#parts = parts;
    this.#loop = new WorkLoop({
      round: () => this.#round(),
      pollEveryMs,
      onError: (error) => parts.observe({ kind: 'delivery.failed', error }),
    });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  add(objects: readonly OrderedObject[]): void {
    if (objects.length === 0) return;
    for (const object of objects) if (this.#due.size < objectsMax) this.#due.set(nameOf(object), object);
    this.#loop.wake();
  }

  /** Returns the objects with a head that is still blocked. */
  async promote(objects: readonly OrderedObject[]): Promise<OrderedObject[]> {
    const rows = (await this.#parts.database.run(promoteHeads(objects))) as unknown as HeadRow[];
    const blocked = rows.filter(({ is_promoted }) => !is_promoted);
    if (blocked.length < rows.length) this.#parts.onPromoted();
    const streamed = rows.filter(({ is_promoted, is_streamed }) => is_promoted && is_streamed);
    if (streamed.length > 0) this.#parts.wakeStreams(streamed.map((row) => Number(row.subscription_key)));
    return blocked.map(({ subscription_key, ordered_object }) => ({
      subscriptionKey: Number(subscription_key),
      orderedObject: Number(ordered_object),
    }));
  }

  async #round(): Promise<boolean> {
    this.#retryWaiting();
    const names = [...this.#due.keys()].slice(0, objectsAtOnce);
    if (names.length === 0) return false;
    const objects = names.map((name) => this.#due.get(name)!);
    // An object that is added during the statement is looked at again.
    for (const name of names) this.#due.delete(name);
    try {
      for (const object of await this.promote(objects))
        if (this.#waiting.size < objectsMax) this.#waiting.set(nameOf(object), object);
    } catch (error) {
      this.add(objects);
      throw error;
    }
    return this.#due.size > 0;
  }

  #retryWaiting(): void {
    const now = performance.now();
    if (this.#waiting.size === 0 || now - this.#triedAt < pollEveryMs) return;
    this.#triedAt = now;
    for (const [name, object] of this.#waiting) this.#due.set(name, object);
    this.#waiting.clear();
  }
}

function nameOf({ subscriptionKey, orderedObject }: OrderedObject): string {
  return `${subscriptionKey} ${orderedObject}`;
}
