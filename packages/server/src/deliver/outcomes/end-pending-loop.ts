// Fails the pending notifications of subscriptions that have ended or were deactivated, in batches. A million of them
// must not delay the transaction that ends a subscription.

import type { Database, Row } from '../../database/database.ts';
import { type Stopping, WorkLoop } from '../../database/work-loop.ts';
import type { Observe } from '../../observe/observation.ts';
import { deleteEnded, failPending, selectEnded } from './outcome-table.ts';

const pollEveryMs = 500;
const rowsMax = 2_000;

export function createEndPendingLoop(database: Database, observe: Observe): WorkLoop {
  return new WorkLoop({
    round: async (loop) => {
      for (const row of await database.run(selectEnded())) await endPending(database, row, loop);
      return false;
    },
    pollEveryMs,
    onError: (error) => observe({ kind: 'delivery.failed', error }),
  });
}

/** Deletes the entry only when nothing is left: matching in progress may have added notifications. */
async function endPending(database: Database, { key, reason, state }: Row, loop: Stopping): Promise<void> {
  const withResends = state === 'UNSUBSCRIBED';
  const some = { subscriptionKey: Number(key), errorMessage: String(reason), withResends, rowsMax };
  let failed = rowsMax;
  while (failed === rowsMax && !loop.isStopping) failed = (await database.run(failPending(some))).length;
  if (failed < rowsMax) await database.run(deleteEnded(some));
}
