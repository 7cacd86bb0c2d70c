// Limits how many matches that a script suppressed have their reason recorded: the first thousand per event and user,
// as in matching. An event is shaped in parts and counted in memory, so the limit is per process. No I/O.

import { Recent } from '../recent.ts';
import { suppressedMax } from './suppressed-table.ts';
import type { UnshapedMatch } from './unshaped-table.ts';

const eventsRemembered = 20_000;

export class SuppressedAllowance {
  /** By event and user. */
  readonly #told = new Recent<string, number>(eventsRemembered);

  /** Those whose reason may be recorded. They are counted at once, because others are being stored concurrently. */
  take<T extends { readonly match: UnshapedMatch }>(suppressed: readonly T[]): T[] {
    return suppressed.filter(({ match }) => this.#count(match, 1) <= suppressedMax);
  }

  /** Subtracts those that were not stored after all. */
  giveBack(taken: readonly { readonly match: UnshapedMatch }[]): void {
    for (const { match } of taken) this.#count(match, -1);
  }

  #count({ eventId, userKey }: UnshapedMatch, more: 1 | -1): number {
    const name = `${eventId} ${userKey}`;
    const count = (this.#told.peek(name) ?? 0) + more;
    if (count <= suppressedMax) this.#told.set(name, count);
    return count;
  }
}
