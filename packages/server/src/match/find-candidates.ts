// Finds the subscriptions that an event may match: those on the changed object, and those on objects that have it in
// their hierarchy. Each pair of subscription and subscribed object is yielded once.

import type { ChangeEvent, Operation } from '../events/change-event.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import type { Candidate } from './judge-candidate.ts';

export type FindSubscriptions = (typeName: string, operation: Operation, key: number) => Iterable<Subscription>;

export function* findCandidates(event: ChangeEvent, find: FindSubscriptions): Generator<Candidate> {
  for (const subscription of find(event.type.name, event.operation, event.key))
    yield { event, subscription, subscribedKey: event.key, isMain: true };
  for (const [typeName, keys] of event.roots) {
    for (const key of keys) {
      // A type can reference itself, so the roots can contain the changed object.
      if (key === event.key) continue;
      // A shortcut: `judgeCandidate` would reject the others too, but only after a database lookup.
      for (const subscription of find(typeName, 'U', key))
        if (!subscription.onlyMainObject) yield { event, subscription, subscribedKey: key, isMain: false };
    }
  }
}
