// The actions on subscriptions and notifications that delivery implements: a map from `<type>.<action>` to the handler.

import { type ActionHandler, onObject } from '../objects/action-call.ts';
import { RateBuckets } from '../rate-buckets.ts';
import { type PingParts, pingSubscription, pingsPerMinute } from './ping/ping-subscription.ts';
import { replayNotifications } from './resend/replay-notifications.ts';
import { type FilterResendParts, resendByFilter } from './resend/resend-by-filter.ts';
import { sendFailedNotifications } from './resend/send-failed-notifications.ts';
import { rotateSigningSecret } from './targets/rotate-signing-secret.ts';

export function deliveryActions(
  dependencies: Omit<PingParts, 'pingRate'> & FilterResendParts,
): Map<string, ActionHandler> {
  const pingRate = new RateBuckets({ capacity: pingsPerMinute, refillMs: 60_000, clock: dependencies.clock });
  const parts = { ...dependencies, pingRate };
  return new Map<string, ActionHandler>([
    ['WebhookSubscription.rotateSecret', onObject((call) => rotateSigningSecret(parts, call))],
    ['WebhookSubscription.ping', onObject((call) => pingSubscription(parts, call))],
    ['WebhookSubscription.sendFailedNotifications', (call) => sendFailedNotifications(parts, call)],
    ['WebhookSubscription.replay', onObject((call) => replayNotifications(parts, call))],
    ['WebhookNotification.resend', (call) => resendByFilter(parts, call)],
  ]);
}
