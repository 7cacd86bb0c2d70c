// The retry policy of a subscription: reads what was sent, and computes the intervals. Pure.

import type { JsonValue } from '../../json/parse-json.ts';
import { retryPolicyMembers } from '../../model/catalogue/channel-settings.ts';
import { membersOf } from '../../model/catalogue/member-schema.ts';
import { checkMembers } from '../../objects/check-members.ts';
import { nameOf } from '../../objects/check-scalar.ts';
import type { Mistake } from '../../objects/mistake.ts';

/** As stored. The settings fill in what is missing. */
export interface RetryPolicy {
  readonly attempts?: number;
  readonly intervalSeconds?: number;
  readonly backoff: 'FIXED' | 'EXPONENTIAL';
  readonly maxIntervalSeconds: number;
}

export interface RetrySchedule {
  /** How many attempts a notification gets. */
  attemptsMax: number;
  /** From the start of the first attempt to the start of the second one. */
  intervalMs: number;
  /** Whether the interval doubles after each attempt. */
  isExponential: boolean;
  intervalMaxMs: number;
}

/** The settings that hold for a subscription without a policy. */
export interface RetrySettings {
  deliveryAttempts: number;
  deliveryIntervalMs: number;
  /** A notification cannot be sent any more when its body or its record is gone. */
  bodyRetentionDays: number;
  notificationRetentionDays: number;
}

export function sendableDays({ bodyRetentionDays, notificationRetentionDays }: RetrySettings): number {
  return Math.min(bodyRetentionDays, notificationRetentionDays);
}

/** How much is added to an interval that doubles, so that notifications that failed together are not tried together. */
export const jitterMax = 0.2;

export function scheduleOf(policy: RetryPolicy | null, settings: RetrySettings): RetrySchedule {
  const { attempts, intervalSeconds, backoff, maxIntervalSeconds } = policy ?? {};
  return {
    attemptsMax: attempts ?? settings.deliveryAttempts,
    intervalMs: intervalSeconds === undefined ? settings.deliveryIntervalMs : intervalSeconds * 1_000,
    isExponential: backoff === 'EXPONENTIAL',
    intervalMaxMs: backoff === 'EXPONENTIAL' ? maxIntervalSeconds! * 1_000 : Number.POSITIVE_INFINITY,
  };
}

/** From the start of this attempt to the start of the next one, without jitter. `attempts`: 1 for the first. */
export function intervalAfter({ intervalMs, isExponential, intervalMaxMs }: RetrySchedule, attempts: number): number {
  return Math.min(isExponential ? intervalMs * 2 ** (attempts - 1) : intervalMs, intervalMaxMs);
}

/** From the start of this attempt to the start of the last one, without jitter. */
export function spanAfter(schedule: RetrySchedule, attempts: number): number {
  let spanMs = 0;
  for (let attempt = attempts; attempt < schedule.attemptsMax; attempt += 1) spanMs += intervalAfter(schedule, attempt);
  return spanMs;
}

export interface ReadRetryPolicy {
  /** Null: none any more. Undefined: not sent, or not valid. */
  policy: RetryPolicy | null | undefined;
  mistakes: Mistake[];
}

const members = membersOf(retryPolicyMembers);
const spanDaysMax = 30;

export function readRetryPolicy(sent: JsonValue | undefined, settings: RetrySettings): ReadRetryPolicy {
  if (sent === undefined || sent === null) return { policy: sent, mistakes: [] };
  if (!(sent instanceof Map))
    return {
      policy: undefined,
      mistakes: [{ name: 'retryPolicy', message: `must be an object, not ${nameOf(sent)}.` }],
    };
  const sentMembers = new Map([...sent].filter(([, value]) => value !== null));
  const { given, mistakes } = checkMembers(members, sentMembers, 'is not part of a retry policy.');
  if (mistakes.length > 0) return { policy: undefined, mistakes: mistakes.map(atPolicy) };
  const policy = Object.fromEntries(
    [...given].map(([name, value]) => [name, name === 'backoff' ? value : Number(value)]),
  ) as unknown as RetryPolicy;
  const daysMax = Math.min(spanDaysMax, sendableDays(settings));
  const longest = policy.backoff === 'EXPONENTIAL' ? 1 + jitterMax : 1;
  const days = (longest * spanAfter(scheduleOf(policy, settings), 1)) / 86_400_000;
  if (days <= daysMax) return { policy, mistakes: [] };
  const message =
    `takes up to ${Math.ceil(days)} days from the first attempt to the last one, and may take ${daysMax}. ` +
    'Choose fewer attempts or shorter intervals.';
  return { policy: undefined, mistakes: [{ name: 'retryPolicy', message }] };
}

function atPolicy({ name, message }: Mistake): Mistake {
  return { name: `retryPolicy.${name}`, message };
}
