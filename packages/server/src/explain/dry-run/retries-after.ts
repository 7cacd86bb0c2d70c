// The retries that would follow if a first attempt failed now. Pure.

import { channelTypes, isChannelType } from '../../channel-types.ts';
import { renderDateTime } from '../../clock.ts';
import {
  intervalAfter,
  type RetryPolicy,
  type RetrySettings,
  scheduleOf,
  spanAfter,
} from '../../subscriptions/channel/retry-policy.ts';

export interface Retries {
  /** Including the first one. */
  attempts: number;
  /** Null: there is only one attempt. */
  nextAttemptDate: string | null;
  lastAttemptDate: string | null;
}

export interface Retried {
  channelType: string;
  retryPolicy: RetryPolicy | null;
}

/** Null if the channel has no retries. Jitter, and what a receiver asks for with `Retry-After`, come on top. */
export function retriesAfter(
  { channelType, retryPolicy }: Retried,
  settings: RetrySettings,
  firstAttempt: Date,
): Retries | null {
  if (!isChannelType(channelType) || !channelTypes[channelType].uses.includes('retryPolicy')) return null;
  const schedule = scheduleOf(retryPolicy, settings);
  const { attemptsMax: attempts } = schedule;
  const after = (ms: number) => (attempts > 1 ? renderDateTime(new Date(firstAttempt.getTime() + ms)) : null);
  return {
    attempts,
    nextAttemptDate: after(intervalAfter(schedule, 1)),
    lastAttemptDate: after(spanAfter(schedule, 1)),
  };
}
