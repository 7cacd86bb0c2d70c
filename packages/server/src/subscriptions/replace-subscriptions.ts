// Replaces deactivated subscriptions, which cannot be reactivated, with new ones. Decides what may be replaced and what
// happens to it. All of it is part of the transaction that creates the new subscriptions.

import type { Statement, Transaction } from '../database/database.ts';
import type { Violation } from '../errors.ts';
import { joinPath } from '../json/join-path.ts';
import { type Caller, onlyUserFor } from '../objects/caller.ts';
import type { ObjectChange } from '../objects/object-change.ts';
import type { AlongsideCreate } from '../objects/type-rules.ts';
import { storedTexts } from './event-types.ts';
import type { NotificationQueue } from './notification-queue.ts';
import { judge } from './state-machine.ts';
import { lockReplaced, lockSubscriptions, type ReplacedRow, setReplaced } from './subscription-table.ts';

export async function replaceSubscriptions(
  changes: readonly ObjectChange[],
  { run }: Transaction,
  caller: Caller,
  queue: Pick<NotificationQueue, 'carryOver'>,
): Promise<AlongsideCreate> {
  const keys = changes.flatMap((change) => replacedBy(change) ?? []);
  if (keys.length === 0) return { columns: [], violations: [], statements: () => [] };
  const [rows = []] = await run(lockReplaced(keys, onlyUserFor(changes[0]!.type, caller)));
  const replaced = new Map((rows as unknown as ReplacedRow[]).map((row) => [Number(row.key), row]));
  return {
    columns: changes.map((change) => takenOver(replaced.get(replacedBy(change) ?? 0))),
    violations: changes.flatMap((change, index) => checkReplaced(change, replaced, changes.slice(0, index))),
    statements: (newKeys) => [
      lockSubscriptions(),
      ...changes.flatMap((change, index) => endReplaced(replacedBy(change), newKeys[index]!, queue)),
    ],
  };
}

function replacedBy({ columns }: ObjectChange): number | undefined {
  const key = columns.get('replaces') ?? undefined;
  return key === undefined ? undefined : Number(key);
}

/**
 * Returns the columns that the new subscription takes over: the snapshot and the signing secret of the old one.
 *
 * Matching is blocked during the replacement. A change that was matched before has its notifications at the old
 * subscription, and these are carried over. Any other change is matched with the new subscription alone, even if it was
 * committed before the new subscription was created. With the old snapshot, the new subscription matches every change
 * that the old one would have matched. So there is no gap between the two, and no change is notified twice.
 *
 * Carried-over notifications are sent at once, to a receiver that knows the old secret. Therefore the old secret also
 * signs for a day.
 */
function takenOver(replaced: ReplacedRow | undefined): Map<string, string> {
  const columns = new Map<string, string>();
  const { created_snapshot = null, signing_secret_sealed = null } = replaced ?? {};
  if (created_snapshot !== null) columns.set('created_snapshot', created_snapshot);
  if (signing_secret_sealed !== null)
    columns.set('previous_secret_sealed', signing_secret_sealed).set('previous_secret_until', replaced!.secret_until);
  return columns;
}

function checkReplaced(
  change: ObjectChange,
  replaced: ReadonlyMap<number, ReplacedRow>,
  before: readonly ObjectChange[],
): Violation[] {
  const key = replacedBy(change);
  if (key === undefined) return [];
  const row = replaced.get(key);
  const message = row ? findMistake(change, row) : `there is no WebhookSubscription with key ${key}.`;
  const mistake = before.some((other) => replacedBy(other) === key)
    ? 'is already replaced by another subscription of this request.'
    : message;
  return mistake === undefined ? [] : [{ path: joinPath(change.path, 'replaces'), message: mistake }];
}

function findMistake({ type, columns, references }: ObjectChange, row: ReplacedRow): string | undefined {
  const user = references.find(({ attribute }) => attribute.name === type.ownedBy?.name)?.target;
  const isSameUser = user && (user.kind === 'key' ? user.key === Number(row.user) : user.code === row.user_code);
  if (!isSameUser) return 'belongs to another user; only a subscription of the same user can be replaced.';
  const eventTypes = columns.get('event_types');
  // A wrong event type is reported at its own attribute.
  if (eventTypes && !isSameSet(storedTexts(eventTypes), storedTexts(row.event_types))) return hasOthers(row);
  const verdict = judge(row.state, 'replace');
  return verdict.kind === 'rejected' ? verdict.message : undefined;
}

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  const set = new Set(some);
  return set.size === others.length && others.every((text) => set.has(text));
}

function hasOthers({ event_types }: ReplacedRow): string {
  const texts = storedTexts(event_types);
  const noun = texts.length === 1 ? 'event type' : 'event types';
  return `has the ${noun} ${texts.join(', ')}; it can only be replaced by a subscription with the same ${noun}.`;
}

function endReplaced(
  oldKey: number | undefined,
  newKey: number,
  queue: Pick<NotificationQueue, 'carryOver'>,
): Statement[] {
  if (oldKey === undefined) return [];
  const reason = `Replaced by ${newKey}.`;
  return [setReplaced(oldKey, reason), ...queue.carryOver(oldKey, newKey, reason)];
}
