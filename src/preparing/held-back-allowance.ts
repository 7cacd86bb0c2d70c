// How many of those that a script held back are told why: of one event and user the first thousand, as in matching. What is prepared in
// parts is counted in memory, so it is that many for each process. No I/O.

import { heldBackMax } from '../notifications/held-back-table.ts';
import type { Draft } from '../notifications/unprepared-table.ts';
import { Recent } from '../recent.ts';

const eventsRemembered = 20_000;

export class HeldBackAllowance {
  /** By event and user. */
  readonly #told = new Recent<string, number>(eventsRemembered);

  /** Those that may be told: they are counted at once, since others are being stored at the same time. */
  take<T extends { readonly draft: Draft }>(heldBack: readonly T[]): T[] {
    return heldBack.filter(({ draft }) => this.#count(draft, 1) <= heldBackMax);
  }

  /** What was not stored after all. */
  giveBack(taken: readonly { readonly draft: Draft }[]): void {
    for (const { draft } of taken) this.#count(draft, -1);
  }

  #count({ eventId, userKey }: Draft, more: 1 | -1): number {
    const name = `${eventId} ${userKey}`;
    const count = (this.#told.peek(name) ?? 0) + more;
    if (count <= heldBackMax) this.#told.set(name, count);
    return count;
  }
}
