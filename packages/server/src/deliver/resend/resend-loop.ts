// Advances the resend jobs for as long as the process runs. Each round takes one step of each job, so that a short job
// does not wait for a long one.

import type { Database } from '../../database/database.ts';
import { isTemporary } from '../../database/database-away.ts';
import { type Stopping, WorkLoop } from '../../database/work-loop.ts';
import type { Observe } from '../../observe/observation.ts';
import { selectResends } from './resend-progress-table.ts';
import { resendRound } from './resend-round.ts';

export interface ResendLoopParts {
  database: Database;
  observe: Observe;
  /** Called when notifications are ready to be sent. */
  onMoved(): void;
}

const pollEveryMs = 250;

export function createResendLoop(parts: ResendLoopParts): WorkLoop {
  return new WorkLoop({
    round: (loop) => stepAll(parts, loop),
    pollEveryMs,
    onError: (error) => parts.observe({ kind: 'delivery.failed', error }),
  });
}

/** Takes one step of each job. A fault in one job does not delay the others. */
async function stepAll(parts: ResendLoopParts, loop: Stopping): Promise<boolean> {
  let isMore = false;
  for (const { key } of await parts.database.run(selectResends())) {
    if (loop.isStopping) return false;
    isMore = (await step(parts, Number(key))) || isMore;
  }
  return isMore;
}

async function step({ database, observe, onMoved }: ResendLoopParts, jobKey: number): Promise<boolean> {
  try {
    const { moved, isMore } = await resendRound(database, jobKey);
    if (moved > 0) onMoved();
    return isMore;
  } catch (error) {
    if (isTemporary(error)) throw error;
    observe({ kind: 'resend.failed', job: jobKey, error: error as Error });
    return false;
  }
}
