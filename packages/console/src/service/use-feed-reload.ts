// Loads something again when the live feed says that it has changed, or cannot say.

import { useEffect, useRef, useState } from 'preact/hooks';
import { type FeedEvents, onFeed } from './live-feed.ts';
import type { Reloadable } from './use-loaded.ts';

/** For each event, whether what was loaded may be out of date. After `reconnected` it always may. */
export type FeedConcerns = {
  [K in 'notifications' | 'changes' | 'subscriptions']?: (data: FeedEvents[K]) => boolean;
};

/** Under load, nothing is loaded more often than this. */
const reloadEveryMs = 1_000;

/** A load that is under way is not interrupted, or slow answers would never be shown. */
export function useFeedReload({ kind, reload }: Reloadable<unknown>, concerns: FeedConcerns): void {
  const [isOutdated, setOutdated] = useState(false);
  const latest = useRef(concerns);
  latest.current = concerns;
  const reloadedAt = useRef(Number.NEGATIVE_INFINITY);

  useEffect(() => {
    const listen = <K extends keyof FeedConcerns>(event: K) =>
      onFeed(event, (data) => {
        if (latest.current[event]?.(data)) setOutdated(true);
      });
    const ends = [
      listen('notifications'),
      listen('changes'),
      listen('subscriptions'),
      onFeed('reconnected', () => setOutdated(true)),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, []);

  const isDue = isOutdated && kind !== 'loading';
  useEffect(() => {
    if (!isDue) return;
    const start = () => {
      reloadedAt.current = performance.now();
      setOutdated(false);
      reload();
    };
    const timer = setTimeout(start, Math.max(0, reloadedAt.current + reloadEveryMs - performance.now()));
    return () => clearTimeout(timer);
  }, [isDue, reload]);
}
