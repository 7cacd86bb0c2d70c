// How much is measured: a full run for results to quote, or a smoke run that only shows that everything works.

export interface Sizes {
  /** Processes of each role. */
  processes: readonly number[];
  /** Connections of the load generator, with one process of each role. The last one is used everywhere else. */
  connections: readonly number[];
  /** Receivers of each change. The model is fitted to the first and the last; the others are predicted. */
  receivers: readonly number[];
  rounds: number;
  durationMs: number;
  /** Each process answers so many before anything is measured, because V8 compiles its code meanwhile. */
  warmUpChanges: number;
  voyages: number;
}

export const fullSizes: Sizes = {
  processes: [1, 2, 4, 8],
  connections: [1, 4, 16, 32],
  receivers: [1, 4, 10],
  rounds: 3,
  durationMs: 8_000,
  warmUpChanges: 3_000,
  voyages: 5_000,
};

export const quickSizes: Sizes = {
  processes: [1, 2],
  connections: [1, 8],
  receivers: [1, 2, 3],
  rounds: 1,
  durationMs: 500,
  warmUpChanges: 100,
  voyages: 200,
};
