// How much is measured: a full run for results to quote, or a smoke run that only shows that everything works.

export interface Sizes {
  /** Voyages in every database; some of them are subscribed to. */
  voyages: number;
  backlog: {
    receivers: number;
    notifications: number;
    rounds: number;
    /** In each of the runs that are not timed: to warm up, to count statements, to take a profile. */
    aside: number;
  };
  latency: {
    receivers: number;
    perSecond: readonly number[];
    rounds: number;
    durationMs: number;
    warmUpMs: number;
  };
  hang: {
    workers: readonly number[];
    receivers: number;
    hangMs: number;
    perSecond: number;
    rounds: number;
    durationMs: number;
    warmUpMs: number;
  };
  dead: { receivers: number; dead: number; notifications: number; warmUp: number; rounds: number };
  order: { receivers: number; objects: number; notifications: number; warmUp: number; rounds: number };
  claims: { lanes: number; pending: readonly [number, number]; claims: number };
}

export const fullSizes: Sizes = {
  voyages: 1_000,
  backlog: { receivers: 50, notifications: 50_000, rounds: 9, aside: 10_000 },
  // The higher rate first: at 200 per second, V8 would take minutes to compile the programs. Decision 9 has the warm-up
  // times.
  latency: { receivers: 50, perSecond: [1_000, 200], rounds: 9, durationMs: 6_000, warmUpMs: 20_000 },
  hang: {
    workers: [1, 4],
    receivers: 100,
    hangMs: 10_000,
    perSecond: 500,
    rounds: 5,
    durationMs: 8_000,
    warmUpMs: 6_000,
  },
  dead: { receivers: 100, dead: 20, notifications: 120_000, warmUp: 4_000, rounds: 5 },
  order: { receivers: 50, objects: 1_000, notifications: 50_000, warmUp: 10_000, rounds: 9 },
  claims: { lanes: 50, pending: [10_000, 1_000_000], claims: 40 },
};

export const quickSizes: Sizes = {
  voyages: 200,
  backlog: { receivers: 10, notifications: 2_000, rounds: 2, aside: 1_000 },
  latency: { receivers: 10, perSecond: [100], rounds: 1, durationMs: 500, warmUpMs: 200 },
  hang: {
    workers: [1, 2],
    receivers: 10,
    hangMs: 1_000,
    perSecond: 100,
    rounds: 1,
    durationMs: 1_000,
    warmUpMs: 200,
  },
  dead: { receivers: 20, dead: 4, notifications: 1_000, warmUp: 500, rounds: 1 },
  order: { receivers: 10, objects: 100, notifications: 2_000, warmUp: 1_000, rounds: 1 },
  claims: { lanes: 50, pending: [2_000, 4_000], claims: 5 },
};
