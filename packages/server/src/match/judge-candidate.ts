// Decides whether a change concerns a subscription, without looking at any object data. The only place with these
// rules: matching applies them to each candidate, and the explanation "why was I not notified?" applies them again.

import type { Run } from '../database/database.ts';
import type { ChangeEvent } from '../events/change-event.ts';
import { type CreatedOrDeletedRow, selectCreatedOrDeleted } from '../events/event-table.ts';
import { wasCommitted } from '../events/transaction-snapshot.ts';
import type { ObjectType } from '../model/object-type.ts';
import { coversOperation, type Occurrence } from '../subscriptions/event-type.ts';
import { findEventType, listOf } from '../subscriptions/event-types.ts';
import type { Subscription } from '../subscriptions/subscription.ts';

/** An object that may be subscribed to: the changed one, or one that has the changed one in its hierarchy. */
export interface SubscribedObject {
  /** The type as subscribers see it. */
  readonly type: ObjectType;
  readonly subscribedKey: number;
  /** Whether the subscribed object itself was changed. */
  readonly isMain: boolean;
}

/** A change and one object that the subscription would be notified of. */
export interface Candidate extends SubscribedObject {
  readonly event: ChangeEvent;
  readonly subscription: Subscription;
}

/** What the change means to the subscribed object. A change in the hierarchy of an object counts as its update. */
export function occurrenceOf({ event, type, subscribedKey, isMain }: Candidate): Occurrence {
  return { objectType: type.name, operation: isMain ? event.operation : 'U', objectKey: subscribedKey };
}

export type RuleReason =
  | 'ANOTHER_OPERATION'
  | 'ANOTHER_KEY'
  | 'ONLY_MAIN_OBJECT'
  | 'BEFORE_SUBSCRIPTION'
  | 'SAME_TRANSACTION'
  | 'OWN_CHANGE';

/** Returns the rejected candidates, each with the first rule that rejects it. */
export async function judgeCandidates(
  candidates: readonly Candidate[],
  run: Run,
): Promise<ReadonlyMap<Candidate, RuleReason>> {
  const wasCreatedOrDeleted = await findCreatedOrDeleted(candidates, run);
  const rejected = new Map<Candidate, RuleReason>();
  for (const candidate of candidates) {
    const reason = judge(candidate, wasCreatedOrDeleted);
    if (reason) rejected.set(candidate, reason);
  }
  return rejected;
}

/**
 * Whether a subscription collects notifications for the event. An active subscription always does; a deactivated one
 * does so for `keepMs` after its deactivation.
 */
export function isCollecting({ deactivatedMs }: Subscription, { time }: ChangeEvent, keepMs: number): boolean {
  return deactivatedMs === undefined || Date.parse(`${time}Z`) <= deactivatedMs + keepMs;
}

function judge(candidate: Candidate, wasCreatedOrDeleted: (candidate: Candidate) => boolean): RuleReason | undefined {
  const { event, subscription, isMain } = candidate;
  const occurrence = occurrenceOf(candidate);
  if (!findEventType(subscription, occurrence))
    return listOf(subscription).some((eventType) => coversOperation(eventType, occurrence))
      ? 'ANOTHER_KEY'
      : 'ANOTHER_OPERATION';
  if (!isMain && subscription.onlyMainObject) return 'ONLY_MAIN_OBJECT';
  // Whatever the id of the event: a transaction may commit long after it has written its events.
  if (wasCommitted(subscription.createdSnapshot, event.transactionId)) return 'BEFORE_SUBSCRIPTION';
  if (!isMain && wasCreatedOrDeleted(candidate)) return 'SAME_TRANSACTION';
  if (subscription.notSendMyChanges && event.userKey === subscription.userKey) return 'OWN_CHANGE';
  return undefined;
}

/**
 * Finds the subscribed objects that the transaction of a change created or deleted. Such an object has a C or D event,
 * so changes in its hierarchy do not count as a U.
 */
async function findCreatedOrDeleted(
  candidates: readonly Candidate[],
  run: Run,
): Promise<(candidate: Candidate) => boolean> {
  const pairs = new Map<string, { transactionId: number; key: number }>();
  for (const { event, subscribedKey: key, isMain } of candidates)
    if (!isMain) pairs.set(`${event.transactionId} ${key}`, { transactionId: event.transactionId, key });
  const [rows = []] = pairs.size > 0 ? await run(selectCreatedOrDeleted([...pairs.values()])) : [];
  const found = rows as unknown as CreatedOrDeletedRow[];
  const lastEarlierId = Number(found[0]?.last_earlier_id);
  const names = new Set(found.map((row) => `${row.transaction_id} ${row.object_key} ${row.is_earlier}`));
  return ({ event, subscribedKey }) =>
    names.has(`${event.transactionId} ${subscribedKey} ${event.id <= lastEarlierId}`);
}
