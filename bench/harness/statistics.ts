// Summarises measurements. A median withstands a single disturbed round, a mean does not.

export interface Spread {
  median: number;
  /** A quarter of the values lie below `lower`, a quarter above `upper`. */
  lower: number;
  upper: number;
  min: number;
  max: number;
  count: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = Float64Array.from(values).sort();
  return {
    median: quantile(sorted, 0.5),
    lower: quantile(sorted, 0.25),
    upper: quantile(sorted, 0.75),
    min: quantile(sorted, 0),
    max: quantile(sorted, 1),
    count: sorted.length,
  };
}

/** Interpolates between two values; NaN for an empty list. */
export function quantile(sorted: ArrayLike<number>, fraction: number): number {
  const place = fraction * (sorted.length - 1);
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}

/**
 * The ratio of each round. A disturbance affects both contenders of a round, so ratios per round mean more than the
 * ratio of two medians.
 */
export function ratios(ones: readonly number[], others: readonly number[]): Spread {
  return spreadOf(ones.map((one, round) => one / (others[round] ?? Number.NaN)));
}
