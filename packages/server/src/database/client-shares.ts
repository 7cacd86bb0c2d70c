// Limits how many pool connections a client holds: at most a quarter of the pool, and half of that for long requests.
// Long requests of all clients together hold at most half of the pool, so that short requests still find a connection.
// Requests over a limit wait in a queue per client.

import { entryOf } from '../entry-of.ts';
import { DatabaseAway } from './database-away.ts';

export interface ClientSharesOptions {
  /** The size of the pool. */
  connections: number;
  /** Called when a request is next in its queue. After `later`, `wake` must be called when the client may start. */
  mayStart?: (client: string) => StartVerdict;
  /** How many requests of one client may wait. */
  waitingMax?: number;
}

/** An error rejects the request, which has done nothing yet: a write takes one place for its whole transaction. */
export type StartVerdict = 'now' | 'later' | Error;

/** Gives the place in the share back. Further calls have no effect. */
export type Release = () => void;

/** The queue of the client is full, so the request is rejected. */
export class TooManyWaiting extends Error {
  constructor(waitingMax: number) {
    super(`${waitingMax} requests of this client are already waiting. Send fewer at the same time.`);
    this.name = 'TooManyWaiting';
  }
}

interface Waiting {
  isLong: boolean;
  start(release: Release): void;
  fail(error: Error): void;
}

/** The running and waiting requests of one client. */
interface ClientQueue {
  client: string;
  running: number;
  runningLong: number;
  /** First come, first served, except that short requests overtake a long request that has to wait. */
  waiting: Waiting[];
}

export class ClientShares {
  readonly #limits: { share: number; longShare: number; long: number; waiting: number };
  readonly #mayStart: (client: string) => StartVerdict;
  /** The clients with running or waiting requests. A client whose long request starts or ends is moved to the end. */
  readonly #queues = new Map<string, ClientQueue>();
  #runningLong = 0;

  constructor({ connections, mayStart = () => 'now', waitingMax = 500 }: ClientSharesOptions) {
    const share = Math.max(1, Math.floor(connections / 4));
    this.#limits = {
      share,
      longShare: Math.max(1, Math.floor(share / 2)),
      long: Math.max(1, Math.floor(connections / 2)),
      waiting: waitingMax,
    };
    this.#mayStart = mayStart;
  }

  /** How many clients have running or waiting requests. */
  get size(): number {
    return this.#queues.size;
  }

  /** `isLong`: the request is expected to occupy the database for a long time. */
  take({ client, isLong }: { client: string; isLong: boolean }): Promise<Release> {
    const queue = entryOf(this.#queues, client, () => ({ client, running: 0, runningLong: 0, waiting: [] }));
    if (queue.waiting.length >= this.#limits.waiting) throw new TooManyWaiting(this.#limits.waiting);
    return new Promise((start, fail) => {
      queue.waiting.push({ isLong, start, fail });
      this.#startWaiting(queue);
    });
  }

  /** Starts waiting requests of the client, after `mayStart` has returned `later`. */
  wake(client: string): void {
    const queue = this.#queues.get(client);
    if (queue) this.#startWaiting(queue);
  }

  /** Fails all waiting requests with `DatabaseAway`. */
  close(): void {
    const reason = new DatabaseAway(new Error('The pool is closed.'));
    for (const queue of this.#queues.values()) for (const { fail } of queue.waiting.splice(0)) fail(reason);
  }

  #startWaiting(queue: ClientQueue): void {
    for (;;) {
      const next = queue.waiting.findIndex(({ isLong }) => this.#hasPlace(queue, isLong));
      const verdict = next < 0 ? 'later' : this.#mayStart(queue.client);
      if (verdict === 'later') break;
      const [waiting] = queue.waiting.splice(next, 1);
      if (verdict === 'now') waiting!.start(this.#start(queue, waiting!.isLong));
      else waiting!.fail(verdict);
    }
    if (queue.running === 0 && queue.waiting.length === 0) this.#queues.delete(queue.client);
  }

  #hasPlace(queue: ClientQueue, isLong: boolean): boolean {
    const { share, longShare, long } = this.#limits;
    return queue.running < share && (!isLong || (queue.runningLong < longShare && this.#runningLong < long));
  }

  #start(queue: ClientQueue, isLong: boolean): Release {
    this.#count(queue, isLong, 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#count(queue, isLong, -1);
      // Other clients may have waited for this long request to end. The client that ran it comes last.
      for (const other of isLong ? [...this.#queues.values()] : [queue]) this.#startWaiting(other);
    };
  }

  #count(queue: ClientQueue, isLong: boolean, change: 1 | -1): void {
    queue.running += change;
    if (!isLong) return;
    queue.runningLong += change;
    this.#runningLong += change;
    this.#queues.delete(queue.client);
    this.#queues.set(queue.client, queue);
  }
}
