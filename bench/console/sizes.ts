// How much is measured: a full run for results to quote, or a smoke run that only shows that everything works.

import type { RoundPlan } from '../harness/rounds.ts';
import type { LogPlan } from './log-table.ts';

export interface Sizes {
  voyages: number;
  log: LogPlan;
  lists: RoundPlan;
  writes: { rounds: number; changes: number; receivers: number };
}

export const fullSizes: Sizes = {
  voyages: 20_000,
  log: { users: 100, subscriptions: 10_000, notifications: 1_000_000, days: 30 },
  lists: { rounds: 7, durationMs: 400, warmUpMs: 400 },
  writes: { rounds: 9, changes: 1_000, receivers: 10 },
};

export const quickSizes: Sizes = {
  voyages: 200,
  log: { users: 5, subscriptions: 100, notifications: 4_000, days: 3 },
  lists: { rounds: 2, durationMs: 50, warmUpMs: 50 },
  writes: { rounds: 2, changes: 20, receivers: 2 },
};
