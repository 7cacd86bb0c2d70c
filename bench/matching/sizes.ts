// How much is measured: a full run for results to quote, or a smoke run that only shows that everything works.

export interface Sizes {
  /** Bunker orders in every database. */
  orders: number;
  growth: {
    subscriptions: readonly number[];
    /** Orders that change, the same for every number of subscriptions. */
    changedOrders: number;
    /** How often each of them changes in a round. */
    changes: number;
    rounds: number;
  };
  evaluation: { rounds: number; durationMs: number };
  memory: { subscriptions: number; distinct: number };
  /** `changedOfType`: how many voyages and how many bunker orders change in a round. */
  snapshots: { changedOfType: number; rounds: number };
  backlog: { subscriptions: number; events: number };
}

export const fullSizes: Sizes = {
  orders: 4_000,
  growth: { subscriptions: [100, 10_000, 100_000], changedOrders: 1_000, changes: 2, rounds: 7 },
  evaluation: { rounds: 15, durationMs: 300 },
  memory: { subscriptions: 100_000, distinct: 10_000 },
  snapshots: { changedOfType: 2_000, rounds: 15 },
  backlog: { subscriptions: 10_000, events: 200_000 },
};

export const quickSizes: Sizes = {
  orders: 200,
  growth: { subscriptions: [100, 1_000], changedOrders: 50, changes: 2, rounds: 2 },
  evaluation: { rounds: 3, durationMs: 20 },
  memory: { subscriptions: 1_000, distinct: 100 },
  snapshots: { changedOfType: 50, rounds: 2 },
  backlog: { subscriptions: 400, events: 2_000 },
};
