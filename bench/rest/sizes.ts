// How much is measured: a full run for results to quote, or a smoke run that only shows that everything works.

import type { RoundPlan } from '../harness/rounds.ts';

export interface Sizes {
  connections: number;
  databaseConnections: number;
  /** Voyages in the database of the comparison. */
  voyages: number;
  comparison: RoundPlan;
  orientation: RoundPlan;
  profileMs: number;
  queueing: RoundPlan & { voyages: number; sqlConnections: number };
  scale: RoundPlan & { small: number; large: number; matches: number };
}

export const fullSizes: Sizes = {
  connections: 32,
  databaseConnections: 16,
  voyages: 10_000,
  comparison: { rounds: 7, durationMs: 5_000, warmUpMs: 4_000 },
  orientation: { rounds: 3, durationMs: 3_000, warmUpMs: 2_000 },
  profileMs: 6_000,
  queueing: { rounds: 9, durationMs: 3_000, warmUpMs: 2_000, voyages: 1_000, sqlConnections: 8 },
  scale: { rounds: 9, durationMs: 1_500, warmUpMs: 1_500, small: 10_000, large: 1_000_000, matches: 1_000 },
};

export const quickSizes: Sizes = {
  connections: 8,
  databaseConnections: 16,
  voyages: 1_000,
  comparison: { rounds: 2, durationMs: 300, warmUpMs: 200 },
  orientation: { rounds: 2, durationMs: 200, warmUpMs: 100 },
  profileMs: 300,
  queueing: { rounds: 2, durationMs: 300, warmUpMs: 200, voyages: 500, sqlConnections: 4 },
  scale: { rounds: 2, durationMs: 200, warmUpMs: 100, small: 1_000, large: 5_000, matches: 200 },
};
