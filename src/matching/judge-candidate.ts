// Whether a change concerns a subscription, before anything of the objects is looked at. Pure, and the only place that knows these
// rules: matching asks it for each candidate, and "why was I not notified?" asks it again later.

import type { ChangeEvent } from '../events/change-event.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import { wasCommitted } from '../subscriptions/transaction-snapshot.ts';

/** A change, and one object that the subscription would be notified of: the changed one, or one that has it in its hierarchy. */
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

/** Whether a subscription still collects what happened then: always while it is active, else for a time after it was deactivated. */
export function isCollecting({ deactivatedMs }: Subscription, { time }: ChangeEvent, keepMs: number): boolean {
  return deactivatedMs === undefined || Date.parse(`${time}Z`) <= deactivatedMs + keepMs;
}

/** `isBegunOrEnded`: the subscribed object was itself created or deleted in the transaction of the change. */
export function judgeCandidate(candidate: Candidate, isBegunOrEnded: boolean): RuleReason | undefined {
  const { event, subscription, subscribedKey, isMain } = candidate;
  // What happens in the hierarchy of an object is an update of it.
  if (subscription.operation !== (isMain ? event.operation : 'U')) return 'ANOTHER_OPERATION';
  if (subscription.objectKey !== null && subscription.objectKey !== subscribedKey) return 'ANOTHER_KEY';
  if (!isMain && subscription.onlyMainObject) return 'ONLY_MAIN_OBJECT';
  if (wasCommitted(subscription.createdSnapshot, event.transactionId)) return 'BEFORE_SUBSCRIPTION';
  if (!isMain && isBegunOrEnded) return 'SAME_TRANSACTION';
  if (subscription.notSendMyChanges && event.userKey === subscription.userKey) return 'OWN_CHANGE';
  return undefined;
}
