// Decides whether a change concerns a subscription, without looking at any object data. The only place with these
// rules: matching applies them to each candidate, and the explanation "why was I not notified?" applies them again.

import type { Run } from '../database/database.ts';
import type { ChangeEvent } from '../events/change-event.ts';
import { selectCreatedOrDeleted } from '../events/event-table.ts';
import { wasCommitted } from '../events/transaction-snapshot.ts';
import type { Subscription } from '../subscriptions/subscription.ts';

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
  const { event, subscription, subscribedKey, isMain } = candidate;
  // A change in the hierarchy of an object counts as an update of the object.
  if (subscription.operation !== (isMain ? event.operation : 'U')) return 'ANOTHER_OPERATION';
  if (subscription.objectKey !== null && subscription.objectKey !== subscribedKey) return 'ANOTHER_KEY';
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
