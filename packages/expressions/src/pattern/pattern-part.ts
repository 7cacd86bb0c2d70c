// The parts of a Java pattern, translated to the syntax of the regex engine. Each part knows its size, and how far the
// engine may read past the end of a match before the match is certain. For most patterns this is a few characters, so
// one pass through the text finds all matches. For others, such as `(a.*b)?a`, each match may read all that is left.

import { JavaFailure } from '../run/java-failure.ts';

export interface PatternPart {
  readonly text: string;
  /** The number of pieces. A repeated piece counts once for each repetition. */
  readonly size: number;
  /** The length in UTF-16 units of the longest text that the part matches; Infinity if it is unbounded. */
  readonly length: number;
  /** How many UTF-16 units past the end of a match the engine may read; Infinity if it is unbounded. */
  readonly reach: number;
  /** The first `$` or `\Z` in the part. */
  readonly firstEnd: string | undefined;
  /** The first `$` or `\Z` that is not at the end of the part. */
  readonly firstInnerEnd: string | undefined;
}

/** A piece matches at most two UTF-16 units: a character beyond U+FFFF, or the line break CR LF. */
const unitsMax = 2;

/** One character, set or anchor. */
export function piece(text: string): PatternPart {
  return { text, size: 1, length: unitsMax, reach: unitsMax, firstEnd: undefined, firstInnerEnd: undefined };
}

/** `$` and `\Z`, which Java also matches before a final line end. The engine has only `\z`. */
export function endPiece(written: string): PatternPart {
  return { ...piece('\\z'), firstEnd: written };
}

export function sequence(parts: readonly PatternPart[]): PatternPart {
  const [before, last] = [parts.slice(0, -1), parts.at(-1)];
  const endBefore = firstOf(before, 'firstEnd');
  return {
    text: parts.map(({ text }) => text).join(''),
    size: sum(parts, 'size'),
    length: sum(parts, 'length'),
    reach: unitsMax + sum(before, 'length') + (last?.reach ?? 0),
    firstEnd: endBefore ?? last?.firstEnd,
    firstInnerEnd: endBefore ?? last?.firstInnerEnd,
  };
}

export function alternatives(choices: readonly PatternPart[]): PatternPart {
  return {
    text: choices.map(({ text }) => text).join('|'),
    size: choices.length + sum(choices, 'size'),
    length: Math.max(...choices.map(({ length }) => length)),
    reach: Math.max(...choices.map(({ reach }) => reach)),
    firstEnd: firstOf(choices, 'firstEnd'),
    firstInnerEnd: firstOf(choices, 'firstInnerEnd'),
  };
}

export function group(opening: string, inner: PatternPart): PatternPart {
  return { ...inner, text: `${opening}${inner.text})`, size: 2 + inner.size };
}

/** `count`: the maximum number of repetitions. If there is none (`isUnbounded`), `count` is at least the minimum. */
export function repetition(inner: PatternPart, quantifier: string, count: number, isUnbounded: boolean): PatternPart {
  return {
    text: inner.text + quantifier,
    size: 1 + count * inner.size,
    length: isUnbounded ? Number.POSITIVE_INFINITY : count * inner.length,
    // At the end of a pattern, every further repetition makes the match longer, so only the last one can fail.
    reach: (count + 1) * inner.length,
    firstEnd: inner.firstEnd,
    firstInnerEnd: inner.firstEnd,
  };
}

function sum(parts: readonly PatternPart[], measure: 'size' | 'length'): number {
  return parts.reduce((total, part) => total + part[measure], 0);
}

function firstOf(parts: readonly PatternPart[], end: 'firstEnd' | 'firstInnerEnd'): string | undefined {
  return parts.find((part) => part[end] !== undefined)?.[end];
}

export function patternFailure(reason: string): JavaFailure {
  return new JavaFailure('PatternSyntaxException', `the pattern cannot be used: ${reason}`);
}
