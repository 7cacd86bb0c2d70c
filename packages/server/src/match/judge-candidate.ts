// Decides whether a change concerns a subscription, without looking at any object data. The only place with these
// rules: matching applies them to each candidate, and the explanation "why was I not notified?" applies them again.

import type { Run } from '../database/database.ts';
import type { ChangeEvent } from '../events/change-event.ts';
import { selectCreatedOrDeleted } from '../events/event-table.ts';
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
  const createdOrDeleted = await findCreatedOrDeleted(candidates, run);
  const rejected = new Map<Candidate, RuleReason>();
  for (const candidate of candidates) {
    const reason = judge(candidate, createdOrDeleted);
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

function judge(candidate: Candidate, createdOrDeleted: ReadonlySet<string>): RuleReason | undefined {
  const { event, subscription, isMain } = candidate;
  const occurrence = occurrenceOf(candidate);
  if (!findEventType(subscription, occurrence))
    return listOf(subscription).some((eventType) => coversOperation(eventType, occurrence))
      ? 'ANOTHER_KEY'
      : 'ANOTHER_OPERATION';
  if (!isMain && subscription.onlyMainObject) return 'ONLY_MAIN_OBJECT';
  // Whatever the id of the event: a transaction may commit long after it has written its events.
  if (wasCommitted(subscription.createdSnapshot, event.transactionId)) return 'BEFORE_SUBSCRIPTION';
  if (!isMain && createdOrDeleted.has(pairName(candidate))) return 'SAME_TRANSACTION';
  if (subscription.notSendMyChanges && event.userKey === subscription.userKey) return 'OWN_CHANGE';
  return undefined;
}

/**
 * Finds the subscribed objects that the transaction of a change created or deleted, as `pairName`s. Such an object has
 * a C or D event, so changes in its hierarchy do not count as a U.
 */
async function findCreatedOrDeleted(candidates: readonly Candidate[], run: Run): Promise<ReadonlySet<string>> {
  const pairs = new Map<string, { transactionId: number; key: number }>();
  for (const candidate of candidates) {
    const { event, subscribedKey: key, isMain } = candidate;
    if (!isMain) pairs.set(pairName(candidate), { transactionId: event.transactionId, key });
  }
  if (pairs.size === 0) return new Set();
  const [rows = []] = await run(selectCreatedOrDeleted([...pairs.values()]));
  return new Set(rows.map(({ transaction_id, object_key }) => `${transaction_id} ${object_key}`));
}

function pairName({ event, subscribedKey }: Candidate): string {
  return `${event.transactionId} ${subscribedKey}`;
}
