// What the scripts and stylesheets of each user have cost on probation of late. Whoever has used much there is tried after those who
// have not, however many lanes the time was spread over. In memory; it is forgotten by and by. No I/O.

import { Recent } from '../recent.ts';

const usersRemembered = 10_000;
/** After so long half of it is forgotten. */
const halfLifeMs = 30_000;

export class OwnerDebts {
  readonly #debts = new Recent<number, { ms: number; atMs: number }>(usersRemembered);

  /** Charged to the user whose subscription has caused it, whoever has written the script. */
  note(userKey: number, tookMs: number): void {
    if (tookMs > 0) this.#debts.set(userKey, { ms: this.of(userKey) + tookMs, atMs: performance.now() });
  }

  /** In milliseconds. */
  of(userKey: number): number {
    const debt = this.#debts.peek(userKey);
    return debt ? debt.ms * 0.5 ** ((performance.now() - debt.atMs) / halfLifeMs) : 0;
  }
}
