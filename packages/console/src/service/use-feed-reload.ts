// Loads something again when the live feed says that it has changed, or cannot say.

import { useEffect, useRef, useState } from 'preact/hooks';
import { type FeedEvents, onFeed } from './live-feed.ts';
import type { Reloadable } from './use-loaded.ts';

/** For each event, whether what was loaded may be out of date. After `reconnected` it always may. */
export type ReloadConditions = {
  [K in 'notifications' | 'changes' | 'subscriptions']?: (data: FeedEvents[K]) => boolean;
};

/**
 * Not more often than `everyMs`, however much happens. A load that is under way is not interrupted, or slow answers would
 * never be shown. A page that nobody sees waits until somebody does.
 */
export function useFeedReload(
  { kind, reload }: Reloadable<unknown>,
  concerns: ReloadConditions,
  everyMs: number = 1_000,
): void {
  const [isOutdated, setOutdated] = useState(false);
  const latest = useRef(concerns);
  latest.current = concerns;
  const reloadedAt = useRef(Number.NEGATIVE_INFINITY);

  useEffect(() => {
    const listen = <K extends keyof ReloadConditions>(event: K) =>
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
      if (document.hidden) return;
      reloadedAt.current = performance.now();
      setOutdated(false);
      reload();
    };
    const timer = setTimeout(start, Math.max(0, reloadedAt.current + everyMs - performance.now()));
    document.addEventListener('visibilitychange', start);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', start);
    };
  }, [isDue, reload]);
}
