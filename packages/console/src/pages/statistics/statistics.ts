// How many changes and notifications there were in the last hour, day or week.

import { useEffect } from 'preact/hooks';
import { request } from '../../service/request.ts';
import { type Reloadable, useLoaded } from '../../service/use-loaded.ts';

export type Range = 'HOUR' | 'DAY' | 'WEEK';

export const ranges: readonly { range: Range; words: string }[] = [
  { range: 'HOUR', words: 'Hour' },
  { range: 'DAY', words: 'Day' },
  { range: 'WEEK', words: 'Week' },
];

export interface Counts {
  changes: number;
  created: number;
  delivered: number;
  retried: number;
  failed: number;
  p50Ms: number | null;
  p99Ms: number | null;
}

export interface Point extends Counts {
  /** The start of the step. */
  at: string;
}

export interface Statistics {
  range: Range;
  from: string;
  to: string;
  stepSeconds: number;
  points: Point[];
  totals: Counts;
}

const reloadMs = 15_000;

/** Stays up to date while the page is visible. Without a range, nothing is loaded. `subscription`: of one alone. */
export function useStatistics(range: Range | undefined, subscription?: number): Reloadable<Statistics | undefined> {
  const loaded = useLoaded(
    async (signal) =>
      range &&
      (await request<Statistics>('/WebhookNotification/statistics', { query: { range, subscription }, signal })),
    [range, subscription],
  );
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) loaded.reload();
    }, reloadMs);
    return () => clearInterval(timer);
  }, []);
  return loaded;
}
