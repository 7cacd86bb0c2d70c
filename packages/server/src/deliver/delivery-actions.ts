// Handlers of the subscription actions that delivery implements, by `<type>.<action>`.

import { type ActionHandler, onObject } from '../objects/action-call.ts';
import { RateBuckets } from '../rate-buckets.ts';
import { type PingParts, pingSubscription, pingsPerMinute } from './ping/ping-subscription.ts';
import { sendFailedNotifications } from './resend/send-failed-notifications.ts';
import { rotateSigningSecret } from './targets/rotate-signing-secret.ts';

export function deliveryActions(given: Omit<PingParts, 'pingRate'>): Map<string, ActionHandler> {
  const pingRate = new RateBuckets({ capacity: pingsPerMinute, refillMs: 60_000, clock: given.clock });
  const parts = { ...given, pingRate };
  return new Map<string, ActionHandler>([
    ['WebhookSubscription.rotateSecret', onObject((call) => rotateSigningSecret(parts, call))],
    ['WebhookSubscription.ping', onObject((call) => pingSubscription(parts, call))],
    ['WebhookSubscription.sendFailedNotifications', (call) => sendFailedNotifications(parts, call)],
  ]);
}
