// Takes up the next notifications of a replay. Reads short ranges of keys for a short time: a job that selects few
// notifications among millions must not occupy the database with one long statement.

import type { Run } from '../../database/database.ts';
import { ApiError } from '../../errors.ts';
import type { ObjectType } from '../../model/object-type.ts';
import type { Observe } from '../../observe/observation.ts';
import type { FilterGroup } from '../../query/filter/filter-group.ts';
import { parseFilters } from '../../query/filter/parse-filters.ts';
import type { ReplaySelection } from './replay-selection.ts';
import { type ReplayRow, selectReplay, takeReplayed } from './replay-table.ts';
import { endCancelled, type ProgressRow } from './resend-progress-table.ts';
import { walkKeys } from './walk-keys.ts';

export interface TakingUp {
  run: Run;
  observe: Observe;
  /** WebhookNotification, as the filters of replays are written for it. */
  notificationType: ObjectType;
}

/** How long a step begins new ranges. Until it commits, no subscription can be changed. */
const stepMs = 100;

export async function takeUpReplayed(
  { run, observe, notificationType }: TakingUp,
  jobKey: number,
  { at_notification }: ProgressRow,
  rowsMax: number,
): Promise<{ moved: number; isMore: boolean }> {
  const [jobs] = await run(selectReplay(jobKey));
  const job = jobs![0] as unknown as ReplayRow;
  const filters = parseKept(job.filter ?? [], notificationType);
  if (filters instanceof ApiError) {
    observe({ kind: 'resend.failed', job: jobKey, error: filters });
    await run(endCancelled(jobKey));
    return { moved: 0, isMore: true };
  }
  const selection = { ...selectionOf(job), filters };
  const last = Number(job.last_notification);
  let [seen, moved] = [0, 0];
  const reached = await walkKeys({ after: Number(at_notification), upTo: last }, stepMs, async (range) => {
    const [rows] = await run(takeReplayed(jobKey, selection, range, rowsMax - seen));
    const taken = rows![0] as { seen: number; moved: number };
    seen += taken.seen;
    moved += taken.moved;
    return seen < rowsMax;
  });
  return { moved, isMore: reached < last };
}

/** A filter was checked when the job was started. Since then the service may have been started with another model. */
function parseKept(filter: readonly string[], type: ObjectType): FilterGroup[] | ApiError {
  try {
    return parseFilters(filter, type, filter.length);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

function selectionOf(job: ReplayRow): Omit<ReplaySelection, 'filters'> {
  const key = (text: string | null) => (text === null ? null : Number(text));
  return {
    userKey: key(job.user),
    subscriptionKey: key(job.subscription),
    from: job.from,
    to: job.to,
    notifications: job.notifications,
    objectKey: key(job.object_key),
    status: job.notification_status,
  };
}
