// The list of subscriptions, kept up to date: what has changed is read again, what is new appears in its place, and the
// list stays where it is scrolled.

import { useEffect, useRef } from 'preact/hooks';
import { onFeed } from '../../../service/live-feed.ts';
import { request } from '../../../service/request.ts';
import { type LoadedList, useList } from '../../../service/use-list.ts';
import { type ListedSubscription, listFields } from './list-columns.tsx';
import { withCondition } from './subscription-filter.ts';

const path = '/WebhookSubscription';

/** How many are read again at once. */
const keysAtOnce = 200;

type List = LoadedList<ListedSubscription>;

export function useListed(filter: readonly string[]): List {
  const list = useList<ListedSubscription>({ path, filter, sort: ['key(DS)'], fields: listFields });
  const latest = useRef(list);
  latest.current = list;
  const changed = useRef(new Set<number>());
  const { kind, reload } = list;

  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    let isReading = false;
    // One request after the other, so that no older answer replaces a newer one. A first page that is being
    // loaded may be older than a change, which is therefore read afterwards.
    const readChanged = async () => {
      if (isReading || kind !== 'ready') return;
      isReading = true;
      while (changed.current.size > 0 && (await readSome(changed.current, filter, latest, signal)));
      isReading = false;
    };
    readChanged();
    const ends = [
      onFeed('subscriptions', ({ keys }) => {
        for (const key of keys) changed.current.add(key);
        readChanged();
      }),
      onFeed('reconnected', reload),
    ];
    return () => {
      ending.abort();
      for (const end of ends) end();
    };
  }, [JSON.stringify(filter), kind, reload]);
  return list;
}

/** Returns false after a failure, which is not reported: with the next change, all is read again. */
async function readSome(
  changed: Set<number>,
  filter: readonly string[],
  latest: { readonly current: List },
  signal: AbortSignal,
): Promise<boolean> {
  const keys = [...changed].slice(0, keysAtOnce);
  for (const key of keys) changed.delete(key);
  try {
    const rows = await readAgain(keys, filter, latest.current, signal);
    signal.throwIfAborted();
    latest.current.change((before) => mergeRows(before, rows));
    return true;
  } catch {
    for (const key of keys) changed.add(key);
    return false;
  }
}

/** Rows that are shown stay when they no longer match. Those of pages that are not loaded yet are left out. */
async function readAgain(
  keys: readonly number[],
  filter: readonly string[],
  { rows, total }: List,
  signal: AbortSignal,
): Promise<ListedSubscription[]> {
  const shown = new Set(rows.map(({ key }) => key));
  const last = total === undefined || total > rows.length ? (rows.at(-1)?.key ?? 0) : 0;
  const known = keys.filter((key) => shown.has(key));
  const others = keys.filter((key) => !shown.has(key) && key > last);
  const read = await Promise.all([
    readRows(known, [], signal),
    // They are new, or have begun to match.
    readRows(others, filter, signal),
  ]);
  return read.flat();
}

async function readRows(
  keys: readonly number[],
  filter: readonly string[],
  signal: AbortSignal,
): Promise<ListedSubscription[]> {
  if (keys.length === 0) return [];
  return request(path, {
    query: { filter: withCondition(filter, `key(IN)(${keys.join(',')})`), limit: keys.length },
    fields: listFields,
    headers: { noCount: 'YES' },
    signal,
  });
}

/** In the order of the list: by key, the newest first. */
function mergeRows(
  rows: readonly ListedSubscription[],
  changes: readonly ListedSubscription[],
): readonly ListedSubscription[] {
  const byKey = new Map([...rows, ...changes].map((row) => [row.key, row]));
  return [...byKey.values()].sort((a, b) => b.key - a.key);
}
