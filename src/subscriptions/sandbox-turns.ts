// Turns in the sandbox where scripts and stylesheets are checked when they are saved, and tried out: one of each user at a time. So whoever
// saves what takes long, again and again, holds up the others by one such check at most.

import { ApiError } from '../errors.ts';
import { PoolBusy } from '../sandbox/worker-pool.ts';

/** Of one user, the one that has its turn among them. */
const takenMax = 5;

interface Queue {
  length: number;
  last: Promise<unknown>;
}

export class SandboxTurns {
  /** By user; undefined is the service itself. */
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
