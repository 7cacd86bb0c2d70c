// Requests that failed notifications be sent again: checks which are meant, returns how many there are, and leaves a
// job for the resend loop.

import type { Database, Run } from '../../database/database.ts';
import type { Violation } from '../../errors.ts';
import { resendKeysMax } from '../../model/catalogue/subscription-actions.ts';
import type { ActionCall } from '../../objects/action-call.ts';
import { answerOnce } from '../../objects/answer-once.ts';
import { rejectViolations } from '../../objects/object-errors.ts';
import type { Links } from '../../query/view-columns.ts';
import { lockSubscription } from '../targets/lock-subscription.ts';
import { countToSend, insertResendJob, lockResends, type ResendScope, selectOwnNotifications } from './resend-table.ts';

export interface ResendParts {
  database: Database;
  links: Links;
}

export async function sendFailedNotifications({ database, links }: ResendParts, call: ActionCall): Promise<string> {
  const { caller, idempotency } = call;
  const wanted = readWanted(call);
  const { body } = await answerOnce({ database, caller, idempotency }, async ({ run }) => {
    const { total, job } = await startResend(run, call, wanted);
    const jobSelf = job === null ? null : `${links.restUrl}/ResendJob/${job}`;
    const response = { key: null, etag: null, body: JSON.stringify({ total, job, jobSelf }) };
    return { kept: response, shown: response };
  });
  return body;
}

interface Wanted extends Pick<ResendScope, 'from' | 'to' | 'notifications'> {
  isDryRun: boolean;
}

function readWanted({ given }: ActionCall): Wanted {
  const [from, to] = [given.get('from') ?? null, given.get('to') ?? null];
  const { notifications, violations } = readChosen(given.get('notifications') ?? null);
  if (from !== null && to !== null && from > to) violations.push({ path: 'from', message: `is after \`to\` (${to}).` });
  rejectViolations(violations);
  return { from, to, notifications, isDryRun: given.get('dryRun') === 'true' };
}

function readChosen(text: string | null): { notifications: number[] | null; violations: Violation[] } {
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

interface Started {
  total: number;
  job: number | null;
}

async function startResend(run: Run, call: ActionCall, { isDryRun, ...limits }: Wanted): Promise<Started> {
  const { key, caller } = call;
  const userKey =
    key === undefined ? caller.userKey : (await lockSubscription(run, { ...call, key }, 'resend')).userKey;
  // A caller without a user has no subscriptions.
  if (userKey === undefined) return { total: 0, job: null };
  const scope = { ...limits, userKey, subscriptionKey: key ?? null };
  await run(lockResends(userKey));
  await rejectUnknown(run, scope);
  const [rows] = await run(isDryRun ? countToSend(scope) : insertResendJob(scope));
  const { total, job = null } = rows![0]! as { total: number; job?: string | null };
  return { total, job: job === null ? null : Number(job) };
}

/** Unknown keys and keys of other users get the same message: the caller must not learn which of the two applies. */
async function rejectUnknown(run: Run, scope: ResendScope): Promise<void> {
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
