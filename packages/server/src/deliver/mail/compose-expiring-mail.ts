// The mail to the owner of a streamed subscription whose notifications nobody has fetched for long.

import type { Mail } from '../../channels/mail/mail.ts';
import { subscriptionPage } from '../../paths.ts';
import { enumerate, renderCount, renderDay, renderTime } from './mail-text.ts';
import { type NamedSubscription, nameSubscription } from './name-subscription.ts';
import { composeOwnerMail } from './owner-mail.ts';

export interface ExpiringStream {
  subscription: NamedSubscription & { eventTypes: readonly string[] };
  user: { name: string; email: string };
  /** How many notifications were not acknowledged, and since when the oldest of them has waited. */
  waiting: number;
  oldest: Date;
  /** The first day on which it can no longer be fetched. */
  expires: Date;
  baseUrl: string;
}

export function composeExpiringMail({ subscription, user, waiting, oldest, expires, baseUrl }: ExpiringStream): Mail {
  const { key, eventTypes } = subscription;
  return composeOwnerMail({
    // One mail each time that the consumer falls behind.
    id: `expiring-${key}-${oldest.getTime() / 1000}`,
    subscriptionKey: key,
    owner: user,
    title: `Nobody fetches the notifications of ${enumerate(eventTypes)}`,
    opening:
      `${renderCount(waiting, 'notification')} of webhook subscription ${nameSubscription(subscription)} ` +
      `${waiting === 1 ? 'waits' : 'wait'} to be acknowledged, the oldest since ${renderTime(oldest)}. ` +
      'Nothing is lost so far.',
    tone: 'failing',
    badge: 'Not fetched',
    blocks: [
      {
        kind: 'table',
        rows: [
          { label: 'Subscription', value: `${nameSubscription(subscription)} (${enumerate(eventTypes)})` },
          { label: 'Waiting', value: renderCount(waiting, 'notification') },
          { label: 'Oldest', value: renderTime(oldest) },
          { label: 'Expires', value: renderDay(expires) },
        ],
      },
      {
        kind: 'paragraph',
        text:
          `Please start its consumer before ${renderDay(expires)}, and see that it acknowledges. From that day on, ` +
          'the oldest notifications fail, and can no longer be fetched or sent again. If nobody needs them, ' +
          'unsubscribe.',
      },
      {
        kind: 'remark',
        text: `All notifications: ${subscriptionPage(baseUrl, key)}\n` + `Documentation: ${baseUrl}/docs#receive`,
      },
    ],
    baseUrl,
  });
}
