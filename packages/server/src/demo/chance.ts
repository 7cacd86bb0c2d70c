// Random choices and sums for the demo. All randomness comes from one function, so that a seeded function replays the
// same fleet.

/** At least 0 and below 1, like `Math.random`. */
export type Random = () => number;

export function pick<T>(random: Random, items: readonly T[]): T | undefined {
  return items[Math.floor(random() * items.length)];
}

/** From `min` to `max`, both inclusive, in steps. */
export function between(random: Random, min: number, max: number, step = 1): number {
  const steps = Math.floor((max - min) / step + 1e-9);
  return roundTo(min + Math.floor(random() * (steps + 1)) * step, 0.0001);
}

/** Removes binary rounding errors: 0.30000000000000004 has more digits than the service accepts. */
export function roundTo(value: number, step: 1 | 0.1 | 0.01 | 0.001 | 0.0001): number {
  return Math.round(value / step) / Math.round(1 / step);
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
