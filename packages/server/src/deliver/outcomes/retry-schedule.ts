// Decides when a notification is tried again. Pure.

import { intervalAfter, jitterMax, type RetrySchedule } from '../../subscriptions/channel/retry-policy.ts';

export interface FailedAttempt {
  /** How many attempts there were, including this one. */
  attempts: number;
  durationMs: number;
  /** What the receiver asked for, from the end of the attempt on. */
  retryAfterMs: number | undefined;
  /** How long the notification can still be sent. */
  leftMs: number;
}

/** `Retry-After` only lengthens the delay, and only up to this many intervals. */
const intervalsMost = 10;
const delayMaxMs = 30 * 86_400_000;

/** The delay from the end of the attempt. Undefined: no attempts are left. `random`: from 0 to 1. */
export function nextDelayMs(
  schedule: RetrySchedule,
  { attempts, durationMs, retryAfterMs = 0, leftMs }: FailedAttempt,
  random = Math.random(),
): number | undefined {
  if (attempts >= schedule.attemptsMax || leftMs <= 0) return undefined;
  const plainMs = intervalAfter(schedule, attempts);
  const intervalMs = schedule.isExponential ? plainMs * (1 + jitterMax * random) : plainMs;
  const delayMs = Math.max(intervalMs - durationMs, retryAfterMs, 0);
  return Math.min(delayMs, intervalsMost * intervalMs, delayMaxMs, leftMs);
}
