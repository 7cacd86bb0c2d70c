// The time of day, as a dependency: tests hold it still, everything else uses `systemClock`.

export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** `yyyy-MM-ddTHH:mm:ss` in UTC, without a zone: the form of every date that leaves the service. */
export function renderDateTime(date: Date): string {
  return date.toISOString().slice(0, 19);
}
