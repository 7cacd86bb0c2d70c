// Replaces subscriptions with new ones: deactivated ones, which cannot be reactivated, and active ones, whose fixed
// attributes cannot be changed. Decides what may be replaced and what happens to it. All of it is part of the
// transaction that creates the new subscriptions.

import { hash } from 'node:crypto';
import type { Statement, Transaction } from '../database/database.ts';
import type { Violation } from '../errors.ts';
import { joinPath } from '../json/join-path.ts';
import { type Caller, onlyUserFor } from '../objects/caller.ts';
import type { StoredValue } from '../objects/check-scalar.ts';
import type { ObjectChange } from '../objects/object-change.ts';
import type { AlongsideCreate } from '../objects/type-rules.ts';
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
  if (keys.length === 0) return { columns: [], carriedOver: [], violations: [], statements: () => [] };
  const [rows = []] = await run(lockReplaced(keys, onlyUserFor(changes[0]!.type, caller)));
  const replaced = new Map((rows as unknown as ReplacedRow[]).map((row) => [Number(row.key), row]));
  const replacedRow = (change: ObjectChange) => replaced.get(replacedBy(change) ?? 0);
  return {
    columns: changes.map((change) => takenOver(change, replacedRow(change))),
    carriedOver: changes.map((change) => carriedOver(change, replacedRow(change))),
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
 * Returns the columns that the new subscription takes over: the snapshot and the signing secrets of the old one.
 *
 * Matching is blocked during the replacement. A change that was matched before has its notifications at the old
 * subscription, and these are carried over. Any other change is matched with the new subscription alone, even if it was
 * committed before the new subscription was created. With the old snapshot, the new subscription matches every change
 * that the old one would have matched, as far as its event types cover it. So there is no gap between the two, and no
 * change is notified twice.
 */
function takenOver({ columns }: ObjectChange, replaced: ReplacedRow | undefined): Map<string, StoredValue> {
  if (!replaced) return new Map();
  return new Map<string, StoredValue>([
    ...(replaced.created_snapshot === null ? [] : [['created_snapshot', replaced.created_snapshot] as const]),
    ...(columns.has('signing_secret_sealed') ? secretSigningAlong(replaced) : keptSecrets(replaced)),
  ]);
}

/**
 * Carried-over notifications are sent at once, to a receiver that knows the old secret. Therefore the old secret also
 * signs for a day if the new subscription brings another one.
 */
function secretSigningAlong({ signing_secret_sealed: sealed, secret_until }: ReplacedRow): [string, StoredValue][] {
  if (sealed === null) return [];
  return [
    ['previous_secret_sealed', sealed],
    ['previous_secret_until', secret_until],
  ];
}

/** A secret that was rotated out shortly before still signs until its time is over. */
function keptSecrets(replaced: ReplacedRow): [string, StoredValue][] {
  return [
    ['signing_secret_sealed', replaced.signing_secret_sealed],
    ['previous_secret_sealed', replaced.previous_secret_sealed],
    ['previous_secret_until', replaced.previous_secret_until],
  ];
}

/** A user who has lost the edition for a stylesheet can carry it over unchanged. */
function carriedOver(change: ObjectChange, replaced: ReplacedRow | undefined): ReadonlySet<string> {
  const xsl = change.columns.get('xsl') ?? null;
  if (!replaced || xsl === null || findMistake(change, replaced) !== undefined) return new Set();
  return new Set(hash('sha256', xsl) === replaced.xsl_hash ? ['xsl'] : []);
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

function findMistake({ type, references }: ObjectChange, row: ReplacedRow): string | undefined {
  const user = references.find(({ attribute }) => attribute.name === type.ownedBy?.name)?.target;
  const isSameUser = user && (user.kind === 'key' ? user.key === Number(row.user) : user.code === row.user_code);
  if (!isSameUser) return 'belongs to another user; only a subscription of the same user can be replaced.';
  const verdict = judge(row.state, 'replace');
  return verdict.kind === 'rejected' ? verdict.message : undefined;
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
