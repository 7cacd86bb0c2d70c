// Finds the candidates of an event. Its changed object is subscribed, or is in the hierarchy of subscribed objects.
// Each pair of subscription and subscribed object is yielded once.

import type { ChangeEvent, Operation } from '../events/change-event.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import type { Candidate } from './judge-candidate.ts';

export type FindSubscriptions = (typeName: string, operation: Operation, key: number) => Iterable<Subscription>;

/** For matching: leaves out subscriptions that `find` or a cheap rule excludes. */
export function* findCandidates(event: ChangeEvent, find: FindSubscriptions): Generator<Candidate> {
  for (const subscription of find(event.type.name, event.operation, event.key))
    yield { event, subscription, subscribedKey: event.key, isMain: true };
  for (const [typeName, keys] of event.roots) {
    for (const key of keys) {
      // A type can reference itself, so the roots can contain the changed object.
      if (key === event.key) continue;
      // A shortcut: `judgeCandidates` would reject the others too, but only after a database lookup.
      for (const subscription of find(typeName, 'U', key))
        if (!subscription.onlyMainObject) yield { event, subscription, subscribedKey: key, isMain: false };
    }
  }
}

/** For explanations: all candidates of one subscription, including those that a rule will reject. */
export function* possibleCandidates(event: ChangeEvent, subscription: Subscription): Generator<Candidate> {
  const { name } = subscription.type;
  if (event.type.name === name) yield { event, subscription, subscribedKey: event.key, isMain: true };
  for (const key of event.roots.get(name) ?? [])
    if (key !== event.key) yield { event, subscription, subscribedKey: key, isMain: false };
}
