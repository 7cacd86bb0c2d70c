// Which notifications a request wants sent again: reads and checks the members that all such requests have.

import type { Run } from '../../database/database.ts';
import type { Violation } from '../../errors.ts';
import { resendKeysMax } from '../../model/catalogue/resend-actions.ts';
import type { ActionCall } from '../../objects/action-call.ts';
import { rejectViolations } from '../../objects/object-errors.ts';
import { type ResendScope, selectOwnNotifications } from './resend-table.ts';

export interface Wanted extends Pick<ResendScope, 'from' | 'to' | 'notifications'> {
  isDryRun: boolean;
}

export function readWanted({ given }: ActionCall, others: readonly Violation[] = []): Wanted {
  const [from, to] = [given.get('from') ?? null, given.get('to') ?? null];
  const { notifications, violations } = readChosenKeys(given.get('notifications') ?? null);
  if (from !== null && to !== null && from > to) violations.push({ path: 'from', message: `is after \`to\` (${to}).` });
  rejectViolations([...violations, ...others]);
  return { from, to, notifications, isDryRun: given.get('dryRun') === 'true' };
}

export function readChosenKeys(text: string | null): { notifications: number[] | null; violations: Violation[] } {
  const chosen: unknown = text === null ? null : JSON.parse(text);
  if (chosen === null) return { notifications: null, violations: [] };
  const reject = (message: string) => ({ notifications: null, violations: [{ path: 'notifications', message }] });
  if (!Array.isArray(chosen)) return reject('must be an array of keys.');
  if (chosen.length > resendKeysMax)
    return reject(`may have at most ${resendKeysMax} keys; this has ${chosen.length}.`);
  const violations = chosen.flatMap((key, index) =>
    Number.isSafeInteger(key) && key > 0
      ? []
      : [{ path: placeOf(index), message: 'must be a key, a positive integer.' }],
  );
  return { notifications: chosen, violations };
}

const placeOf = (index: number) => `notifications[${index}]`;

/** Unknown keys and keys of other users get the same message: the caller must not learn which of the two applies. */
export async function rejectUnknown(run: Run, scope: ResendScope): Promise<void> {
  const { notifications, subscriptionKey } = scope;
  if (notifications === null || notifications.length === 0) return;
  const [rows = []] = await run(selectOwnNotifications(scope));
  const known = new Set(rows.map((row) => Number(row.key)));
  const where = subscriptionKey === null ? '' : ' of this subscription';
  rejectViolations(
    notifications.flatMap((key, index) =>
      known.has(key)
        ? []
        : [{ path: placeOf(index), message: `there is no WebhookNotification with key ${key}${where}.` }],
    ),
  );
}
