// Parses the escapes of a Java pattern: a backslash introduces a character, a set of characters, or an anchor.

import { complement, escapedSets, namedSets, type Range } from './character-set.ts';
import { type PatternFlags, PatternMistake, type PatternReader } from './pattern-tree.ts';

export type Escape =
  | { kind: 'point'; point: number }
  | { kind: 'set'; ranges: readonly Range[] }
  /** A Unicode set, in the engine's syntax. */
  | { kind: 'unicode'; text: string }
  | { kind: 'anchor'; text: string }
  | { kind: 'end'; written: string }
  | { kind: 'lineBreak' };

/** The reader is positioned after the backslash. */
export function parseEscape(reader: PatternReader, flags: PatternFlags): Escape {
  const letter = reader.pattern[reader.at];
  if (letter === undefined) throw new PatternMistake('the pattern ends with a backslash');
  const set = escapedSets.get(letter.toLowerCase());
  if (set !== undefined) {
    reader.at++;
    return { kind: 'set', ranges: letter === letter.toLowerCase() ? set : complement(set) };
  }
  if (letter === 'p' || letter === 'P') return parseProperty(reader, flags);
  const anchor = parseAnchor(reader, letter);
  if (anchor) return anchor;
  return { kind: 'point', point: parsePoint(reader, letter) };
}

function parseAnchor(reader: PatternReader, letter: string): Escape | undefined {
  if ('AzbB'.includes(letter)) {
    reader.at++;
    return { kind: 'anchor', text: `\\${letter}` };
  }
  if (letter !== 'Z' && letter !== 'R') return undefined;
  reader.at++;
  return letter === 'Z' ? { kind: 'end', written: '\\Z' } : { kind: 'lineBreak' };
}

function parsePoint(reader: PatternReader, letter: string): number {
  const form = /0([0-3]?[0-7]{1,2})|x([\da-fA-F]{2})|x\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|c([@-_])/y;
  form.lastIndex = reader.at;
  const match = form.exec(reader.pattern);
  if (match) {
    reader.at += match[0].length;
    const [, octal, two, braced, four, control] = match;
    if (octal !== undefined) return Number.parseInt(octal, 8);
    if (control !== undefined) return control.charCodeAt(0) ^ 64;
    return boundPoint(Number.parseInt((two ?? braced ?? four)!, 16));
  }
  const known = plainEscapes.get(letter);
  if (known !== undefined) {
    reader.at++;
    return known;
  }
  if (/[1-9k]/.test(letter)) throw new PatternMistake('backreferences are not supported: patterns run in linear time');
  if (/[A-Za-z0]/.test(letter)) throw new PatternMistake(`the escape \\${letter} is not supported`);
  const point = reader.pattern.codePointAt(reader.at)!;
  reader.at += point > 0xffff ? 2 : 1;
  return point;
}

function boundPoint(point: number): number {
  if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff))
    throw new PatternMistake(`there is no character ${point.toString(16)}`);
  return point;
}

const plainEscapes = new Map([
  ['t', 0x09],
  ['n', 0x0a],
  ['r', 0x0d],
  ['f', 0x0c],
  ['a', 0x07],
  ['e', 0x1b],
]);

/** Parses `\p{Alpha}`, `\pL`, `\p{IsGreek}` and the like. */
function parseProperty(reader: PatternReader, flags: PatternFlags): Escape {
  const form = /([pP])(?:\{(\w+)\}|([A-Z]))/y;
  form.lastIndex = reader.at;
  const match = form.exec(reader.pattern);
  if (!match) throw new PatternMistake('a name in braces must follow \\p');
  reader.at += match[0].length;
  const [, sign, braced, letter] = match;
  const name = braced ?? letter!;
  if (flags.ignoresCase && /^(Is)?(Lower|Upper|L[ult])$/.test(name))
    throw new PatternMistake(`\\p{${name}} under (?i) is not supported`);
  const named = namedSets.get(name);
  if (named) return { kind: 'set', ranges: sign === 'p' ? named : complement(named) };
  if (/^(In|java)/.test(name)) throw new PatternMistake(`\\p{${name}} is not supported`);
  return { kind: 'unicode', text: `\\${sign}{${name.replace(/^Is/, '')}}` };
}
