// Limits how many pool connections a client holds: at most a quarter of the pool, and half of that for long requests.
// Long requests of all clients together hold at most half of the pool, so that short requests still find a connection.
// Requests over a limit wait in a queue per client.

import { DatabaseAway } from './database-away.ts';

interface ShareRequest {
  client: string;
  /** Expected to occupy the database for a long time. */
  isLong: boolean;
}

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
  /** The clients with running or waiting requests. A client that has just had a long request is moved to the end. */
  readonly #lines = new Map<string, ClientQueue>();
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
    return this.#lines.size;
  }

  take({ client, isLong }: ShareRequest): Promise<Release> {
    const line = this.#lines.get(client) ?? this.#openLine(client);
    if (line.waiting.length >= this.#limits.waiting) throw new TooManyWaiting(this.#limits.waiting);
    return new Promise((start, fail) => {
      line.waiting.push({ isLong, start, fail });
      this.#startWaiting(line);
    });
  }

  /** Starts waiting requests of the client, after `mayStart` has returned `later`. */
  wake(client: string): void {
    const line = this.#lines.get(client);
    if (line) this.#startWaiting(line);
  }

  /** Fails all waiting requests with `DatabaseAway`. */
  close(): void {
    const reason = new DatabaseAway(new Error('The pool is closed.'));
    for (const line of this.#lines.values()) for (const { fail } of line.waiting.splice(0)) fail(reason);
  }

  #openLine(client: string): ClientQueue {
    const line: ClientQueue = { client, running: 0, runningLong: 0, waiting: [] };
    this.#lines.set(client, line);
    return line;
  }

  #startWaiting(line: ClientQueue): void {
    for (;;) {
      const next = line.waiting.findIndex(({ isLong }) => this.#hasPlace(line, isLong));
      const verdict = next < 0 ? 'later' : this.#mayStart(line.client);
      if (verdict === 'later') break;
      const [waiting] = line.waiting.splice(next, 1);
      if (verdict === 'now') waiting!.start(this.#start(line, waiting!.isLong));
      else waiting!.fail(verdict);
    }
    if (line.running === 0 && line.waiting.length === 0) this.#lines.delete(line.client);
  }

  #hasPlace(line: ClientQueue, isLong: boolean): boolean {
    const { share, longShare, long } = this.#limits;
    return line.running < share && (!isLong || (line.runningLong < longShare && this.#runningLong < long));
  }

  #start(line: ClientQueue, isLong: boolean): Release {
    line.running += 1;
    if (isLong) {
      line.runningLong += 1;
      this.#runningLong += 1;
      this.#putLast(line);
    }
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#release(line, isLong);
    };
  }

  #putLast(line: ClientQueue): void {
    this.#lines.delete(line.client);
    this.#lines.set(line.client, line);
  }

  #release(line: ClientQueue, isLong: boolean): void {
    line.running -= 1;
    if (isLong) {
      line.runningLong -= 1;
      this.#runningLong -= 1;
      // Other clients may have waited for this long request to end. The client that ran it comes last.
      this.#putLast(line);
      for (const other of [...this.#lines.values()]) this.#startWaiting(other);
    } else {
      this.#startWaiting(line);
    }
  }
}
