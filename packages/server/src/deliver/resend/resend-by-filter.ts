// Requests that all notifications that match a filter be sent again: the same filter and the same notifications as in
// the list. Counts them, and leaves a job for the resend loop.

import type { Run } from '../../database/database.ts';
import type { ActionCall } from '../../objects/action-call.ts';
import { onlyUserFor } from '../../objects/caller.ts';
import { rejectViolations } from '../../objects/object-errors.ts';
import type { FilterGroup } from '../../query/filter/filter-group.ts';
import { parseFilters } from '../../query/filter/parse-filters.ts';
import { countReplayable } from './count-replayable.ts';
import type { ReplaySelection } from './replay-selection.ts';
import { insertReplayJob } from './replay-table.ts';
import { answerJob, type ResendParts } from './send-failed-notifications.ts';

export interface FilterResendParts extends ResendParts {
  settings: { filtersMax: number };
}

export function resendByFilter(parts: FilterResendParts, call: ActionCall): Promise<string> {
  const filter = readFilter(call.given.get('filter') ?? null);
  const filters = parseFilters(filter, call.type, parts.settings.filtersMax);
  const isDryRun = call.given.get('dryRun') === 'true';
  return answerJob(parts, call, (run) => startResend(run, call, { filter, filters, isDryRun }), true);
}

interface Wanted {
  filter: readonly string[];
  filters: readonly FilterGroup[];
  isDryRun: boolean;
}

async function startResend(run: Run, { type, caller }: ActionCall, { filter, filters, isDryRun }: Wanted) {
  const selection: ReplaySelection = { ...everything, userKey: onlyUserFor(type, caller) ?? null, filters };
  const { total, isEstimate, oldest, newest, keys } = await countReplayable(run, selection);
  const answer = { count: total, isEstimate, oldest, newest };
  if (isDryRun || (total === 0 && !isEstimate)) return { ...answer, resendJob: null };
  const [rows] = await run(insertReplayJob({ ...selection, filter, total, keys }));
  return { ...answer, resendJob: Number(rows![0]!.job) };
}

const everything = {
  subscriptionKey: null,
  from: null,
  to: null,
  notifications: null,
  objectKey: null,
  status: null,
};

function readFilter(text: string | null): string[] {
  const sent: unknown = text === null ? null : JSON.parse(text);
  const reject = (message: string) => rejectViolations([{ path: 'filter', message }]);
  if (!Array.isArray(sent)) reject('must be an array of filters, such as ["status(EQ)FAILED"].');
  const filter = sent as unknown[];
  const isText = (each: unknown) => typeof each === 'string';
  rejectViolations(
    filter.flatMap((each, index) => (isText(each) ? [] : [{ path: `filter[${index}]`, message: 'must be text.' }])),
  );
  if (filter.length === 0) reject('is empty. To select everything, send ["status(IN)(DELIVERED,FAILED)"].');
  return filter as string[];
}
