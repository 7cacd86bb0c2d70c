// How deliveries of subscriptions go: asked for the subscriptions that are shown, and again every half minute.

import { useEffect, useRef, useState } from 'preact/hooks';
import { onFeed } from '../../service/live-feed.ts';
import { request } from '../../service/request.ts';

export interface Health {
  subscription: number;
  status: string;
  deliveredLastHour: number;
  failedLastHour: number;
  pending: number;
  oldestPendingAt: string | null;
  lastError: { at: string; text: string; status: number | null } | null;
  failingSince: string | null;
  /** One for each of the last 24 hours, oldest first. */
  points: { delivered: number; failed: number }[];
}

/** The service counts no further. */
const pendingMax = 1_000;

export function pendingText(pending: number): string {
  return pending >= pendingMax ? `${pendingMax.toLocaleString()}+` : pending.toLocaleString();
}

/** How many the service is asked for at once. */
const keysAtOnce = 200;
const againMs = 30_000;

async function loadHealth(keys: readonly number[], signal: AbortSignal): Promise<Health[]> {
  const chunks = Array.from({ length: Math.ceil(keys.length / keysAtOnce) }, (_, index) =>
    keys.slice(index * keysAtOnce, (index + 1) * keysAtOnce),
  );
  const answers = await Promise.all(
    chunks.map((chunk) =>
      request<{ subscriptions: Health[] }>('/WebhookSubscription/health', {
        query: { subscriptions: chunk.join(',') },
        signal,
      }),
    ),
  );
  return answers.flatMap(({ subscriptions }) => subscriptions);
}

/** By key. What could not be loaded is missing: a list is of use without it. */
export function useHealth(keys: readonly number[]): ReadonlyMap<number, Health> {
  const [known, setKnown] = useState<ReadonlyMap<number, Health>>(new Map());
  const asked = useRef(new Set<number>());
  const latest = useRef(keys);
  latest.current = keys;
  const loading = useRef(new AbortController());

  const load = async (wanted: readonly number[]) => {
    if (wanted.length === 0) return;
    const { signal } = loading.current;
    try {
      const loaded = await loadHealth(wanted, signal);
      if (!signal.aborted)
        setKnown((before) => new Map([...before, ...loaded.map((each) => [each.subscription, each] as const)]));
    } catch {
      // Shown as unknown; the next round tries again.
    }
  };

  useEffect(() => {
    const news = keys.filter((key) => !asked.current.has(key));
    for (const key of news) asked.current.add(key);
    load(news);
  }, [keys.join()]);

  useEffect(() => {
    loading.current = new AbortController();
    const timer = setInterval(() => {
      if (!document.hidden) load(latest.current);
    }, againMs);
    const ends = [
      onFeed('subscriptions', ({ keys: changed }) => load(changed.filter((key) => latest.current.includes(key)))),
      onFeed('reconnected', () => load(latest.current)),
    ];
    return () => {
      clearInterval(timer);
      loading.current.abort();
      for (const end of ends) end();
    };
  }, []);

  return known;
}
