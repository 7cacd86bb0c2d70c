// The list of notifications that match filters: loaded page by page, and kept up to date by the live feed.

import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { notifyError } from '../../elements/notices.tsx';
import { timeOfDayMs } from '../../elements/time.tsx';
import { onFeed } from '../../service/live-feed.ts';
import { requestAnswer } from '../../service/request.ts';
import { nextCursor, pageQuery, usePages } from '../../service/use-pages.ts';
import {
  emptyList,
  type LiveListState,
  type LoadedPage,
  withArrival,
  withFirstPage,
  withMissed,
  withNextPage,
  withRequest,
  withWaitingShown,
} from './live-list.ts';
import { type NotificationRow, rowFields } from './notification.ts';
import { apiFilters, isMatch, type NotificationFilters } from './notification-filters.ts';
import { rememberCodes } from './object-codes.ts';

export interface LiveList extends LiveListState {
  /** Loads older ones. */
  more(): void;
  reload(): void;
  /** Shows those that wait. */
  showWaiting(): void;
}

/** After rows were left out, the list is loaded anew, but not more often than this. */
const catchUpMs = 1_500;

/** `isHeld`: new rows wait, so that nothing moves. */
export function useLiveList(filters: NotificationFilters, isHeld: boolean): LiveList {
  const [state, setState] = useState<LiveListState>(emptyList);
  const held = useRef(isHeld);
  held.current = isHeld;
  const identity = JSON.stringify(filters);
  const arrivalOf = (rows: readonly NotificationRow[]) => ({ ...judge(rows, filters), isHeld: held.current });
  const { refresh, more, reload } = usePages(identity, {
    load: (cursor, signal) => loadPage(filters, cursor, signal),
    onStart: () => setState((before) => ({ ...before, kind: 'loading' })),
    onRequest: () => setState(withRequest),
    onPage: (page, isFirst) =>
      setState((before) => (isFirst ? withFirstPage(before, page, arrivalOf) : withNextPage(before, page))),
    onError: (error, isFirst) => {
      if (isFirst) setState((before) => ({ ...before, kind: 'failed', error }));
      else notifyError(error);
    },
  });

  useEffect(() => {
    const ends = [
      onFeed('notifications', ({ rows, skipped }) => {
        const arrival = arrivalOf(rows as unknown as NotificationRow[]);
        setState((before) => withArrival(before, { ...arrival, skipped: skipped + arrival.skipped }));
      }),
      onFeed('reconnected', () => setState(withMissed)),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [identity]);

  const isBehind = state.hasMissed && !isHeld && state.kind === 'ready';
  useEffect(() => {
    if (!isBehind) return;
    const timer = setTimeout(refresh, catchUpMs);
    return () => clearTimeout(timer);
  }, [isBehind, refresh]);

  const showWaiting = useCallback(() => {
    if (state.hasMissed) reload();
    else setState(withWaitingShown);
  }, [state.hasMissed]);

  useEffect(() => {
    if (!isHeld) setState(withWaitingShown);
  }, [isHeld]);

  return {
    ...state,
    more: () => more(state.next),
    reload,
    showWaiting,
  };
}

/** The feed sends no codes: what may have one that is filtered by is left to loading anew. */
function judge(rows: readonly NotificationRow[], filters: NotificationFilters) {
  const nowMs = timeOfDayMs();
  if (filters.codes.length === 0)
    return { rows, skipped: 0, isMatch: (row: NotificationRow) => isMatch(filters, row, nowMs) };
  const others = { ...filters, objects: [], codes: [] };
  return { rows, skipped: rows.filter((row) => isMatch(others, row, nowMs)).length, isMatch: () => false };
}

async function loadPage(
  filters: NotificationFilters,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<LoadedPage> {
  const { value, headers } = await requestAnswer<NotificationRow[]>('/WebhookNotification', {
    query: {
      filter: apiFilters(filters, timeOfDayMs()),
      sort: ['createdDate(DS)', 'key(DS)'],
      ...pageQuery(cursor),
    },
    fields: rowFields,
    headers: { nocount: 'YES' },
    signal,
  });
  rememberCodes(value);
  return { rows: value, next: nextCursor(headers) };
}
