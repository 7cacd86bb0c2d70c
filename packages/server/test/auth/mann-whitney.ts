// Whether two samples differ, by the Mann-Whitney test. It compares ranks, so a rare request of 50 ms counts no more
// than one of 5 ms.

export interface Difference {
  /** How likely two samples of the same thing differ as much as these. */
  p: number;
  /** Of the second sample less that of the first. */
  medianDifference: number;
}

export function compareSamples(first: readonly number[], second: readonly number[]): Difference {
  const all = [
    ...first.map((value) => ({ value, isFirst: true })),
    ...second.map((value) => ({ value, isFirst: false })),
  ];
  all.sort((one, other) => one.value - other.value);
  let rankSum = 0;
  let tieTerm = 0;
  for (let start = 0; start < all.length; ) {
    let end = start;
    while (end < all.length && all[end]!.value === all[start]!.value) end += 1;
    const ties = end - start;
    const rank = (start + 1 + end) / 2;
    rankSum += rank * all.slice(start, end).filter(({ isFirst }) => isFirst).length;
    tieTerm += ties ** 3 - ties;
    start = end;
  }
  const [n, m, total] = [first.length, second.length, all.length];
  const u = rankSum - (n * (n + 1)) / 2;
  const deviation = Math.sqrt(((n * m) / 12) * (total + 1 - tieTerm / (total * (total - 1))));
  const z = Math.abs(u - (n * m) / 2) / deviation;
  return { p: twoSided(z), medianDifference: medianOf(second) - medianOf(first) };
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.ceil((sorted.length - 1) / 2)]!) / 2;
}

/** Of the normal distribution, after Abramowitz and Stegun 7.1.26; good to 1e-7. */
function twoSided(z: number): number {
  const x = z / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const series = [1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592];
  const polynomial = series.reduce((sum, coefficient) => sum * t + coefficient, 0) * t;
  return polynomial * Math.exp(-x * x);
}
