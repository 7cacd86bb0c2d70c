// Counts what a replay would send, in short statements and without locks, because there may be millions. Counting ends
// after some seconds: then the number is an estimate.

import type { Run } from '../../database/database.ts';
import type { KeyRange, ReplaySelection } from './replay-selection.ts';
import { type CountedRow, countInRange, selectKeys } from './replay-table.ts';
import { walkKeys } from './walk-keys.ts';

export interface Counted extends CountedRow {
  /** `total` is projected from the keys that were read, and `newest` is not known. */
  isEstimate: boolean;
  /** Everything that the replay has to read. */
  keys: KeyRange;
}

export async function countReplayable(run: Run, selection: ReplaySelection, msMax = countingMsMax): Promise<Counted> {
  const [rows] = await run(selectKeys());
  const keys = { after: Number(rows![0]!.after), upTo: Number(rows![0]!.up_to) };
  const found: CountedRow = { total: 0, oldest: null, newest: null };
  const reached = await walkKeys(keys, msMax, async (range) => {
    const [counted] = await run(countInRange(selection, range));
    const { total, oldest, newest } = counted![0] as unknown as CountedRow;
    found.total += total;
    found.oldest = firstOf(found.oldest, oldest);
    found.newest = lastOf(found.newest, newest);
    return true;
  });
  const isEstimate = reached < keys.upTo;
  const share = isEstimate ? (keys.upTo - keys.after) / (reached - keys.after) : 1;
  const newest = isEstimate ? null : found.newest;
  return { ...found, newest, total: Math.round(found.total * share), isEstimate, keys };
}

/** A caller waits for the number. A million notifications take about a second. */
const countingMsMax = 5_000;

/** Dates of one format, whose order is that of their texts. */
function firstOf(one: string | null, other: string | null): string | null {
  return one === null || (other !== null && other < one) ? other : one;
}

function lastOf(one: string | null, other: string | null): string | null {
  return one === null || (other !== null && other > one) ? other : one;
}
