// The headers of an attempt, without the signature, which needs the secret.

import { parseTime } from '../../elements/time.tsx';
import { type Attempt, eventName, type Notification } from './notification.ts';
import type { Subscription } from './subscription-of.ts';

interface AttemptParts {
  attempt: Attempt | undefined;
  number: number;
  subscription: Subscription | undefined;
}

/** The time that an attempt signs: when it started, in whole seconds. */
export function timestampOf({ date }: Pick<Attempt, 'date'>): number {
  return Math.floor(parseTime(date).getTime() / 1_000);
}

/** The number of the attempt counts from the first one; after a resend, the service counts from 1 again. */
export function requestHeaders(notification: Notification, parts: AttemptParts): [string, string][] {
  const { attempt, number, subscription } = parts;
  return [
    ['content-type', notification.contentType ?? 'application/json'],
    ['webhook-id', notification.id],
    ...(attempt ? [['webhook-timestamp', String(timestampOf(attempt))] as [string, string]] : []),
    ['flaghoist-event', `${eventName(notification)}.${notification.objectKey}`],
    ['flaghoist-sequence', String(notification.sequence)],
    ['flaghoist-subscription', String(notification.subscription.key)],
    ['flaghoist-attempt', String(number)],
    ...Object.entries(subscription?.headers ?? {}),
  ];
}
