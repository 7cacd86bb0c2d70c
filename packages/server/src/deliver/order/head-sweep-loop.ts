// Finds heads that nobody has promoted: because a process died between two statements, because notifications were
// failed in bulk, or because a resend has blocked them. Goes through all ordered objects that have pending
// notifications, and rests longer the longer that took.

import type { Database } from '../../database/database.ts';
import { type Stopping, WorkLoop } from '../../database/work-loop.ts';
import type { Observe } from '../../observe/observation.ts';
import type { HeadPromoter } from './head-promoter.ts';
import { type OrderedObject, selectOrderedObjects } from './order-table.ts';

export interface HeadSweepParts {
  database: Database;
  observe: Observe;
  promoter: Pick<HeadPromoter, 'promote'>;
}

const pollEveryMs = 2_000;
/** The rest after a sweep, as a multiple of the time that the sweep took. */
const restFactor = 5;
/** A resend waits for the sweep, and a busy machine must not delay it for long. */
const restMsMax = 3_000;
const objectsAtOnce = 1_000;
const beforeAll: OrderedObject = { subscriptionKey: 0, orderedObject: 0 };

export function createHeadSweepLoop(parts: HeadSweepParts): WorkLoop {
  let restUntil = 0;
  return new WorkLoop({
    round: async (loop) => {
      const startedAt = performance.now();
      if (startedAt < restUntil) return false;
      await sweep(parts, loop);
      const endedAt = performance.now();
      restUntil = endedAt + Math.min(restMsMax, restFactor * (endedAt - startedAt));
      return false;
    },
    pollEveryMs,
    onError: (error) => parts.observe({ kind: 'delivery.failed', error }),
  });
}

async function sweep({ database, promoter }: HeadSweepParts, loop: Stopping): Promise<void> {
  let last = beforeAll;
  while (!loop.isStopping) {
    const rows = await database.run(selectOrderedObjects(last, objectsAtOnce));
    if (rows.length === 0) return;
    const objects = rows.map(({ subscription_key, ordered_object }) => ({
      subscriptionKey: Number(subscription_key),
      orderedObject: Number(ordered_object),
    }));
    await promoter.promote(objects);
    if (objects.length < objectsAtOnce) return;
    last = objects.at(-1)!;
  }
}
