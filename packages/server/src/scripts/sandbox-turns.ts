// Queues checks and dry runs of scripts and stylesheets in the sandbox: one per user at a time. A user who repeatedly
// saves slow ones delays the others by at most one such check.

import { PoolBusy } from '@flaghoist/thread-pool';
import { ApiError } from '../errors.ts';

/** The limit for one user, including the check that is running. */
const takenMax = 5;

interface Queue {
  length: number;
  last: Promise<unknown>;
}

export class SandboxTurns {
  /** By user key; undefined is the service itself. */
  readonly #queues = new Map<number | undefined, Queue>();

  async take<T>(userKey: number | undefined, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(userKey) ?? { length: 0, last: Promise.resolve() };
    if (queue.length >= takenMax)
      throw new ApiError('busy', 'Too many scripts and stylesheets of yours are being checked just now.');
    this.#queues.set(userKey, queue);
    queue.length += 1;
    const turn = queue.last.then(work);
    queue.last = turn.catch(() => undefined);
    try {
      return await turn;
    } catch (error) {
      if (!(error instanceof PoolBusy)) throw error;
      throw new ApiError('busy', 'Too many scripts and stylesheets are being checked just now.');
    } finally {
      queue.length -= 1;
      if (queue.length === 0) this.#queues.delete(userKey);
    }
  }
}
