// When a notification is tried again. Pure.

export interface RetrySchedule {
  /** How many attempts a notification gets. */
  attemptsMax: number;
  intervalMs: number;
}

/** What a receiver asks for only lengthens the wait, and not for ever. */
const intervalsMost = 10;

/** Undefined: that was the last one. `attempts`: with the one that has just failed. */
export function nextDelayMs(
  { attemptsMax, intervalMs }: RetrySchedule,
  attempts: number,
  retryAfterMs: number | undefined,
): number | undefined {
  if (attempts >= attemptsMax) return undefined;
  return Math.min(Math.max(intervalMs, retryAfterMs ?? 0), intervalsMost * intervalMs);
}
