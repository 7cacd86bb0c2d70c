// How much is measured: a full run for results to quote, or a smoke run that only shows that everything works.

export interface Sizes {
  /** Voyages in every database. */
  voyages: number;
  engines: { rounds: number; durationMs: number; warmUpMs: number };
  backlog: {
    /** Changes of a round, each of another voyage. */
    events: number;
    rounds: number;
    /** Of the bare engine, in turns with a round of ours. */
    bareMs: number;
  };
  neighbours: { voyages: number; perSecond: number; rounds: number; durationMs: number; warmUpMs: number };
}

export const fullSizes: Sizes = {
  voyages: 500,
  engines: { rounds: 7, durationMs: 1_500, warmUpMs: 2_000 },
  backlog: { events: 500, rounds: 3, bareMs: 2_000 },
  neighbours: { voyages: 20, perSecond: 50, rounds: 3, durationMs: 7_000, warmUpMs: 3_000 },
};

export const quickSizes: Sizes = {
  voyages: 100,
  engines: { rounds: 2, durationMs: 100, warmUpMs: 100 },
  backlog: { events: 20, rounds: 1, bareMs: 100 },
  neighbours: { voyages: 20, perSecond: 50, rounds: 1, durationMs: 1_000, warmUpMs: 500 },
};
