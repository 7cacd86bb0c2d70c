// Limits how many matches that a script suppressed have their reason recorded: the first thousand per event and user,
// as in matching. An event is shaped in parts and counted in memory, so the limit is per process. No I/O.

import { entryOf } from '../entry-of.ts';
import { Recent } from '../recent.ts';
import { suppressedMax } from './suppressed-table.ts';
import type { UnshapedMatch } from './unshaped-table.ts';

const eventsRemembered = 200;

export class SuppressedAllowance {
  /** The keys of the matches, by event and user. */
  readonly #recorded = new Recent<string, Set<number>>(eventsRemembered);

  /** Returns those to record. A match that is stored again, after a failed transaction, counts once. */
  take<T extends { readonly match: UnshapedMatch }>(suppressed: readonly T[]): T[] {
    return suppressed.filter(({ match: { eventId, userKey, key } }) => {
      const keys = entryOf(this.#recorded, `${eventId} ${userKey}`, () => new Set<number>());
      if (keys.size < suppressedMax) keys.add(key);
      return keys.has(key);
    });
  }
}
