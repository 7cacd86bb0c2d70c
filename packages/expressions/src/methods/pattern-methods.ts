// The methods of String that take a regular expression. The maximum cost of a match is charged before the engine runs,
// and the unused part is refunded afterwards.

import { LRUCache } from 'lru-cache';
import { checkPattern, compilePattern, type PatternUse } from '../pattern/java-pattern.ts';
import type { LinearRegex, Match } from '../pattern/linear-regex.ts';
import { boundText, type Meter, spend } from '../run/meter.ts';
import { type Method, methodsOf, parameters, returns } from './method.ts';
import { renderReplacement } from './replacement.ts';

const on = methodsOf<[string]>();
const { text, int } = parameters;

export const patternMethods: readonly Method[] = [
  on('matches', [text], returns.boolean, matches, knownPattern('whole')),
  on('replaceAll', [text, text], returns.text, replacing(Number.POSITIVE_INFINITY), knownPattern('parts')),
  on('replaceFirst', [text, text], returns.text, replacing(1), knownPattern('parts')),
  on('split', [text], returns.texts, (self, pattern, meter) => split(self, pattern, 0, meter), knownPattern('parts')),
  on('split', [text, int], returns.texts, split, knownPattern('parts')),
];

/** A constant pattern is checked when the expression is saved. */
function knownPattern(use: PatternUse): Pick<Method, 'checkConstants'> {
  return {
    checkConstants([pattern]) {
      if (typeof pattern !== 'string') return undefined;
      const failure = checkPattern(pattern, use);
      return failure && `${failure.reason.replace(/^t/, 'T')}.`;
    },
  };
}

/**
 * A compiled pattern takes about ten kilobytes, and there may be very many expressions. Only the most recently used
 * patterns are kept.
 */
const kept = new LRUCache<string, LinearRegex>({ max: 500 });

function compiled(pattern: string, use: PatternUse, meter: Meter): LinearRegex {
  const name = use + pattern;
  const known = kept.get(name);
  if (known) return known;
  spend(meter, 100 + 10 * pattern.length);
  const regex = compilePattern(pattern, use);
  spend(meter, regex.compilingCost);
  kept.set(name, regex);
  return regex;
}

function matches(self: string, pattern: string, meter: Meter): boolean {
  const regex = compiled(pattern, 'whole', meter);
  spend(meter, regex.matchingCost(self.length));
  return regex.matches(self);
}

function replacing(placesMax: number) {
  return (self: string, pattern: string, replacement: string, meter: Meter): string => {
    const regex = compiled(pattern, 'parts', meter);
    let made = '';
    let copied = 0;
    let places = 0;
    findAll(self, regex, meter, (match) => {
      made += self.slice(copied, match.start) + renderReplacement(replacement, match, regex);
      boundText(made.length);
      copied = match.end;
      return ++places < placesMax;
    });
    if (places === 0) return self;
    boundText(made.length + self.length - copied);
    return made + self.slice(copied);
  };
}

function split(self: string, pattern: string, limit: number, meter: Meter): string[] {
  const regex = compiled(pattern, 'parts', meter);
  const parts: string[] = [];
  let taken = 0;
  let isFound = false;
  findAll(self, regex, meter, ({ start, end }) => {
    if (limit > 0 && parts.length === limit - 1) return false;
    // An empty match at the start of the text is ignored, as in Java.
    if (end === 0) return true;
    parts.push(self.slice(taken, start));
    taken = end;
    isFound = true;
    return true;
  });
  if (!isFound) return [self];
  parts.push(self.slice(taken));
  if (limit === 0) while (parts.at(-1) === '') parts.pop();
  return parts;
}

/** Charges each search as if it read the rest of the text, then refunds what it did not read. */
function findAll(self: string, regex: LinearRegex, meter: Meter, visit: (match: Match) => boolean): void {
  let [searchedFrom, paid] = [0, 0];
  const pay = (from: number) => {
    searchedFrom = from;
    paid = regex.matchingCost(self.length - from);
    spend(meter, paid);
  };
  regex.findAll(self, pay, (match) => {
    const looked = Math.min(self.length, match.end + regex.reach) - searchedFrom;
    meter.stepsLeft += paid - regex.matchingCost(looked);
    return visit(match);
  });
}
