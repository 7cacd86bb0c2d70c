// Finds the candidates of an event. Its changed object is subscribed, or is in the hierarchy of subscribed objects.
// Each pair of subscription and subscribed object is yielded once.

import type { ChangeEvent } from '../events/change-event.ts';
import type { Model } from '../model/object-type.ts';
import { coversType } from '../subscriptions/event-type.ts';
import { listOf } from '../subscriptions/event-types.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import type { SubscriptionSet } from '../subscriptions/subscription-set.ts';
import type { Candidate, SubscribedObject } from './judge-candidate.ts';

/** For matching: leaves out subscriptions that `find` or a cheap rule excludes. */
export function* findCandidates(
  event: ChangeEvent,
  { types, find }: Pick<SubscriptionSet, 'types' | 'find'>,
): Generator<Candidate> {
  for (const { type, subscribedKey, isMain } of subscribedObjects(event, types)) {
    // A shortcut: `judgeCandidates` would reject the others too, but only after a database lookup.
    for (const subscription of find(type.name, isMain ? event.operation : 'U', subscribedKey))
      if (isMain || !subscription.onlyMainObject) yield { event, subscription, type, subscribedKey, isMain };
  }
}

/** For explanations: all candidates of one subscription, including those that a rule will reject. */
export function* possibleCandidates(
  event: ChangeEvent,
  subscription: Subscription,
  types: Model['types'],
): Generator<Candidate> {
  const eventTypes = listOf(subscription);
  for (const subscribed of subscribedObjects(event, types))
    if (eventTypes.some((eventType) => coversType(eventType, subscribed.type.name)))
      yield { ...subscribed, event, subscription };
}

/** The objects that could be subscribed to. `types`: those that can be subscribed to, as subscribers see them. */
export function* subscribedObjects(
  { type, key, roots }: ChangeEvent,
  types: Model['types'],
): Generator<SubscribedObject> {
  const main = types.get(type.name);
  if (main) yield { type: main, subscribedKey: key, isMain: true };
  for (const [name, keys] of roots) {
    const root = types.get(name);
    if (!root) continue;
    // A type can reference itself, so the roots can contain the changed object.
    for (const subscribedKey of keys) if (subscribedKey !== key) yield { type: root, subscribedKey, isMain: false };
  }
}
