// Decides whether a change concerns a subscription, without looking at any object data. Pure, and the only place with
// these rules. Matching calls it for each candidate, and the explanation "why was I not notified?" calls it again
// later.

import type { ChangeEvent } from '../events/change-event.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import { wasCommitted } from '../subscriptions/transaction-snapshot.ts';

/**
 * A change and one object that the subscription would be notified of. The object is the changed one, or one that has
 * the changed one in its hierarchy.
 */
export interface Candidate {
  readonly event: ChangeEvent;
  readonly subscription: Subscription;
  readonly subscribedKey: number;
  /** Whether the subscribed object itself was changed. */
  readonly isMain: boolean;
}

export type RuleReason =
  | 'ANOTHER_OPERATION'
  | 'ANOTHER_KEY'
  | 'ONLY_MAIN_OBJECT'
  | 'BEFORE_SUBSCRIPTION'
  | 'SAME_TRANSACTION'
  | 'OWN_CHANGE';

/**
 * Whether a subscription collects notifications for the event. An active subscription always does; a deactivated one
 * does so for `keepMs` after its deactivation.
 */
export function isCollecting({ deactivatedMs }: Subscription, { time }: ChangeEvent, keepMs: number): boolean {
  return deactivatedMs === undefined || Date.parse(`${time}Z`) <= deactivatedMs + keepMs;
}

/** `isCreatedOrDeleted`: the transaction of the change also created or deleted the subscribed object. */
export function judgeCandidate(candidate: Candidate, isCreatedOrDeleted: boolean): RuleReason | undefined {
  const { event, subscription, subscribedKey, isMain } = candidate;
  // A change in the hierarchy of an object counts as an update of the object.
  if (subscription.operation !== (isMain ? event.operation : 'U')) return 'ANOTHER_OPERATION';
  if (subscription.objectKey !== null && subscription.objectKey !== subscribedKey) return 'ANOTHER_KEY';
  if (!isMain && subscription.onlyMainObject) return 'ONLY_MAIN_OBJECT';
  if (wasCommitted(subscription.createdSnapshot, event.transactionId)) return 'BEFORE_SUBSCRIPTION';
  if (!isMain && isCreatedOrDeleted) return 'SAME_TRANSACTION';
  if (subscription.notSendMyChanges && event.userKey === subscription.userKey) return 'OWN_CHANGE';
  return undefined;
}
