// The one place that knows the regular expression engine: RE2 in JavaScript, whose time grows with the text alone.

import { RE2JS } from 're2js';

export interface LinearRegex {
  /** Steps that compiling it took. */
  readonly compilingCost: number;
  /** Steps that going through so many characters may take. */
  matchingCost(length: number): number;
  /** How many characters behind the end of a match may have been looked at to find it. */
  readonly reach: number;
  readonly groupCount: number;
  readonly groupNames: ReadonlyMap<string, number>;
  /** Whether it matches the whole text. */
  matches(text: string): boolean;
  /** From the left, as Java's Matcher.find() goes; stops when `visit` says so. */
  findAll(text: string, beforeEach: (from: number) => void, visit: (match: Match) => boolean): void;
}

export interface Match {
  readonly start: number;
  readonly end: number;
  /** Null for a group that took no part. */
  group(index: number): string | null;
}

/** Takes RE2's own syntax; Java's is translated before (`pattern/java-pattern.ts`). Throws what the engine throws. */
export function linearRegex(pattern: string, reach: number): LinearRegex {
  const compiled = RE2JS.compile(pattern);
  const size = compiled.programSize();
  return {
    compilingCost: size * stepsPerState,
    // In the worst case every character meets every state, and four of those take as long as a step; where they are many,
    // remembering their sets takes longer than meeting them.
    matchingCost: (length) => stepsPerMatch + Math.ceil(length * (size > 100 ? size : size / 4)),
    reach,
    groupCount: compiled.groupCount(),
    groupNames: new Map(Object.entries(compiled.namedGroups())),
    matches(text) {
      const isMatch = compiled.matches(text);
      boundMemory(compiled);
      return isMatch;
    },
    findAll(text, beforeEach, visit) {
      const matcher = compiled.matcher(text);
      for (let from = 0; ; from = matcher.end()) {
        beforeEach(from);
        if (!matcher.find()) break;
        const match = { start: matcher.start(), end: matcher.end(), group: (index: number) => matcher.group(index) };
        if (!visit(match)) break;
      }
      boundMemory(compiled);
    },
  };
}

// Measured: a state takes the compiler up to 7 µs, the time of some 50 steps, and a match itself 2 µs.
const stepsPerState = 50;
const stepsPerMatch = 20;

/**
 * The engine remembers the states it has been in, up to 8 MB a pattern. Ordinary patterns have a few dozen; one that is
 * made to have thousands starts afresh instead, since many patterns are kept.
 */
function boundMemory(compiled: RE2JS): void {
  const engine = compiled.re2();
  const { lazyDFA } = engine;
  if (lazyDFA !== null && lazyDFA.maxMem - lazyDFA.memBudget > memoryMax) Object.assign(engine, { lazyDFA: null });
}

const memoryMax = 65_536;
