// Dice for the demo. All chance comes from one function, so that a seeded one replays the same fleet.

/** At least 0, below 1, as Math.random. */
export type Random = () => number;

export function pick<T>(random: Random, items: readonly T[]): T | undefined {
  return items[Math.floor(random() * items.length)];
}

/** From `min` to `max`, both included, in steps. */
export function between(random: Random, min: number, max: number, step = 1): number {
  const steps = Math.floor((max - min) / step + 1e-9);
  return roundTo(min + Math.floor(random() * (steps + 1)) * step, 0.0001);
}

/** Free of the dust of binary fractions: 0.30000000000000004 has more digits than the service takes. */
export function roundTo(value: number, step: 1 | 0.1 | 0.01 | 0.001 | 0.0001): number {
  return Math.round(value / step) / Math.round(1 / step);
}
