// A percentile read from the counts is at most 19 % too high or too low.

import { expect, test } from 'vitest';
import { addCounts, bucketOf, percentileOf } from '../../src/deliver/statistics/latency-buckets.ts';
import { useTestDatabase } from '../support/test-database.ts';

const { pool } = useTestDatabase();

test('the percentile of equal durations is that duration, within 19 %', async () => {
  const durations = [0.2, 1, 1.5, 2, 7, 13.3, 50, 99, 1000, 4321, 59_999, 3_600_000, 86_400_000];
  const { rows } = await pool.query(`select d, ${bucketOf('d')}::int as bucket from unnest($1::float8[]) as d`, [
    durations,
  ]);
  expect(rows).toHaveLength(durations.length);
  for (const { d, bucket } of rows) {
    const counts = Array(bucket + 1).fill(0);
    counts[bucket] = 10;
    for (const share of [0.01, 0.5, 0.99, 1]) {
      const found = percentileOf(counts, share)!;
      const ratio = found / Math.max(1, d);
      // Whole milliseconds.
      expect(Math.abs(found - Math.max(1, d)) <= 1 || (ratio > 1 / 1.2 && ratio < 1.2), `${d} → ${found}`).toBe(true);
    }
  }
});

test('percentiles count from the shortest, and nothing has none', () => {
  expect(percentileOf([], 0.5)).toBeNull();
  expect(percentileOf([0, 0], 0.5)).toBeNull();
  expect(percentileOf([99, 0, 0, 0, 1], 0.5)).toBe(1);
  expect(percentileOf([99, 0, 0, 0, 1], 0.99)).toBe(1);
  expect(percentileOf([98, 0, 0, 0, 2], 0.99)).toBe(3);
  expect(addCounts([1, 2], [0, 0, 5])).toEqual([1, 2, 5]);
});
