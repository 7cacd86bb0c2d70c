// A list that is loaded page by page, as far as it is scrolled.

import { useCallback, useState } from 'preact/hooks';
import { requestAnswer } from './request.ts';
import { nextCursor, pageQuery, usePages } from './use-pages.ts';

export interface ListWish {
  /** Below `/ws/rest`, for example `/WebhookNotification`. */
  path: string;
  filter?: readonly string[];
  sort?: readonly string[];
  fields?: unknown;
}

export interface LoadedList<Row> {
  rows: readonly Row[];
  /** Of all matches; undefined before the first page, or if nobody counted. */
  total: number | undefined;
  kind: 'loading' | 'ready' | 'failed';
  error: unknown;
  /** The next page, if there is one. */
  more(): void;
  reload(): void;
  /** Changes the rows that are here, for example by what the live feed says. Added rows are included in `total`. */
  change(edit: (rows: readonly Row[]) => readonly Row[]): void;
}

interface State<Row> {
  rows: readonly Row[];
  total: number | undefined;
  next: string | undefined;
  kind: 'loading' | 'ready' | 'failed';
  error: unknown;
}

export function useList<Row>({ path, filter = [], sort = [], fields }: ListWish): LoadedList<Row> {
  const empty: State<Row> = { rows: [], total: undefined, next: undefined, kind: 'loading', error: undefined };
  const [state, setState] = useState(empty);
  const { more, reload } = usePages(JSON.stringify([path, filter, sort, fields]), {
    load: (cursor, signal) =>
      requestAnswer<Row[]>(path, { query: { filter, sort, ...pageQuery(cursor) }, fields, signal }),
    onStart: () => setState((before) => ({ ...before, kind: 'loading' })),
    onPage: ({ value, headers }, isFirst) =>
      setState((before) => ({
        rows: isFirst ? value : [...before.rows, ...value],
        total: totalOf(headers) ?? before.total,
        next: nextCursor(headers),
        kind: 'ready',
        error: undefined,
      })),
    onError: (error) => setState((before) => ({ ...before, kind: 'failed', error })),
  });
  return {
    ...state,
    more: () => more(state.next),
    reload,
    change: useCallback((edit) => setState((before) => withRows(before, edit(before.rows))), []),
  };
}

function withRows<Row>(before: State<Row>, rows: readonly Row[]): State<Row> {
  const { total } = before;
  return { ...before, rows, total: total === undefined ? undefined : total + rows.length - before.rows.length };
}

function totalOf(headers: Headers): number | undefined {
  const text = headers.get('totalobjectsnumber');
  return text === null ? undefined : Number(text);
}
