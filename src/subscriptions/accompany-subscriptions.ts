// New subscriptions, in the transaction that stores them: the scripts that they use are held, and those that they replace are ended.

import type { Transaction } from '../database/database.ts';
import type { Caller } from '../objects/caller.ts';
import type { ObjectChange } from '../objects/object-change.ts';
import type { Accompaniment } from '../objects/type-rules.ts';
import { type HoldScriptsParts, holdScripts } from './hold-scripts.ts';
import { replaceSubscriptions } from './replace-subscriptions.ts';

export async function accompanySubscriptions(
  changes: readonly ObjectChange[],
  transaction: Transaction,
  caller: Caller,
  parts: HoldScriptsParts,
): Promise<Accompaniment | undefined> {
  const violations = await holdScripts(changes, transaction.run, parts);
  const replacing = await replaceSubscriptions(changes, transaction, caller);
  if (!replacing && violations.length === 0) return undefined;
  const { columns, statements } = replacing ?? { columns: [], statements: () => [] };
  return { columns, statements, violations: [...violations, ...(replacing?.violations ?? [])] };
}
