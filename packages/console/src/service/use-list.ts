// A list that is loaded page by page, as far as it is scrolled.

import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { requestAnswer } from './request.ts';

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
  /** Changes the rows that are here, for example by what the live feed says. */
  change(edit: (rows: readonly Row[]) => readonly Row[]): void;
}

interface State<Row> {
  rows: readonly Row[];
  total: number | undefined;
  next: string | undefined;
  kind: 'loading' | 'ready' | 'failed';
  error: unknown;
}

const pageSize = '100';

export function useList<Row>({ path, filter = [], sort = [], fields }: ListWish): LoadedList<Row> {
  const empty: State<Row> = { rows: [], total: undefined, next: undefined, kind: 'loading', error: undefined };
  const [state, setState] = useState(empty);
  const [round, setRound] = useState(0);
  const abort = useRef(new AbortController());
  const isLoading = useRef(false);
  const identity = JSON.stringify([path, filter, sort, fields]);

  const load = useCallback(
    async (cursor: string | undefined, controller: AbortController) => {
      isLoading.current = true;
      try {
        const query = {
          filter,
          sort,
          limit: pageSize,
          ...(cursor === undefined ? { pageNumber: 1 } : { after: cursor }),
        };
        const options = { query, fields, signal: controller.signal };
        const { value, headers } = await requestAnswer<Row[]>(path, options);
        if (controller.signal.aborted) return;
        setState((before) => ({
          rows: cursor === undefined ? value : [...before.rows, ...value],
          total: totalOf(headers) ?? before.total,
          next: nextCursor(headers),
          kind: 'ready',
          error: undefined,
        }));
      } catch (error) {
        if (!controller.signal.aborted) setState((before) => ({ ...before, kind: 'failed', error }));
      } finally {
        if (!controller.signal.aborted) isLoading.current = false;
      }
    },
    [identity],
  );

  useEffect(() => {
    const controller = new AbortController();
    abort.current = controller;
    setState((before) => ({ ...before, kind: 'loading' }));
    load(undefined, controller);
    return () => controller.abort();
  }, [load, round]);

  return {
    ...state,
    more: () => {
      if (state.next !== undefined && !isLoading.current) load(state.next, abort.current);
    },
    reload: useCallback(() => setRound((count) => count + 1), []),
    change: useCallback((edit) => setState((before) => ({ ...before, rows: edit(before.rows) })), []),
  };
}

function totalOf(headers: Headers): number | undefined {
  const text = headers.get('totalobjectsnumber');
  return text === null ? undefined : Number(text);
}

/** The cursor of the link to the next page (RFC 8288). */
export function nextCursor(headers: Headers): string | undefined {
  const link = (headers.get('link') ?? '').split(/,\s*(?=<)/).find((each) => /rel="?next"?/.test(each));
  const url = link?.match(/^<([^>]*)>/)?.[1];
  return (url && new URL(url, window.location.href).searchParams.get('after')) || undefined;
}
