// Requests that delivered and failed notifications of a subscription be sent again: checks which are meant, counts
// them, and leaves a job for the resend loop.

import type { Run } from '../../database/database.ts';
import type { Violation } from '../../errors.ts';
import { replayStatuses } from '../../model/catalogue/resend-actions.ts';
import type { ObjectCall } from '../../objects/action-call.ts';
import { onlyUserFor } from '../../objects/caller.ts';
import { lockSubscription } from '../targets/lock-subscription.ts';
import { countReplayable } from './count-replayable.ts';
import type { ReplaySelection } from './replay-selection.ts';
import { insertReplayJob } from './replay-table.ts';
import { readWanted, rejectUnknown, type Wanted } from './selected-notifications.ts';
import { answerStarted, type ResendParts, type Started } from './send-failed-notifications.ts';

interface ReplayWanted extends Wanted, Pick<ReplaySelection, 'objectKey' | 'status'> {}

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
function readStatus(text: string | null): { status: ReplaySelection['status']; violations: Violation[] } {
  const sent: unknown = text === null ? null : JSON.parse(text);
  if (sent === null) return { status: null, violations: [] };
  const statuses = new Set<unknown>(Array.isArray(sent) ? sent : [sent]);
  if (statuses.size === 0 || [...statuses].some((each) => !replayStatuses.includes(each as string)))
    return {
      status: null,
      violations: [{ path: 'status', message: 'must be "DELIVERED" or "FAILED", or an array of them.' }],
    };
  return { status: statuses.size === 1 ? ([...statuses][0] as ReplaySelection['status']) : null, violations: [] };
}

async function startReplay(run: Run, call: ObjectCall, { isDryRun, ...limits }: ReplayWanted): Promise<Started> {
  const onlyUser = onlyUserFor(call.type, call.caller) ?? null;
  const limited = { ...limits, subscriptionKey: call.key };
  const { total, isEstimate, keys } = await countReplayable(run, { ...limited, userKey: onlyUser, filters: [] });
  const { userKey } = await lockSubscription(run, call, 'resend');
  const scope = { ...limited, userKey };
  await rejectUnknown(run, scope);
  if (isDryRun || (total === 0 && !isEstimate)) return { total, job: null };
  const [rows] = await run(insertReplayJob({ ...scope, filter: null, total, keys }));
  return { total, job: Number(rows![0]!.job) };
}
