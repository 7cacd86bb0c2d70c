// What one change may be to one subscription, also where some rule is going to hold it back: a change of the subscribed
// object itself, or of something in the hierarchy of one or more of them.

import type { ChangeEvent } from '../events/change-event.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import type { Candidate } from './judge-candidate.ts';

export function* possibleCandidates(event: ChangeEvent, subscription: Subscription): Generator<Candidate> {
  const { name } = subscription.type;
  if (event.type.name === name) yield { event, subscription, subscribedKey: event.key, isMain: true };
  for (const key of event.roots.get(name) ?? [])
    if (key !== event.key) yield { event, subscription, subscribedKey: key, isMain: false };
}
