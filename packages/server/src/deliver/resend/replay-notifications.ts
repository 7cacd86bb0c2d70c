// Requests that delivered and failed notifications be sent again: checks which are meant, counts them, and leaves a job
// for the resend loop. Counts in short statements and without locks, because there may be millions.

import type { Run } from '../../database/database.ts';
import type { Violation } from '../../errors.ts';
import { replayStatuses } from '../../model/catalogue/resend-actions.ts';
import type { ObjectCall } from '../../objects/action-call.ts';
import { onlyUserFor } from '../../objects/caller.ts';
import { lockSubscription } from '../targets/lock-subscription.ts';
import { type CountedRow, countReplayable, insertReplayJob, type ReplayScope, selectLastKey } from './replay-table.ts';
import { readWanted, rejectUnknown, type Wanted } from './selected-notifications.ts';
import { answerStarted, type ResendParts, type Started } from './send-failed-notifications.ts';

interface ReplayWanted extends Wanted, Pick<ReplayScope, 'objectKey' | 'status'> {}

export function replayNotifications(parts: ResendParts, call: ObjectCall): Promise<string> {
  const { status, violations } = readStatus(call.given.get('status') ?? null);
  const objectKey = call.given.get('objectKey') ?? null;
  const wanted = {
    ...readWanted(call, violations),
    objectKey: objectKey === null ? null : Number(objectKey),
    status,
  };
  return answerStarted(parts, call, (run) => startReplay(run, call, wanted), wanted.notifications === null);
}

/** One status, or an array of one or both of them. */
function readStatus(text: string | null): { status: ReplayScope['status']; violations: Violation[] } {
  const sent: unknown = text === null ? null : JSON.parse(text);
  if (sent === null) return { status: null, violations: [] };
  const statuses = new Set<unknown>(Array.isArray(sent) ? sent : [sent]);
  if (statuses.size === 0 || [...statuses].some((each) => !replayStatuses.includes(each as string)))
    return {
      status: null,
      violations: [{ path: 'status', message: 'must be "DELIVERED" or "FAILED", or an array of them.' }],
    };
  return { status: statuses.size === 1 ? ([...statuses][0] as ReplayScope['status']) : null, violations: [] };
}

async function startReplay(run: Run, call: ObjectCall, { isDryRun, ...limits }: ReplayWanted): Promise<Started> {
  const [lastRows] = await run(selectLastKey());
  const lastKey = Number(lastRows![0]!.key);
  const onlyUser = onlyUserFor(call.type, call.caller) ?? null;
  const total = await countAll(run, { ...limits, onlyUser, subscriptionKey: call.key }, lastKey);
  const { userKey } = await lockSubscription(run, call, 'resend');
  const scope = { ...limits, userKey, subscriptionKey: call.key };
  await rejectUnknown(run, scope);
  if (isDryRun || total === 0) return { total, job: null };
  const [rows] = await run(insertReplayJob(scope, total, lastKey));
  return { total, job: Number(rows![0]!.job) };
}

const countedAtOnce = 20_000;

async function countAll(run: Run, scope: Parameters<typeof countReplayable>[0], upTo: number): Promise<number> {
  let total = 0;
  for (let after = 0; ; ) {
    const [rows] = await run(countReplayable(scope, { after, upTo, rowsMax: countedAtOnce }));
    const counted = rows![0]! as unknown as CountedRow;
    total += counted.total;
    if (counted.read < countedAtOnce) return total;
    after = Number(counted.last);
  }
}
