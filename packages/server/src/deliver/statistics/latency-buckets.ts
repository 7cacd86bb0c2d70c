// How long deliveries take, as counts in ranges of time. Each range ends at the square root of two times its start, so a
// percentile read from the counts is at most 19 % too high or too low.

/** The first range is up to a millisecond; the last one has everything beyond a day and a half. */
export const bucketsMax = 54;

/** SQL of the range of a duration in milliseconds, from 0. */
export function bucketOf(ms: string): string {
  return `least(${bucketsMax}, ceil(2 * ln(greatest(${ms}, 1)) / ln(2)))`;
}

/** `counts`: one for each range. In milliseconds; null if nothing was counted. */
export function percentileOf(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = Math.ceil(total * share);
  let seen = 0;
  const bucket = counts.findIndex((count) => {
    seen += count;
    return seen >= rank;
  });
  // The middle of the range, by ratio.
  return bucket === 0 ? 1 : Math.round(2 ** ((bucket - 0.5) / 2));
}

export function addCounts(one: readonly number[], other: readonly number[]): number[] {
  const length = Math.max(one.length, other.length);
  return Array.from({ length }, (_, index) => (one[index] ?? 0) + (other[index] ?? 0));
}
