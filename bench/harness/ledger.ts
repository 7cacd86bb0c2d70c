// Checks that a measurement counted what really happened. Speed gained by losing or inventing work does not count: one
// entry that does not balance voids the whole run.

export interface LedgerEntry {
  what: string;
  expected: string;
  found: string;
}

export class Ledger {
  readonly #entries: LedgerEntry[] = [];

  /** Compared as text: numbers, bodies and ETags alike. */
  expect(what: string, expected: unknown, found: unknown): void {
    this.#entries.push({ what, expected: String(expected), found: String(found) });
  }

  get entries(): readonly LedgerEntry[] {
    return this.#entries;
  }

  get isBalanced(): boolean {
    return this.#entries.every(isBalanced);
  }
}

export function isBalanced({ expected, found }: LedgerEntry): boolean {
  return expected === found;
}
