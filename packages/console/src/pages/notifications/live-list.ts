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
  /** While the first page is being loaded: what the feed has sent since, because the page may be older. */
  news: News | undefined;
}

interface News {
  rows: readonly NotificationRow[];
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
  news: undefined,
};

/** What the feed may add at the top. Then the list is loaded anew, so that a page that is open for days stays small. */
const arrivedMax = 1_000;

/** The first page is asked for. */
export function withRequest(state: LiveListState): LiveListState {
  return { ...state, news: { rows: [], hasMissed: false } };
}

/** `judge`: as for an arrival. */
export function withFirstPage(
  { news }: LiveListState,
  { rows, next }: LoadedPage,
  judge: (rows: readonly NotificationRow[]) => Arrival,
): LiveListState {
  const loaded: LiveListState = { ...emptyList, rows, next, kind: 'ready', hasMissed: news?.hasMissed ?? false };
  return news ? withArrival(loaded, judge(news.rows)) : loaded;
}

export function withNextPage(state: LiveListState, { rows, next }: LoadedPage): LiveListState {
  return { ...state, rows: mergeRows(state.rows, rows), next, kind: 'ready' };
}

export interface Arrival {
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
  const gone = new Set(rows.filter((row) => !isMatch(row)).map(({ key }) => key));
  const added = rows.filter((row) => !hasRow(state.rows, row) && !isOnLaterPage(state, row) && isMatch(row));
  const next = {
    ...state,
    rows: mergeRows(state.rows, shown),
    // No more are kept than are shown.
    waiting: mergeRows(
      state.waiting.filter(({ key }) => !gone.has(key)),
      added,
    ).slice(0, arrivedMax),
    hasMissed: state.hasMissed || skipped > 0 || state.waiting.length + added.length > arrivedMax,
    news: state.news && withNews(state.news, rows, skipped),
  };
  return isHeld ? next : withWaitingShown(next);
}

function withNews(news: News, rows: readonly NotificationRow[], skipped: number): News {
  const all = [...news.rows, ...rows];
  return { rows: all.slice(-arrivedMax), hasMissed: news.hasMissed || skipped > 0 || all.length > arrivedMax };
}

function isOnLaterPage({ rows, next }: LiveListState, row: NotificationRow): boolean {
  return next !== undefined && isOlder(rows, row);
}

export function withWaitingShown(state: LiveListState): LiveListState {
  if (state.waiting.length === 0) return state;
  const rows = mergeRows(state.rows, state.waiting);
  return { ...state, rows, waiting: [], hasMissed: state.hasMissed || rows.length > state.rows.length + arrivedMax };
}

/** The feed was away. */
export function withMissed(state: LiveListState): LiveListState {
  return { ...state, hasMissed: true, news: state.news && { ...state.news, hasMissed: true } };
}
