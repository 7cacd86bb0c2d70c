// Which subscriptions an event may concern: those of the changed object, and those of the objects in whose hierarchy it
// is. Each (subscription, subscribed object) comes once.

import type { ChangeEvent, Operation } from '../events/change-event.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import type { Candidate } from './judge-candidate.ts';

export type FindSubscriptions = (typeName: string, operation: Operation, key: number) => Iterable<Subscription>;

export function* findCandidates(event: ChangeEvent, find: FindSubscriptions): Generator<Candidate> {
  for (const subscription of find(event.type.name, event.operation, event.key))
    yield { event, subscription, subscribedKey: event.key, isMain: true };
  for (const [typeName, keys] of event.roots) {
    for (const key of keys) {
      // A type can follow references to itself.
      if (key === event.key) continue;
      // The judge would say the same, after a look-up.
      for (const subscription of find(typeName, 'U', key))
        if (!subscription.onlyMainObject) yield { event, subscription, subscribedKey: key, isMain: false };
    }
  }
}
