// How many events the next batch takes: as many as keep it short and small. Pure bookkeeping.

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

/** What a batch makes should die young: of larger ones most survives into the old heap, and is dear to collect. */
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

  /** One of the events cannot be matched; halves find it. */
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
