// What `ensureSubscription` takes and answers.

import type { Catalogue } from '../catalogue.ts';
import type { Whole } from '../objects/default-views.ts';
import type { Versioned } from '../objects/versioned.ts';

/** What the subscription is to be. An attribute that is left out has its default. */
export type SubscriptionWish = Omit<
  Catalogue['WebhookSubscription']['create'],
  'name' | 'replaces' | 'unsubscribed'
> & {
  /** Which subscription it is, among those of the same user. */
  name: string;
};

export interface EnsuredSubscription {
  /** For `stream`. */
  key: number;
  outcome: 'created' | 'unchanged' | 'updated' | 'replaced';
  subscription: Whole<'WebhookSubscription'> & Versioned<'WebhookSubscription'>;
  /** Only if this call has created or replaced the subscription, and the secret is a new one. */
  signingSecret: string | undefined;
}
