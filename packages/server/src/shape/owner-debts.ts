// Tracks the time that the scripts and stylesheets of each user recently took on probation. Users who used much go
// after the others, however many lanes the time was spread over. In memory, and decays over time; no I/O.

import { Recent } from '../recent.ts';

const usersRemembered = 10_000;
/** After this time, half of a debt is forgotten. */
const halfLifeMs = 30_000;

export class OwnerDebts {
  readonly #debts = new Recent<number, { ms: number; atMs: number }>(usersRemembered);

  /** Charges the owner of the subscription, not the author of the script. */
  note(userKey: number, tookMs: number): void {
    if (tookMs > 0) this.#debts.set(userKey, { ms: this.of(userKey) + tookMs, atMs: performance.now() });
  }

  /** The debt of a user, in milliseconds. */
  of(userKey: number): number {
    const debt = this.#debts.peek(userKey);
    return debt ? debt.ms * 0.5 ** ((performance.now() - debt.atMs) / halfLifeMs) : 0;
  }
}
