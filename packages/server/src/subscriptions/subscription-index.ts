// Indexes subscriptions by what they match: type and operation, then one object or all. The cost of a lookup does not
// depend on the number of subscriptions.

import type { Operation } from '../events/change-event.ts';
import type { Subscription } from './subscription.ts';

/**
 * The subscriptions of one event type. Most keys have one subscription, and a set for each key would cost more memory
 * than the subscription.
 */
interface Bucket {
  readonly ofAll: Set<Subscription>;
  readonly ofOne: Map<number, Subscription | Subscription[]>;
}

export class SubscriptionIndex {
  readonly #buckets = new Map<string, Bucket>();

  add(subscription: Subscription): void {
    const name = bucketName(subscription.type.name, subscription.operation);
    let bucket = this.#buckets.get(name);
    if (!bucket) {
      bucket = { ofAll: new Set(), ofOne: new Map() };
      this.#buckets.set(name, bucket);
    }
    const { objectKey } = subscription;
    if (objectKey === null) bucket.ofAll.add(subscription);
    else bucket.ofOne.set(objectKey, withOne(bucket.ofOne.get(objectKey), subscription));
  }

  remove(subscription: Subscription): void {
    const bucket = this.#buckets.get(bucketName(subscription.type.name, subscription.operation));
    if (!bucket) return;
    const { objectKey } = subscription;
    if (objectKey === null) {
      bucket.ofAll.delete(subscription);
      return;
    }
    const left = listOf(bucket.ofOne.get(objectKey)).filter((other) => other !== subscription);
    if (left.length === 0) bucket.ofOne.delete(objectKey);
    else bucket.ofOne.set(objectKey, left.length === 1 ? left[0]! : left);
  }

  /** Finds the subscriptions on this object, and those on all objects of its type. */
  *find(typeName: string, operation: Operation, key: number): Generator<Subscription> {
    const bucket = this.#buckets.get(bucketName(typeName, operation));
    if (!bucket) return;
    yield* bucket.ofAll;
    const one = bucket.ofOne.get(key);
    if (Array.isArray(one)) yield* one;
    else if (one) yield one;
  }
}

function bucketName(typeName: string, operation: Operation): string {
  return `${typeName}.${operation}`;
}

function withOne(known: Subscription | Subscription[] | undefined, added: Subscription): Subscription | Subscription[] {
  return known === undefined ? added : [...listOf(known), added];
}

function listOf(known: Subscription | Subscription[] | undefined): Subscription[] {
  if (known === undefined) return [];
  return Array.isArray(known) ? known : [known];
}
