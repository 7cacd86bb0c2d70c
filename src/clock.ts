// Time, as a dependency: tests hold it still, everything else uses `systemClock`.

export interface Clock {
  /** The time of day, for dates. It can step back and forth: nothing that measures a duration uses it. */
  now(): Date;
  /** For durations. Never steps; where it starts means nothing. */
  monotonicMs(): number;
}

export const systemClock: Clock = { now: () => new Date(), monotonicMs: () => performance.now() };

/** `yyyy-MM-ddTHH:mm:ss` in UTC, without a zone: the form of every date that leaves the service. */
export function renderDateTime(date: Date): string {
  return date.toISOString().slice(0, 19);
}
