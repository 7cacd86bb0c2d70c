// The actions of subscriptions that delivery answers, by `<type>.<action>`.

import { type ActionHandler, onObject } from '../objects/action-call.ts';
import { type PingParts, pingSubscription } from './ping-subscription.ts';
import { rotateSigningSecret } from './rotate-signing-secret.ts';
import { sendFailedNotifications } from './send-failed-notifications.ts';

export function deliveryActions(parts: PingParts): Map<string, ActionHandler> {
  return new Map<string, ActionHandler>([
    ['WebhookSubscription.rotateSecret', onObject((call) => rotateSigningSecret(parts, call))],
    ['WebhookSubscription.ping', onObject((call) => pingSubscription(parts, call))],
    ['WebhookSubscription.sendFailedNotifications', (call) => sendFailedNotifications(parts, call)],
  ]);
}
