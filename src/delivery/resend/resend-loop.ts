// Keeps resends going, for as long as the process runs: step by step, each job in its turn, a long one together with a short one.

import type { Database } from '../../database/database.ts';
import { isPassing } from '../../database/database-away.ts';
import { WorkLoop } from '../../database/work-loop.ts';
import { selectResends } from '../../notifications/resend-progress-table.ts';
import type { Observe } from '../../observability/observation.ts';
import { resendRound } from './resend-round.ts';

export interface ResendLoopParts {
  database: Database;
  observe: Observe;
  /** Something is ready to be sent. */
  onMoved(): void;
}

const askedEveryMs = 250;

export class ResendLoop {
  readonly #parts: ResendLoopParts;
  readonly #loop = new WorkLoop({ round: () => this.#turn(), askedEveryMs });

  constructor(parts: ResendLoopParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#loop.start();
  }

  /** Finishes the step that is under way. */
  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** One step of each job. A fault with one of them holds up no other. */
  async #turn(): Promise<boolean> {
    const { database, observe } = this.#parts;
    let isMore = false;
    try {
      for (const { key } of await database.run(selectResends())) {
        if (this.#loop.isStopping) return false;
        isMore = (await this.#step(Number(key))) || isMore;
      }
    } catch (error) {
      if (!isPassing(error)) observe({ kind: 'delivery.failed', error: error as Error });
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
      if (isPassing(error)) throw error;
      observe({ kind: 'resend.failed', job: jobKey, error: error as Error });
      return false;
    }
  }
}
