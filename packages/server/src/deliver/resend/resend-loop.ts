// Advances the resend jobs for as long as the process runs. Each round takes one step of each job, so that a short job
// does not wait for a long one.

import type { Database } from '../../database/database.ts';
import { isTemporary } from '../../database/database-away.ts';
import { WorkLoop } from '../../database/work-loop.ts';
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

export class ResendLoop {
  readonly #parts: ResendLoopParts;
  readonly #loop = new WorkLoop({ round: () => this.#turn(), pollEveryMs });

  constructor(parts: ResendLoopParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#loop.start();
  }

  /** Finishes the step in progress. */
  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Takes one step of each job. A fault in one job does not delay the others. */
  async #turn(): Promise<boolean> {
    const { database, observe } = this.#parts;
    let isMore = false;
    try {
      for (const { key } of await database.run(selectResends())) {
        if (this.#loop.isStopping) return false;
        isMore = (await this.#step(Number(key))) || isMore;
      }
    } catch (error) {
      if (!isTemporary(error)) observe({ kind: 'delivery.failed', error: error as Error });
      return false;
    }
    return isMore;
  }

  async #step(jobKey: number): Promise<boolean> {
    const { database, observe, onMoved } = this.#parts;
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
}
