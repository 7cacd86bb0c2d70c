// Decides how many events the next batch claims. The size adapts so that batches stay short in time and small in
// memory. Only computes; it does no I/O.

const eventsMost = 250;
const eventsFirst = 50;
const durationWantedMs = 75;
const bytesWanted = 4_000_000;

export interface BatchCost {
  events: number;
  notifications: number;
  bytes: number;
  durationMs: number;
}

/**
 * Objects that a batch allocates should be collected young. In larger batches most of them survive into V8's old
 * generation, where collecting them is expensive.
 */
const notificationsWanted = 1_000;

export class BatchSize {
  #events = eventsFirst;

  get eventsMax(): number {
    return this.#events;
  }

  adapt({ events, notifications, bytes, durationMs }: BatchCost): void {
    const load = Math.max(durationMs / durationWantedMs, bytes / bytesWanted, notifications / notificationsWanted);
    if (load > 1) this.#events = atLeastOne(Math.floor(events / Math.min(load, 4)));
    else if (events === this.#events && load < 0.5) this.#events = Math.min(eventsMost, this.#events * 2);
  }

  /** One event of the batch cannot be matched. Halving the batch repeatedly isolates that event. */
  shrink(): void {
    this.#events = atLeastOne(Math.floor(this.#events / 2));
  }

  recover(): void {
    this.#events = eventsFirst;
  }
}

function atLeastOne(count: number): number {
  return Math.max(1, count);
}
