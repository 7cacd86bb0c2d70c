// Reports an outage of the database once when it begins, and once when it ends, with the number of failures. Does not
// report each failed request. Does not detect outages: callers report what failed and what worked.

import type { Observe } from '../observe/observation.ts';

export type Problem = 'away' | 'diskFull';

interface Current {
  problem: Problem;
  beganAt: number;
  failedAt: number;
  failures: number;
}

/**
 * An outage ends only this long after the last failure. A server that accepts one connection and drops the next causes
 * one outage, not hundreds.
 */
const quietMs = 1_000;

export class Outage {
  readonly #observe: Observe;
  #current: Current | undefined;
  #isLossReported = false;

  constructor(observe: Observe) {
    this.#observe = observe;
  }

  get isDiskFull(): boolean {
    return this.#current?.problem === 'diskFull';
  }

  failed(problem: Problem, reason: string): void {
    const now = performance.now();
    // If a full disk brings the server down, the problem is still the full disk.
    if (this.#current && (this.#current.problem === problem || this.isDiskFull)) {
      this.#current.failedAt = now;
      this.#current.failures += 1;
      return;
    }
    if (this.#current) this.#end();
    this.#current = { problem, beganAt: now, failedAt: now, failures: 1 };
    this.#observe({ kind: 'database.unavailable', problem, reason });
  }

  /** The connection was idle, so no statement failed. Reported once: a restart of the server ends all of them. */
  lostIdle(reason: string): void {
    if (this.#current || this.#isLossReported) return;
    this.#isLossReported = true;
    this.#observe({ kind: 'database.connectionLost', reason });
  }

  /** Records that the server answered. It does so with a full disk too; that outage ends when there is space. */
  answered(): void {
    this.#isLossReported = false;
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
