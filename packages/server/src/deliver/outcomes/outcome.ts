// The outcome of one attempt, and what follows from it.

import type { SendResult } from '../../channels/send-result.ts';
import {
  type RetryPolicy,
  type RetrySettings,
  scheduleOf,
  sendableDays,
  spanAfter,
} from '../../subscriptions/channel/retry-policy.ts';
import type { ReadyNotification } from '../queue/ready-notification.ts';
import { nextDelayMs } from './retry-schedule.ts';

export interface Attempt {
  readonly startedAt: Date;
  readonly durationMs: number;
  /** By `performance.now()`. */
  readonly endedAtMs: number;
  readonly result: SendResult;
}

export type Outcome =
  | AttemptOutcome
  /** Not attempted: any worker may claim it next, or it waits until its user is active again. */
  | { readonly kind: 'released' | 'parked'; readonly notification: ReadyNotification }
  /** The subscription has ended or was deactivated: the notification fails without an attempt. */
  | { readonly kind: 'ended'; readonly notification: ReadyNotification; readonly reason: string };

export type AttemptOutcome = { readonly notification: ReadyNotification; readonly attempt: Attempt } & (
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly error: string; readonly delayMs: number }
  /** The last attempt. */
  | { readonly kind: 'failure'; readonly error: string }
  /** A fault of the service: sent later, and not counted as an attempt. */
  | { readonly kind: 'postponed'; readonly delayMs: number }
);

export type Retry = AttemptOutcome & { kind: 'retry' };
export type LastFailure = AttemptOutcome & { kind: 'failure' };

export function judgeAttempt(
  notification: ReadyNotification,
  attempt: Attempt,
  retryPolicy: RetryPolicy | null,
  settings: RetrySettings,
): AttemptOutcome {
  const { result } = attempt;
  if (result.kind === 'delivered') return { kind: 'delivered', notification, attempt };
  if (result.kind === 'ownFault')
    return { kind: 'postponed', notification, attempt, delayMs: settings.deliveryIntervalMs };
  const { durationMs } = attempt;
  const attempts = notification.attempts + 1;
  const schedule = scheduleOf(retryPolicy, settings);
  const leftMs = endOf(notification, settings) - (attempt.startedAt.getTime() + durationMs);
  const delayMs = nextDelayMs(schedule, { attempts, durationMs, retryAfterMs: result.retryAfterMs, leftMs });
  const failed = { notification, attempt, error: result.reason };
  return delayMs === undefined ? { kind: 'failure', ...failed } : { kind: 'retry', ...failed, delayMs };
}

/** When a failed notification is tried again, and when for the last time if all attempts fail. For the log. */
export function retryTimes(
  { notification, attempt, delayMs }: Retry,
  retryPolicy: RetryPolicy | null,
  settings: RetrySettings,
): { nextAttempt: string; lastAttempt: string } {
  const nextMs = attempt.startedAt.getTime() + attempt.durationMs + delayMs;
  const restMs = spanAfter(scheduleOf(retryPolicy, settings), notification.attempts + 2);
  const lastMs = Math.max(nextMs, Math.min(nextMs + restMs, endOf(notification, settings)));
  return { nextAttempt: new Date(nextMs).toISOString(), lastAttempt: new Date(lastMs).toISOString() };
}

/** For the last attempt, before the body is removed: without one, the notification fails and nobody is told. */
const lastAttemptMs = 10 * 60_000;

/** `Retry-After`, faults of the service and a rate can make retries longer than their schedule. */
function endOf({ createdDate }: ReadyNotification, settings: RetrySettings): number {
  return Date.parse(`${createdDate.replace(' ', 'T')}Z`) + sendableDays(settings) * 86_400_000 - lastAttemptMs;
}

export interface RenderedAttempt {
  date: string;
  durationMs: number;
  statusCode: number | null;
  answer: string | null;
  error: string | null;
}

/** As stored in the log of the notification. */
export function renderAttempt({ startedAt, durationMs, result }: Attempt): RenderedAttempt {
  const { statusCode, answer } = result.kind === 'ownFault' ? { statusCode: null, answer: null } : result;
  const error = result.kind === 'delivered' ? null : result.reason;
  return { date: startedAt.toISOString(), durationMs: Math.round(durationMs), statusCode, answer, error };
}
