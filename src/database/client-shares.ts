// Shares of a pool of connections: one client holds at most a quarter of them, and long requests at most half of that, so that short
// requests of everybody find one. What is over the share waits its turn among the requests of its own client.

import { DatabaseAway } from './database-away.ts';

interface ShareRequest {
  client: string;
  /** Expected to take the database long. */
  isLong: boolean;
}

export interface ClientSharesOptions {
  /** How many the pool has. */
  connections: number;
  /** Asked when it is a request's turn; whoever answers `later` calls `wake` when that changes. */
  mayStart?: (client: string) => StartVerdict;
  /** How many requests of one client may wait. */
  waitingMax?: number;
}

/** An error refuses the request. It has done nothing yet: a write takes one place, for its whole transaction. */
export type StartVerdict = 'now' | 'later' | Error;

/** Gives the connection's place in the share back. */
export type Release = () => void;

/** So many requests of the client are waiting that this one is not let in. */
export class TooManyWaiting extends Error {
  constructor(waitingMax: number) {
    super(`${waitingMax} requests of this client are waiting for their turn already. Send fewer at the same time.`);
    this.name = 'TooManyWaiting';
  }
}

interface Waiting {
  isLong: boolean;
  start(release: Release): void;
  fail(error: Error): void;
}

/** The requests of one client. */
interface Line {
  client: string;
  held: number;
  heldLong: number;
  /** First come, first served; but a long one that has to wait lets short ones pass. */
  waiting: Waiting[];
}

export class ClientShares {
  readonly #limits: { share: number; longShare: number; long: number; waiting: number };
  readonly #mayStart: (client: string) => StartVerdict;
  /** Of clients that hold or wait for something. Those that had a long request last are at the end. */
  readonly #lines = new Map<string, Line>();
  #heldLong = 0;

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

  /** How many clients hold or wait for something. */
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

  /** What has kept the client from starting may be over. */
  wake(client: string): void {
    const line = this.#lines.get(client);
    if (line) this.#startWaiting(line);
  }

  /** Whoever still waits is told that there is no database any more. */
  close(): void {
    const reason = new DatabaseAway(new Error('The pool is closed.'));
    for (const line of this.#lines.values()) for (const { fail } of line.waiting.splice(0)) fail(reason);
  }

  #openLine(client: string): Line {
    const line: Line = { client, held: 0, heldLong: 0, waiting: [] };
    this.#lines.set(client, line);
    return line;
  }

  #startWaiting(line: Line): void {
    for (;;) {
      const next = line.waiting.findIndex(({ isLong }) => this.#hasPlace(line, isLong));
      const verdict = next < 0 ? 'later' : this.#mayStart(line.client);
      if (verdict === 'later') break;
      const [waiting] = line.waiting.splice(next, 1);
      if (verdict === 'now') waiting!.start(this.#hold(line, waiting!.isLong));
      else waiting!.fail(verdict);
    }
    if (line.held === 0 && line.waiting.length === 0) this.#lines.delete(line.client);
  }

  #hasPlace(line: Line, isLong: boolean): boolean {
    const { share, longShare, long } = this.#limits;
    return line.held < share && (!isLong || (line.heldLong < longShare && this.#heldLong < long));
  }

  #hold(line: Line, isLong: boolean): Release {
    line.held += 1;
    if (isLong) {
      line.heldLong += 1;
      this.#heldLong += 1;
      this.#putLast(line);
    }
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#release(line, isLong);
    };
  }

  #putLast(line: Line): void {
    this.#lines.delete(line.client);
    this.#lines.set(line.client, line);
  }

  #release(line: Line, isLong: boolean): void {
    line.held -= 1;
    if (isLong) {
      line.heldLong -= 1;
      this.#heldLong -= 1;
      // Others may have waited for this one: the client that had it comes last.
      this.#putLast(line);
      for (const other of [...this.#lines.values()]) this.#startWaiting(other);
    } else {
      this.#startWaiting(line);
    }
  }
}
