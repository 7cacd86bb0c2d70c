// Parses the escapes and the character sets of a Java pattern. Rejects nested sets and intersections (`&&`), which the
// engine would read as plain characters.

import {
  complement,
  escapedSets,
  lastPoint,
  namedSets,
  type Range,
  renderRanges,
  withOtherCase,
} from './character-set.ts';
import { patternFailure } from './pattern-part.ts';

export interface PatternReader {
  readonly pattern: string;
  at: number;
  nesting: number;
  /** The names of the groups so far. */
  readonly groupNames: Set<string>;
}

export interface PatternFlags {
  readonly ignoresCase: boolean;
  readonly dotMatchesLineEnds: boolean;
}

/** Consumes what the sticky expression matches at the position of the reader. */
export function takeMatch(reader: PatternReader, form: RegExp): RegExpExecArray | null {
  form.lastIndex = reader.at;
  const match = form.exec(reader.pattern);
  if (match) reader.at += match[0].length;
  return match;
}

export type Escape =
  | { kind: 'point'; point: number }
  | { kind: 'set'; ranges: readonly Range[] }
  /** A Unicode set, in the engine's syntax. */
  | { kind: 'unicode'; text: string }
  | { kind: 'anchor'; text: string }
  /** `\Z`, allowed only where `$` is. `written` is for messages. */
  | { kind: 'end'; written: string }
  | { kind: 'lineBreak' };

/** The reader is positioned after the backslash. */
export function parseEscape(reader: PatternReader, flags: PatternFlags): Escape {
  const letter = reader.pattern[reader.at];
  if (letter === undefined) throw patternFailure('the pattern ends with a backslash');
  const set = escapedSets.get(letter.toLowerCase());
  if (set !== undefined) {
    reader.at++;
    return { kind: 'set', ranges: letter === letter.toLowerCase() ? set : complement(set) };
  }
  if (letter === 'p' || letter === 'P') return parseProperty(reader, flags);
  if (takeMatch(reader, /[AzbB]/y)) return { kind: 'anchor', text: `\\${letter}` };
  if (takeMatch(reader, /Z/y)) return { kind: 'end', written: '\\Z' };
  if (takeMatch(reader, /R/y)) return { kind: 'lineBreak' };
  return { kind: 'point', point: parsePoint(reader, letter) };
}

/** Parses `\p{Alpha}`, `\pL`, `\p{IsGreek}` and the like. */
function parseProperty(reader: PatternReader, flags: PatternFlags): Escape {
  const match = takeMatch(reader, /([pP])(?:\{(\w+)\}|([A-Z]))/y);
  if (!match) throw patternFailure('a letter or a name in braces must follow \\p');
  const [, propertyLetter, braced, letter] = match;
  const name = braced ?? letter!;
  if (flags.ignoresCase && /^(Is)?(Lower|Upper|L[ult])$/.test(name))
    throw patternFailure(`\\p{${name}} under (?i) is not supported`);
  const named = namedSets.get(name);
  if (named) return { kind: 'set', ranges: propertyLetter === 'p' ? named : complement(named) };
  if (/^(In|java)/.test(name)) throw patternFailure(`\\p{${name}} is not supported`);
  return { kind: 'unicode', text: `\\${propertyLetter}{${name.replace(/^Is/, '')}}` };
}

function parsePoint(reader: PatternReader, letter: string): number {
  const code = /0([0-3]?[0-7]{1,2})|x([\da-fA-F]{2})|x\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|c([@-_])/y;
  const match = takeMatch(reader, code);
  if (match) {
    const [, octal, hex2, hexBraced, hex4, control] = match;
    if (octal !== undefined) return Number.parseInt(octal, 8);
    if (control !== undefined) return control.charCodeAt(0) ^ 64;
    return checkPoint(Number.parseInt((hex2 ?? hexBraced ?? hex4)!, 16));
  }
  if (takeMatch(reader, /[tnrfae]/y)) return controlPoints[letter]!;
  if (/[1-9k]/.test(letter)) throw patternFailure('backreferences are not supported: patterns run in linear time');
  if (/[A-Za-z0]/.test(letter)) throw patternFailure(`the escape \\${letter} is not supported`);
  return takePoint(reader)!;
}

const controlPoints: Readonly<Record<string, number>> = { t: 0x09, n: 0x0a, r: 0x0d, f: 0x0c, a: 0x07, e: 0x1b };

function checkPoint(point: number): number {
  if (point > lastPoint || (point >= 0xd800 && point <= 0xdfff))
    throw patternFailure(`there is no character ${point.toString(16)}`);
  return point;
}

/** Undefined at the end of the pattern. */
export function takePoint(reader: PatternReader): number | undefined {
  const point = reader.pattern.codePointAt(reader.at);
  if (point !== undefined) reader.at += point > 0xffff ? 2 : 1;
  return point;
}

/** Parses a set such as `[a-z\d_]`. The reader is positioned after the `[`. */
export function parseSet(reader: PatternReader, flags: PatternFlags): string {
  const isNegated = takeMatch(reader, /\^/y) !== null;
  if (reader.pattern[reader.at] === ']') throw patternFailure('a set [] is empty; a "]" in it is written \\]');
  let text = '';
  while (!takeMatch(reader, /\]/y)) text += parseItem(reader, flags);
  return `[${isNegated ? '^' : ''}${text}]`;
}

function parseItem(reader: PatternReader, flags: PatternFlags): string {
  const from = parseMember(reader, flags);
  if (typeof from === 'string') return from;
  const to = takeMatch(reader, /-(?!\])/y) ? parseMember(reader, flags) : from;
  if (typeof to === 'string' || to < from)
    throw patternFailure('a range in a set goes from a character to a later one');
  return renderRanges(flags.ignoresCase ? withOtherCase([from, to]) : [[from, to]]);
}

/** A code point, or a whole set in the engine's syntax. */
function parseMember(reader: PatternReader, flags: PatternFlags): number | string {
  if (reader.pattern.startsWith('&&', reader.at)) throw patternFailure('the intersection && of sets is not supported');
  const point = takePoint(reader);
  if (point === undefined) throw patternFailure('a "]" is missing');
  const character = String.fromCodePoint(point);
  if (character === '[') throw patternFailure('a set inside a set is not supported; a "[" in it is written \\[');
  if (character !== '\\') return point;
  const parsed = parseEscape(reader, flags);
  if (parsed.kind === 'point') return parsed.point;
  if (parsed.kind === 'set') return renderRanges(parsed.ranges);
  if (parsed.kind === 'unicode') return parsed.text;
  throw patternFailure('an anchor or \\R cannot be used in a set');
}
