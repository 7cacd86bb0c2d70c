// The methods of String that take a regular expression. The maximum cost of a match is charged before the engine runs,
// and the unused part is refunded afterwards.

import { LRUCache } from 'lru-cache';
import { checkPattern, compilePattern, type PatternUse } from '../pattern/java-pattern.ts';
import type { LinearRegex, Match } from '../pattern/linear-regex.ts';
import { JavaFailure } from '../run/java-failure.ts';
import { checkTextLength, type Meter, spend } from '../run/meter.ts';
import { type Method, methodsOf, signatureTypes } from './method.ts';

const on = methodsOf<[string]>();
const { boolean, int, text, textArray } = signatureTypes;

export const patternMethods: readonly Method[] = [
  on('matches', [text], boolean, matches, checkedPattern('whole')),
  on('replaceAll', [text, text], text, replacing(Number.POSITIVE_INFINITY), checkedPattern('parts')),
  on('replaceFirst', [text, text], text, replacing(1), checkedPattern('parts')),
  on('split', [text], textArray, (self, pattern, meter) => split(self, pattern, 0, meter), checkedPattern('parts')),
  on('split', [text, int], textArray, split, checkedPattern('parts')),
];

/** A constant pattern is checked when the expression is saved. */
function checkedPattern(use: PatternUse): Pick<Method, 'checkConstants'> {
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
 * patterns are cached.
 */
const cache = new LRUCache<string, LinearRegex>({ max: 500 });

function compiled(pattern: string, use: PatternUse, meter: Meter): LinearRegex {
  const cacheKey = use + pattern;
  const cached = cache.get(cacheKey);
  if (cached) return cached;
  spend(meter, 100 + 10 * pattern.length);
  const regex = compilePattern(pattern, use);
  spend(meter, regex.compilingCost);
  cache.set(cacheKey, regex);
  return regex;
}

function matches(self: string, pattern: string, meter: Meter): boolean {
  const regex = compiled(pattern, 'whole', meter);
  spend(meter, regex.matchingCost(self.length));
  return regex.matches(self);
}

function replacing(replacementsMax: number) {
  return (self: string, pattern: string, replacement: string, meter: Meter): string => {
    const regex = compiled(pattern, 'parts', meter);
    let text = '';
    let copied = 0;
    let replacements = 0;
    findAll(self, regex, meter, (match) => {
      text += self.slice(copied, match.start) + renderReplacement(replacement, match, regex);
      checkTextLength(text.length);
      copied = match.end;
      return ++replacements < replacementsMax;
    });
    if (replacements === 0) return self;
    checkTextLength(text.length + self.length - copied);
    return text + self.slice(copied);
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
  let [searchedFrom, charged] = [0, 0];
  const charge = (from: number) => {
    searchedFrom = from;
    charged = regex.matchingCost(self.length - from);
    spend(meter, charged);
  };
  regex.findAll(self, charge, (match) => {
    const charsRead = Math.min(self.length, match.end + regex.reach) - searchedFrom;
    meter.stepsLeft += charged - regex.matchingCost(charsRead);
    return visit(match);
  });
}

/** `$1` and `${name}` stand for groups, and a backslash makes the next character literal. */
function renderReplacement(replacement: string, match: Match, regex: LinearRegex): string {
  if (!/[\\$]/.test(replacement)) return replacement;
  let text = '';
  for (let at = 0; at < replacement.length; ) {
    const character = replacement[at]!;
    if (character === '$') {
      const { index, end } = readGroup(replacement, at, regex);
      text += match.group(index) ?? '';
      at = end;
    } else if (character === '\\') {
      if (at + 1 === replacement.length) throw invalidReplacement('ends with a backslash');
      text += replacement[at + 1];
      at += 2;
    } else {
      text += character;
      at++;
    }
  }
  return text;
}

function readGroup(
  replacement: string,
  at: number,
  { groupCount, groupNames }: LinearRegex,
): { index: number; end: number } {
  const groupReference = /\$(?:(\d)(\d*)|\{([A-Za-z][A-Za-z0-9]*)\})/y;
  groupReference.lastIndex = at;
  const match = groupReference.exec(replacement);
  if (!match) throw invalidReplacement('has a "$" that names no group; write \\$ for a literal "$"');
  const [written, first, more = '', name] = match;
  if (name !== undefined) {
    const index = groupNames.get(name);
    if (index === undefined) throw invalidReplacement(`names a group "${name}" that the pattern does not have`);
    return { index, end: at + written.length };
  }
  let index = Number(first);
  if (index > groupCount) throw new JavaFailure('IndexOutOfBoundsException', `the pattern has no group ${index}`);
  // As in Java, takes further digits as long as they form the number of an existing group.
  let digits = 0;
  while (digits < more.length && index * 10 + Number(more[digits]) <= groupCount)
    index = index * 10 + Number(more[digits++]);
  return { index, end: at + 2 + digits };
}

function invalidReplacement(what: string): JavaFailure {
  return new JavaFailure('IllegalArgumentException', `the replacement ${what}`);
}
