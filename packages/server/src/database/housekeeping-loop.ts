// Deletes expired rows at regular intervals, a few rows at a time.

import type { Observe } from '../observe/observation.ts';
import type { Database, Statement } from './database.ts';
import { WorkLoop } from './work-loop.ts';

export interface HousekeepingParts {
  database: Database;
  observe: Observe;
  /** Deletes a few rows and returns one row for each; returns no rows when none are left. */
  deleteSome: () => Statement;
  everyMs: number;
}

export function createHousekeepingLoop({ database, observe, deleteSome, everyMs }: HousekeepingParts): WorkLoop {
  return new WorkLoop({
    round: async () => (await database.run(deleteSome())).length > 0,
    pollEveryMs: everyMs,
    onError: (error) => observe({ kind: 'housekeeping.failed', error }),
    restsFirst: true,
  });
}
