// Requests that failed notifications be sent again: checks which are meant, returns how many there are, and leaves a
// job for the resend loop.

import type { Database, Run } from '../../database/database.ts';
import type { ActionCall } from '../../objects/action-call.ts';
import { answerOnce } from '../../objects/answer-once.ts';
import type { Links } from '../../query/view-columns.ts';
import { lockSubscription } from '../targets/lock-subscription.ts';
import { countToSend, insertResendJob, lockResends } from './resend-table.ts';
import { readWanted, rejectUnknown, type Wanted } from './selected-notifications.ts';

export interface ResendParts {
  database: Database;
  links: Links;
}

export function sendFailedNotifications(parts: ResendParts, call: ActionCall): Promise<string> {
  const wanted = readWanted(call);
  return answerStarted(parts, call, (run) => startResend(run, call, wanted));
}

export interface Started {
  total: number;
  job: number | null;
}

/** Starts a job once, and returns how many notifications it has and its URL. */
export function answerStarted(
  parts: ResendParts,
  call: ActionCall,
  start: (run: Run) => Promise<Started>,
  isLong = false,
): Promise<string> {
  const answer = async (run: Run) => {
    const { total, job } = await start(run);
    return { total, job, jobSelf: job === null ? null : `${parts.links.restUrl}/ResendJob/${job}` };
  };
  return answerJob(parts, call, answer, isLong);
}

/** The same with an answer of its own. */
export async function answerJob(
  { database }: ResendParts,
  { caller, idempotency }: ActionCall,
  start: (run: Run) => Promise<object>,
  isLong: boolean,
): Promise<string> {
  const { body } = await answerOnce({ database, caller, idempotency, isLong }, async ({ run }) => {
    const response = { key: null, etag: null, body: JSON.stringify(await start(run)) };
    return { kept: response, shown: response };
  });
  return body;
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
