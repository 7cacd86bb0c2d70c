// Regular expressions whose matching time is linear in the length of the text. This is the only file that uses the
// engine, RE2 in JavaScript.

import { RE2JS } from 're2js';
import { searchCost } from '../run/meter.ts';

export interface LinearRegex {
  /** The steps to charge for compiling the pattern. */
  readonly compilingCost: number;
  /** The steps that matching a text of this length may take. */
  matchingCost(length: number): number;
  /** How many characters past the end of a match the engine may have read to find the match. */
  readonly reach: number;
  readonly groupCount: number;
  readonly groupNames: ReadonlyMap<string, number>;
  /** Whether the pattern matches the whole text. */
  matches(text: string): boolean;
  /** Visits the matches from left to right, like Java's Matcher.find(). Stops when `visit` returns false. */
  findAll(text: string, beforeEach: (from: number) => void, visit: (match: Match) => boolean): void;
}

export interface Match {
  readonly start: number;
  readonly end: number;
  /** Null for a group that did not take part in the match. */
  group(index: number): string | null;
}

/** Takes the syntax of RE2. Throws the errors of the engine. */
export function engineRegex(pattern: string, reach: number): LinearRegex {
  const compiled = RE2JS.compile(pattern);
  const size = compiled.programSize();
  return {
    compilingCost: size * stepsPerState,
    // In the worst case every character visits every state, and four visits take as long as one step. With many states,
    // caching the sets of states takes longer than visiting them.
    matchingCost: (length) => stepsPerMatch + Math.ceil(length * (size > 100 ? size : size / 4)),
    reach,
    groupCount: compiled.groupCount(),
    groupNames: new Map(Object.entries(compiled.namedGroups())),
    // A matcher, because `compiled.matches` keeps the states that it has visited: up to 8 MB for each pattern.
    matches: (text) => compiled.matcher(text).matches(),
    findAll(text, beforeEach, visit) {
      const matcher = compiled.matcher(text);
      for (let from = 0; ; from = matcher.end()) {
        beforeEach(from);
        if (!matcher.find()) break;
        const match = { start: matcher.start(), end: matcher.end(), group: (index: number) => matcher.group(index) };
        if (!visit(match)) break;
      }
    },
  };
}

// Measured: compiling takes up to 7 µs per state, the time of about 50 steps. A match has a fixed cost of 2 µs.
const stepsPerState = 50;
const stepsPerMatch = 20;

/** Searches for a text that contains no special characters. */
export function plainRegex(plain: string): LinearRegex {
  return {
    compilingCost: 0,
    matchingCost: (length) => 4 + searchCost(length, plain.length),
    reach: plain.length,
    groupCount: 0,
    groupNames: new Map(),
    matches: (text) => text === plain,
    findAll(text, beforeEach, visit) {
      for (let from = 0; ; ) {
        beforeEach(from);
        const start = text.indexOf(plain, from);
        if (start < 0) return;
        from = start + plain.length;
        if (!visit({ start, end: from, group: () => plain })) return;
      }
    },
  };
}
