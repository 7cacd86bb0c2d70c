// Parses a character set such as `[a-z\d_]`. Rejects nested sets and intersections (`&&`), which the engine would read
// as plain characters.

import { type Range, renderRanges, withOtherCase } from './character-set.ts';
import { parseEscape } from './parse-escape.ts';
import { type PatternFlags, PatternMistake, type PatternReader } from './pattern-tree.ts';

/** The reader is positioned after the `[`. */
export function parseSet(reader: PatternReader, flags: PatternFlags): string {
  const { pattern } = reader;
  const isNegated = pattern[reader.at] === '^';
  if (isNegated) reader.at++;
  if (pattern[reader.at] === ']') throw new PatternMistake('a set [] is empty; a "]" in it is written \\]');
  let text = '';
  while (pattern[reader.at] !== ']') text += parseItem(reader, flags);
  reader.at++;
  return `[${isNegated ? '^' : ''}${text}]`;
}

function parseItem(reader: PatternReader, flags: PatternFlags): string {
  const from = parseMember(reader, flags);
  if (typeof from === 'string') return from;
  const { pattern, at } = reader;
  const isRange = pattern[at] === '-' && pattern[at + 1] !== ']';
  if (!isRange) return renderMembers([from, from], flags);
  reader.at++;
  const to = parseMember(reader, flags);
  if (typeof to === 'string' || to < from)
    throw new PatternMistake('a range in a set goes from a character to a later one');
  return renderMembers([from, to], flags);
}

/** A code point, or a whole set in the engine's syntax. */
function parseMember(reader: PatternReader, flags: PatternFlags): number | string {
  const { pattern } = reader;
  const point = pattern.codePointAt(reader.at);
  if (point === undefined) throw new PatternMistake('a "]" is missing');
  const character = String.fromCodePoint(point);
  if (character === '[') throw new PatternMistake('a set inside a set is not supported; a "[" in it is written \\[');
  if (pattern.startsWith('&&', reader.at)) throw new PatternMistake('the intersection && of sets is not supported');
  reader.at += character.length;
  if (character !== '\\') return point;
  const parsed = parseEscape(reader, flags);
  if (parsed.kind === 'point') return parsed.point;
  if (parsed.kind === 'set') return renderRanges(parsed.ranges);
  if (parsed.kind === 'unicode') return parsed.text;
  throw new PatternMistake('an anchor cannot be used in a set');
}

function renderMembers(range: Range, { ignoresCase }: PatternFlags): string {
  return renderRanges(ignoresCase ? withOtherCase(range) : [range]);
}
