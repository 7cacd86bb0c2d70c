// Lists the candidates that one change gives for one subscription, including those that a rule will reject. The change
// is one of the subscribed object itself, or of an object in the hierarchy of one or more subscribed objects.

import type { ChangeEvent } from '../events/change-event.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import type { Candidate } from './judge-candidate.ts';

export function* possibleCandidates(event: ChangeEvent, subscription: Subscription): Generator<Candidate> {
  const { name } = subscription.type;
  if (event.type.name === name) yield { event, subscription, subscribedKey: event.key, isMain: true };
  for (const key of event.roots.get(name) ?? [])
    if (key !== event.key) yield { event, subscription, subscribedKey: key, isMain: false };
}
