// The names of subscriptions, for the chips of the filters: those that the page has seen, and others from the service.

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { containing, isKeyText } from '../../service/filter-value.ts';
import { request } from '../../service/request.ts';

export interface NamedSubscription {
  key: number;
  name?: string | null;
}

const known = signal<ReadonlyMap<number, string>>(new Map());

export function remember(subscriptions: readonly NamedSubscription[]): void {
  const next = new Map(known.peek());
  for (const { key, name } of subscriptions) next.set(key, name || String(key));
  known.value = next;
}

export function useSubscriptionNames(keys: readonly number[]): ReadonlyMap<number, string> {
  const unknown = keys.filter((key) => !known.value.has(key)).join(',');
  useEffect(() => {
    if (unknown === '') return;
    request<NamedSubscription[]>('/WebhookSubscription', {
      query: { filter: `key(IN)(${unknown})`, limit: 100 },
      fields: { name: '*' },
    }).then(remember, () => undefined);
  }, [unknown]);
  return known.value;
}

/** By a part of the name, or by the key. */
export function patternFilter(text: string): string[] {
  return [`name(ILIKE)${containing(text)}`, ...(isKeyText(text) ? ['(OR)', `key(EQ)${text}`] : [])];
}
