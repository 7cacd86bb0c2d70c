// Reads a long range of keys as short ranges, one after the other. A range is as long as can be read in a moment: how
// many keys that is depends on the filter, its index, and how many of the keys belong to notifications.

import type { KeyRange } from './replay-selection.ts';

const keysAtFirst = 20_000;
const growth = 4;
/** A range that took less is followed by a longer one, and one that took more than `slowMs` by a shorter one. */
const quickMs = 50;
const slowMs = 400;

/**
 * Stops after `msMax`, or when `read` returns false. Returns the key up to which everything was read. The range in
 * which `read` returns false does not count as read. Reads once even if there is nothing to read.
 */
export async function walkKeys(
  { after, upTo }: KeyRange,
  msMax: number,
  read: (range: KeyRange) => Promise<boolean>,
): Promise<number> {
  const startedAt = performance.now();
  let at = after;
  let keys = keysAtFirst;
  for (;;) {
    const range = { after: at, upTo: Math.min(at + keys, upTo) };
    const beganAt = performance.now();
    if (!(await read(range))) return at;
    at = range.upTo;
    const now = performance.now();
    if (at === upTo || now - startedAt >= msMax) return at;
    if (now - beganAt < quickMs) keys *= growth;
    else if (now - beganAt > slowMs) keys = Math.max(keysAtFirst, Math.round(keys / growth));
  }
}
