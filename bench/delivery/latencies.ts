// Computes latencies from when changes were due and when they arrived.

import { quantile } from '../harness/statistics.ts';
import type { ChangePlan, ChangeResult } from './change-generator.ts';
import type { Received } from './sink.ts';

/** Milliseconds. */
export interface LatencyRound {
  p50: number;
  p95: number;
  p99: number;
  max: number;
}

/** Of the received ones, by first arrival, in the order of the changes. */
export function latenciesOf(
  { mark, perSecond, count }: Pick<ChangePlan, 'mark' | 'perSecond' | 'count'>,
  { startMs }: Pick<ChangeResult, 'startMs'>,
  { ids, atMs }: Pick<Received, 'ids' | 'atMs'>,
  markOf: (id: string) => string,
): number[] {
  const arrivals = new Map<string, number>();
  for (const [n, id] of ids.entries()) {
    const text = markOf(id);
    if (!arrivals.has(text)) arrivals.set(text, atMs[n]!);
  }
  return Array.from({ length: count }, (_, n) => {
    const arrivedMs = arrivals.get(`${mark} ${n}`);
    return arrivedMs === undefined ? [] : [arrivedMs - (startMs + (n * 1000) / perSecond)];
  }).flat();
}

export function summarise(latencies: readonly number[]): LatencyRound {
  const sorted = Float64Array.from(latencies).sort();
  return {
    p50: quantile(sorted, 0.5),
    p95: quantile(sorted, 0.95),
    p99: quantile(sorted, 0.99),
    max: quantile(sorted, 1),
  };
}
