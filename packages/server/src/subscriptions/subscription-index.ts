// Indexes subscriptions by what they match: type and operation, then one object or all. The cost of a lookup does not
// depend on the number of subscriptions.

import { entryOf } from '../entry-of.ts';
import type { Operation } from '../events/change-event.ts';
import type { Subscription } from './subscription.ts';

/** The subscriptions of one type and operation. Many have all objects; few have the same object, so a list suffices. */
interface Bucket {
  readonly ofAll: Set<Subscription>;
  readonly ofOne: Map<number, Subscription[]>;
}

export class SubscriptionIndex {
  readonly #buckets = new Map<string, Bucket>();

  add(subscription: Subscription): void {
    const { ofAll, ofOne } = this.#bucketOf(subscription.type.name, subscription.operation);
    const { objectKey } = subscription;
    if (objectKey === null) ofAll.add(subscription);
    else if (ofOne.has(objectKey)) ofOne.get(objectKey)!.push(subscription);
    else ofOne.set(objectKey, [subscription]);
  }

  remove(subscription: Subscription): void {
    const { ofAll, ofOne } = this.#bucketOf(subscription.type.name, subscription.operation);
    const { objectKey } = subscription;
    ofAll.delete(subscription);
    if (objectKey === null) return;
    const left = (ofOne.get(objectKey) ?? []).filter((other) => other !== subscription);
    if (left.length === 0) ofOne.delete(objectKey);
    else ofOne.set(objectKey, left);
  }

  /** Finds the subscriptions on this object, and those on all objects of its type. */
  *find(typeName: string, operation: Operation, key: number): Generator<Subscription> {
    const { ofAll, ofOne } = this.#bucketOf(typeName, operation);
    yield* ofAll;
    yield* ofOne.get(key) ?? [];
  }

  #bucketOf(typeName: string, operation: Operation): Bucket {
    return entryOf(this.#buckets, `${typeName}.${operation}`, () => ({ ofAll: new Set(), ofOne: new Map() }));
  }
}
