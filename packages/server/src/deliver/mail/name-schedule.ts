// How mails name a retry policy, or the settings that hold without one.

import type { RetrySchedule } from '../../subscriptions/channel/retry-policy.ts';
import { renderCount, renderDuration } from './mail-text.ts';

/** `5 attempts, 1 minute apart`. */
export function nameSchedule({ attemptsMax, intervalMs, isExponential, intervalMaxMs }: RetrySchedule): string {
  const attempts = renderCount(attemptsMax, 'attempt');
  if (attemptsMax === 1) return attempts;
  if (!isExponential) return `${attempts}, ${renderDuration(intervalMs)} apart`;
  const most = renderDuration(intervalMaxMs);
  return `${attempts}, the first two ${renderDuration(intervalMs)} apart, then twice as long each time, up to ${most}`;
}
