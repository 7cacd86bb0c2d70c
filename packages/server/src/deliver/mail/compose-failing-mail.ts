// The mail to the owner of a subscription whose deliveries have been failing for long, while they are still retried.

import type { ChannelType } from '../../channel-types.ts';
import type { Mail } from '../../channels/mail/mail.ts';
import { channelRegistry } from '../../channels/registry/channel-registry.ts';
import { subscriptionPage } from '../../paths.ts';
import type { MailRow } from './mail-page.ts';
import { enumerate, renderCount, renderTime, shorten } from './mail-text.ts';
import { type NamedSubscription, nameSubscription } from './name-subscription.ts';
import { composeOwnerMail } from './owner-mail.ts';

export interface LongFailing {
  subscription: NamedSubscription & { eventTypes: readonly string[]; url: string; channelType: ChannelType };
  user: { name: string; email: string };
  failingSince: Date;
  lastError: string;
  /** How many notifications wait to be sent. */
  waiting: number;
  /** Of the notification whose attempts end first: how many there were, and when the next and the last one come. */
  attempts: number;
  nextAttemptAt: Date;
  lastAttemptAt: Date;
  /** Whether the subscription is deactivated if the last attempt fails. */
  isDeactivated: boolean;
  baseUrl: string;
}

export function composeFailingMail(failing: LongFailing): Mail {
  const { subscription, user, failingSince, isDeactivated, lastAttemptAt, baseUrl } = failing;
  const { key, eventTypes, channelType, url } = subscription;
  const receiver = channelRegistry[channelType].nameReceiver(url);
  return composeOwnerMail({
    // One mail for each period of failing.
    id: `failing-${key}-${failingSince.getTime() / 1000}`,
    subscriptionKey: key,
    owner: user,
    title: `Deliveries of ${enumerate(eventTypes)} to ${receiver} are failing`,
    opening:
      `Notifications of webhook subscription ${nameSubscription(subscription)} have not been delivered since ` +
      `${renderTime(failingSince)}. They are retried, and nothing is lost so far.`,
    tone: 'failing',
    badge: 'Failing',
    blocks: [
      { kind: 'table', rows: renderFacts(failing) },
      {
        kind: 'paragraph',
        text: isDeactivated
          ? `Please fix the receiver before ${renderTime(lastAttemptAt)}. If the last attempt fails, the ` +
            'subscription is deactivated, and nothing more is sent to this receiver.'
          : `Please fix the receiver before ${renderTime(lastAttemptAt)}. If the last attempt fails, this ` +
            'notification is given up, and the following ones are sent. The subscription stays active.',
      },
      {
        kind: 'remark',
        text:
          `All attempts and responses: ${subscriptionPage(baseUrl, key)}\n` +
          `Documentation: ${baseUrl}/docs#deliveries-fail`,
      },
    ],
    baseUrl,
  });
}

const errorMax = 500;

function renderFacts(failing: LongFailing): MailRow[] {
  const { subscription, failingSince, lastError, waiting, attempts, nextAttemptAt, lastAttemptAt } = failing;
  return [
    { label: 'Subscription', value: `${nameSubscription(subscription)} (${enumerate(subscription.eventTypes)})` },
    { label: 'Receiver', value: subscription.url },
    { label: 'Failing since', value: renderTime(failingSince) },
    { label: 'Last error', value: shorten(lastError, errorMax) },
    { label: 'Waiting', value: renderCount(waiting, 'notification') },
    { label: 'Attempts so far', value: String(attempts) },
    { label: 'Next attempt', value: renderTime(nextAttemptAt) },
    { label: 'Last attempt', value: `about ${renderTime(lastAttemptAt)}` },
  ];
}
