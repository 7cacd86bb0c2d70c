// How much is measured: a full run for results to quote, or a smoke run that only shows that everything works.

export interface Sizes {
  /** Of the load generator, in a closed loop. */
  connections: number;
  /** Of changed objects; each has one. */
  receivers: number;
  rounds: number;
  durationMs: number;
  warmUpMs: number;
  latency: { rounds: number; durationMs: number };
  profileMs: number;
  foreign: { perSecond: number; rounds: number; durationMs: number };
}

export const fullSizes: Sizes = {
  connections: 32,
  receivers: 50,
  rounds: 5,
  durationMs: 12_000,
  warmUpMs: 20_000,
  latency: { rounds: 5, durationMs: 10_000 },
  profileMs: 10_000,
  foreign: { perSecond: 200, rounds: 5, durationMs: 10_000 },
};

export const quickSizes: Sizes = {
  connections: 4,
  receivers: 5,
  rounds: 1,
  durationMs: 500,
  warmUpMs: 300,
  latency: { rounds: 1, durationMs: 500 },
  profileMs: 500,
  foreign: { perSecond: 50, rounds: 1, durationMs: 500 },
};
