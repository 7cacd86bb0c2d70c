// When a notification is tried again, computed as the service does it, but without the random part.

import type { RetryPolicy } from '../../api-subscription.ts';

export interface Schedule {
  /** Seconds from the first attempt, which is at 0. */
  attempts: readonly number[];
}

/** More than the service allows are not drawn. */
const attemptsMax = 100;
const longestIntervalSeconds = 86_400;

/** `fallback`: what holds for what the policy does not say. Undefined if the numbers make no sense. */
export function scheduleOf(
  policy: RetryPolicy | null,
  fallback: Required<Pick<RetryPolicy, 'attempts' | 'intervalSeconds'>>,
): Schedule | undefined {
  const attempts = Number(policy?.attempts ?? fallback.attempts);
  const interval = Number(policy?.intervalSeconds ?? fallback.intervalSeconds);
  const isExponential = policy?.backoff === 'EXPONENTIAL';
  const longest = isExponential ? Number(policy?.maxIntervalSeconds ?? longestIntervalSeconds) : Infinity;
  const isValid = Number.isInteger(attempts) && attempts >= 1 && attempts <= attemptsMax && interval > 0 && longest > 0;
  if (!isValid) return undefined;
  const times = [0];
  for (let attempt = 1; attempt < attempts; attempt += 1) {
    const wait = Math.min(isExponential ? interval * 2 ** (attempt - 1) : interval, longest);
    times.push(times.at(-1)! + wait);
  }
  return { attempts: times };
}
