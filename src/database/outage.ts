// Tells an outage of the database once: a line when it begins, one when it is over with how much failed meanwhile, and nothing
// for each request. Judges nothing: callers say what failed and what has worked.

import type { Observe } from '../observability/observation.ts';

export type Problem = 'away' | 'diskFull';

interface Current {
  problem: Problem;
  beganAt: number;
  failedAt: number;
  failures: number;
}

/** A server that takes one connection and drops the next is one outage, not hundreds. */
const quietMs = 1_000;

export class Outage {
  readonly #observe: Observe;
  #current: Current | undefined;
  #isLossTold = false;

  constructor(observe: Observe) {
    this.#observe = observe;
  }

  get isDiskFull(): boolean {
    return this.#current?.problem === 'diskFull';
  }

  failed(problem: Problem, reason: string): void {
    const now = performance.now();
    // A full disk that brings the server down is still a full disk.
    if (this.#current && (this.#current.problem === problem || this.isDiskFull)) {
      this.#current.failedAt = now;
      this.#current.failures += 1;
      return;
    }
    if (this.#current) this.#end();
    this.#current = { problem, beganAt: now, failedAt: now, failures: 1 };
    this.#observe({ kind: 'database.unavailable', problem, reason });
  }

  /** Nobody was using the connection, so nothing has failed. When a server restarts, all of them are lost at once. */
  lostIdle(reason: string): void {
    if (this.#current || this.#isLossTold) return;
    this.#isLossTold = true;
    this.#observe({ kind: 'database.connectionLost', reason });
  }

  /** The server has answered. With a full disk it still does: that ends when there is space. */
  answered(): void {
    this.#isLossTold = false;
    if (!this.#current || this.isDiskFull) return;
    if (performance.now() - this.#current.failedAt > quietMs) this.#end();
  }

  hasSpace(): void {
    if (this.isDiskFull) this.#end();
  }

  #end(): void {
    const { problem, beganAt, failures } = this.#current!;
    this.#current = undefined;
    const outageMs = Math.round(performance.now() - beganAt);
    this.#observe({ kind: 'database.available', problem, outageMs, failures });
  }
}
