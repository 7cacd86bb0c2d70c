// The state of the live list of notifications, and what changes it: pages that are loaded, rows that the feed sends, and
// whether they may be shown at once. Pure: `use-live-list.ts` loads and listens.

import type { NotificationRow } from './notification.ts';
import { hasRow, isOlder, mergeRows } from './row-list.ts';

export interface LiveListState {
  /** Newest first. */
  rows: readonly NotificationRow[];
  kind: 'loading' | 'ready' | 'failed';
  error: unknown;
  /** The cursor of the page with older ones, if there is one. */
  next: string | undefined;
  /** Matching rows that are not shown yet. */
  waiting: readonly NotificationRow[];
  /** The feed has left rows out, or was away, or too many have come. Only loading anew shows what there is. */
  hasMissed: boolean;
}

export interface LoadedPage {
  rows: readonly NotificationRow[];
  next: string | undefined;
}

export const emptyList: LiveListState = {
  rows: [],
  kind: 'loading',
  error: undefined,
  next: undefined,
  waiting: [],
  hasMissed: false,
};

/** What the feed may add at the top. Then the list is loaded anew, so that a page that is open for days stays small. */
const arrivedMax = 1_000;

export function withFirstPage({ rows, next }: LoadedPage): LiveListState {
  return { ...emptyList, rows, next, kind: 'ready' };
}

export function withNextPage(state: LiveListState, { rows, next }: LoadedPage): LiveListState {
  return { ...state, rows: mergeRows(state.rows, rows), next, kind: 'ready' };
}

interface Arrival {
  rows: readonly NotificationRow[];
  /** How many rows the feed has left out. */
  skipped: number;
  isMatch(row: NotificationRow): boolean;
  /** Whether the list may not move now. */
  isHeld: boolean;
}

/**
 * Rows that are shown are updated in place, also if they no longer match: nothing moves away under the pointer. Others
 * that match are added, or wait while the list is held.
 */
export function withArrival(state: LiveListState, { rows, skipped, isMatch, isHeld }: Arrival): LiveListState {
  const shown = rows.filter((row) => hasRow(state.rows, row));
  const added = rows.filter((row) => !hasRow(state.rows, row) && !isOnLaterPage(state, row) && isMatch(row));
  const next = {
    ...state,
    rows: mergeRows(state.rows, shown),
    // No more are kept than are shown.
    waiting: mergeRows(state.waiting, added).slice(0, arrivedMax),
    hasMissed: state.hasMissed || skipped > 0 || state.waiting.length + added.length > arrivedMax,
  };
  return isHeld ? next : withWaitingShown(next);
}

function isOnLaterPage({ rows, next }: LiveListState, row: NotificationRow): boolean {
  return next !== undefined && isOlder(rows, row);
}

export function withWaitingShown(state: LiveListState): LiveListState {
  if (state.waiting.length === 0) return state;
  const rows = mergeRows(state.rows, state.waiting);
  return { ...state, rows, waiting: [], hasMissed: state.hasMissed || rows.length > state.rows.length + arrivedMax };
}
