// Indexes subscriptions by what they match: type and operation, or a wildcard for either, then one object or all. The
// cost of a lookup does not depend on the number of subscriptions, whatever wildcards they use.

import { entryOf } from '../entry-of.ts';
import type { Operation } from '../events/change-event.ts';
import { type EventType, type Occurrence, wildcard } from './event-type.ts';
import { findEventType, listOf } from './event-types.ts';
import type { Subscription } from './subscription.ts';

/** The subscriptions of one type and operation. Many have all objects; few have the same object, so a list suffices. */
interface Bucket {
  readonly ofAll: Set<Subscription>;
  readonly ofOne: Map<number, Subscription[]>;
}

export class SubscriptionIndex {
  /** By type, then by operation. */
  readonly #buckets = new Map<string, Map<string, Bucket>>();

  add(subscription: Subscription): void {
    for (const eventType of listOf(subscription)) {
      const { ofAll, ofOne } = this.#bucketOf(eventType);
      const { objectKey } = eventType;
      if (objectKey === null) ofAll.add(subscription);
      else if (ofOne.has(objectKey)) ofOne.get(objectKey)!.push(subscription);
      else ofOne.set(objectKey, [subscription]);
    }
  }

  remove(subscription: Subscription): void {
    for (const eventType of listOf(subscription)) {
      const { ofAll, ofOne } = this.#bucketOf(eventType);
      const { objectKey } = eventType;
      if (objectKey === null) ofAll.delete(subscription);
      else {
        const left = (ofOne.get(objectKey) ?? []).filter((other) => other !== subscription);
        if (left.length === 0) ofOne.delete(objectKey);
        else ofOne.set(objectKey, left);
      }
    }
  }

  /** Finds the subscriptions on this object, and those on all objects of its type. Each once. */
  *find(typeName: string, operation: Operation, key: number): Generator<Subscription> {
    const occurrence: Occurrence = { objectType: typeName, operation, objectKey: key };
    for (const objectType of [typeName, wildcard]) {
      const buckets = this.#buckets.get(objectType);
      if (!buckets) continue;
      for (const either of [operation, wildcard] as const) {
        const bucket = buckets.get(either);
        if (!bucket) continue;
        const ofAll: EventType = { objectType, operation: either, objectKey: null };
        for (const subscription of bucket.ofAll) if (isFirst(ofAll, subscription, occurrence)) yield subscription;
        const ofOne: EventType = { ...ofAll, objectKey: key };
        for (const subscription of bucket.ofOne.get(key) ?? [])
          if (isFirst(ofOne, subscription, occurrence)) yield subscription;
      }
    }
  }

  #bucketOf({ objectType, operation }: EventType): Bucket {
    const ofType = entryOf(this.#buckets, objectType, () => new Map<string, Bucket>());
    return entryOf(ofType, operation, () => ({ ofAll: new Set(), ofOne: new Map() }));
  }
}

/** A subscription whose event types overlap is in several buckets. It is found in that of the first that covers. */
function isFirst(eventType: EventType, subscription: Subscription, occurrence: Occurrence): boolean {
  if (subscription.further.length === 0) return true;
  const first = findEventType(subscription, occurrence)!;
  return (
    first.objectType === eventType.objectType &&
    first.operation === eventType.operation &&
    first.objectKey === eventType.objectKey
  );
}
