// Decides when a notification is retried. Pure.

export interface RetrySchedule {
  /** How many attempts a notification gets. */
  attemptsMax: number;
  /** From the start of one attempt to the start of the next. */
  intervalMs: number;
}

export interface FailedAttempt {
  /** How many attempts there were, including this one. */
  attempts: number;
  durationMs: number;
  /** What the receiver asked for, from the end of the attempt on. */
  retryAfterMs: number | undefined;
}

/** `Retry-After` only lengthens the delay, and only up to this many intervals. */
const intervalsMost = 10;

/** The delay from the end of the attempt. Undefined: no attempts are left. */
export function nextDelayMs(
  { attemptsMax, intervalMs }: RetrySchedule,
  { attempts, durationMs, retryAfterMs = 0 }: FailedAttempt,
): number | undefined {
  if (attempts >= attemptsMax) return undefined;
  return Math.min(Math.max(intervalMs - durationMs, retryAfterMs, 0), intervalsMost * intervalMs);
}
