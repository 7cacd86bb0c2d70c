// What happens alongside a create of subscriptions, in the same transaction. Locks the scripts that the new
// subscriptions use, and ends the subscriptions that they replace.

import type { Transaction } from '../database/database.ts';
import type { Caller } from '../objects/caller.ts';
import type { ObjectChange } from '../objects/object-change.ts';
import type { AlongsideCreate } from '../objects/type-rules.ts';
import { type LockScriptsParts, lockScripts } from './lock-scripts.ts';
import type { NotificationQueue } from './notification-queue.ts';
import { replaceSubscriptions } from './replace-subscriptions.ts';

export async function alongsideCreate(
  changes: readonly ObjectChange[],
  transaction: Transaction,
  caller: Caller,
  parts: LockScriptsParts & { queue: NotificationQueue },
): Promise<AlongsideCreate | undefined> {
  const violations = await lockScripts(changes, transaction.run, parts);
  const replacing = await replaceSubscriptions(changes, transaction, caller, parts.queue);
  if (!replacing && violations.length === 0) return undefined;
  const { columns, statements } = replacing ?? { columns: [], statements: () => [] };
  return { columns, statements, violations: [...violations, ...(replacing?.violations ?? [])] };
}
