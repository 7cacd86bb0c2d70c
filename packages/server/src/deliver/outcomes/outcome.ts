// The outcome of one attempt, and what follows from it.

import type { SendResult } from '../../channels/send-result.ts';
import type { ReadyNotification } from '../queue/ready-notification.ts';
import { nextDelayMs, type RetrySchedule } from './retry-schedule.ts';

export interface Attempt {
  readonly startedAt: Date;
  readonly durationMs: number;
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
  schedule: RetrySchedule,
): AttemptOutcome {
  const { result } = attempt;
  if (result.kind === 'delivered') return { kind: 'delivered', notification, attempt };
  if (result.kind === 'ownFault') return { kind: 'postponed', notification, attempt, delayMs: schedule.intervalMs };
  const { durationMs } = attempt;
  const attempts = notification.attempts + 1;
  const delayMs = nextDelayMs(schedule, { attempts, durationMs, retryAfterMs: result.retryAfterMs });
  const failed = { notification, attempt, error: result.reason };
  return delayMs === undefined ? { kind: 'failure', ...failed } : { kind: 'retry', ...failed, delayMs };
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
