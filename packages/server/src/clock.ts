// Time as a dependency. Tests use a clock that they control; everything else uses `systemClock`.

export interface Clock {
  /** The wall clock, for dates. It can step in both directions, so no duration is measured with it. */
  now(): Date;
  /** For durations. It never steps, and its starting point has no meaning. */
  monotonicMs(): number;
}

export const systemClock: Clock = { now: () => new Date(), monotonicMs: () => performance.now() };

/** `yyyy-MM-ddTHH:mm:ss` in UTC, without a zone: the format of every date that the service sends. */
export function renderDateTime(date: Date): string {
  return date.toISOString().slice(0, 19);
}
