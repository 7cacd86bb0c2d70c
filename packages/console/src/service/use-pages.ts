// The loading of a list page by page: one page at a time, and none that nobody waits for any more.

import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

interface PageUse<Page> {
  /** Without a cursor: the first page. */
  load(cursor: string | undefined, signal: AbortSignal): Promise<Page>;
  /** Before the first page is loaded, but not at a refresh. */
  onStart(): void;
  /** Whenever the first page is asked for. */
  onRequest?(): void;
  onPage(page: Page, isFirst: boolean): void;
  onError(error: unknown, isFirst: boolean): void;
}

export interface Pages {
  /** Loads the first page once more, beside the rows that are shown. */
  refresh(): void;
  more(cursor: string | undefined): void;
  /** Begins anew. */
  reload(): void;
}

/** `identity`: another one begins anew. */
export function usePages<Page>(identity: string, use: PageUse<Page>): Pages {
  const { load, onStart, onRequest, onPage, onError } = use;
  const [round, setRound] = useState(0);
  const abort = useRef(new AbortController());
  const isLoading = useRef(false);

  const loadPage = useCallback(
    async (cursor: string | undefined) => {
      const { signal } = abort.current;
      const isFirst = cursor === undefined;
      isLoading.current = true;
      if (isFirst) onRequest?.();
      try {
        const page = await load(cursor, signal);
        if (!signal.aborted) onPage(page, isFirst);
      } catch (error) {
        if (!signal.aborted) onError(error, isFirst);
      } finally {
        if (!signal.aborted) isLoading.current = false;
      }
    },
    [identity],
  );

  useEffect(() => {
    const controller = new AbortController();
    abort.current = controller;
    onStart();
    loadPage(undefined);
    return () => controller.abort();
  }, [loadPage, round]);

  return {
    refresh: useCallback(() => void loadPage(undefined), [loadPage]),
    more: (cursor) => {
      if (cursor !== undefined && !isLoading.current) loadPage(cursor);
    },
    reload: useCallback(() => setRound((count) => count + 1), []),
  };
}

/** The cursor of the link to the next page (RFC 8288). */
export function nextCursor(headers: Headers): string | undefined {
  const link = (headers.get('link') ?? '').split(/,\s*(?=<)/).find((each) => /rel="?next"?/.test(each));
  const url = link?.match(/^<([^>]*)>/)?.[1];
  return (url && new URL(url, window.location.href).searchParams.get('after')) || undefined;
}

/** The part of the query that asks for a page. */
export function pageQuery(cursor: string | undefined): Record<string, number | string> {
  return { limit: 100, ...(cursor === undefined ? { pageNumber: 1 } : { after: cursor }) };
}
