// Decides when a notification is retried. Pure.

export interface RetrySchedule {
  /** How many attempts a notification gets. */
  attemptsMax: number;
  intervalMs: number;
}

/** `Retry-After` only lengthens the delay, and only up to this many intervals. */
const intervalsMost = 10;

/** Undefined: no attempts are left. `attempts` includes the one that has just failed. */
export function nextDelayMs(
  { attemptsMax, intervalMs }: RetrySchedule,
  attempts: number,
  retryAfterMs: number | undefined,
): number | undefined {
  if (attempts >= attemptsMax) return undefined;
  return Math.min(Math.max(intervalMs, retryAfterMs ?? 0), intervalsMost * intervalMs);
}
