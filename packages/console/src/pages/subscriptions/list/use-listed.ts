// The list of subscriptions, kept up to date: what has changed is read again, and the list stays where it is scrolled.

import { useEffect } from 'preact/hooks';
import { onFeed } from '../../../service/live-feed.ts';
import { request } from '../../../service/request.ts';
import { type LoadedList, useList } from '../../../service/use-list.ts';
import { type ListedSubscription, listFields } from './list-columns.tsx';

/** More changes at once than this are read again with the whole list. */
const rowsAtOnce = 200;

export function useListed(filter: readonly string[]): LoadedList<ListedSubscription> {
  const list = useList<ListedSubscription>({
    path: '/WebhookSubscription',
    filter,
    sort: ['key(DS)'],
    fields: listFields,
  });
  const { rows, total, change, reload } = list;
  useEffect(() => {
    const update = async (keys: readonly number[]) => {
      const known = keys.filter((key) => rows.some((row) => row.key === key));
      const isShort = total !== undefined && total === rows.length;
      if (isShort && known.length < keys.length) return reload();
      if (known.length === 0 || known.length > rowsAtOnce) return;
      const changed = await readRows(known);
      change((before) => before.map((row) => changed.get(row.key) ?? row));
    };
    const ends = [
      onFeed('subscriptions', ({ keys }) => update(keys).catch(() => undefined)),
      onFeed('reconnected', reload),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [rows, total, change, reload]);
  return list;
}

async function readRows(keys: readonly number[]): Promise<ReadonlyMap<number, ListedSubscription>> {
  const rows = await request<ListedSubscription[]>('/WebhookSubscription', {
    query: { filter: `key(IN)(${keys.join(',')})`, limit: keys.length },
    fields: listFields,
    headers: { noCount: 'YES' },
  });
  return new Map(rows.map((row) => [row.key, row]));
}
