// Parses a Java regular expression and translates it to the engine's syntax. Features that the engine lacks are
// rejected by name: lookaround, backreferences, possessive quantifiers, atomic groups, nested sets and some flags.
//
//   alternatives = sequence { "|" sequence }        sequence = { atom [ quantifier ] }
//   atom = character | "." | "^" | "$" | escape | set | "(" [ "?" … ] alternatives ")"

import { lineEnds, renderPoint, renderRanges, withOtherCase } from './character-set.ts';
import {
  type PatternFlags,
  type PatternReader,
  parseEscape,
  parseSet,
  takeMatch,
  takePoint,
} from './parse-characters.ts';
import {
  alternatives,
  endPiece,
  group,
  type PatternPart,
  patternFailure,
  piece,
  repetition,
  sequence,
} from './pattern-part.ts';

/** Throws a PatternSyntaxException. */
export function parsePattern(pattern: string): PatternPart {
  const reader: PatternReader = { pattern, at: 0, nesting: 0, groupNames: new Set() };
  const part = parseAlternatives(reader, { ignoresCase: false, dotMatchesLineEnds: false });
  if (reader.at < pattern.length) throw patternFailure('there is an extra ")"');
  return part;
}

function parseAlternatives(reader: PatternReader, flags: PatternFlags): PatternPart {
  if (++reader.nesting > nestingMax) throw patternFailure(`it is nested more than ${nestingMax} levels deep`);
  const choices: PatternPart[] = [];
  let current = flags;
  do {
    const { part, flags: after } = parseSequence(reader, current);
    choices.push(part);
    // `(?i)` applies until the end of its group, across "|" as well.
    current = after;
  } while (takeMatch(reader, /\|/y));
  reader.nesting--;
  return choices.length === 1 ? choices[0]! : alternatives(choices);
}

const nestingMax = 100;

function parseSequence(reader: PatternReader, flags: PatternFlags): { part: PatternPart; flags: PatternFlags } {
  const parts: PatternPart[] = [];
  let current = flags;
  while (reader.at < reader.pattern.length && !'|)'.includes(reader.pattern[reader.at]!)) {
    // Flags without a group apply to what follows.
    const changed = takeMatch(reader, /\(\?([a-zA-Z-]*)\)/y);
    if (changed) current = changeFlags(changed[1]!, current);
    else parts.push(...(parseQuotation(reader, current) ?? [parseQuantifier(reader, parseAtom(reader, current))]));
  }
  return { part: sequence(parts), flags: current };
}

/** `\Q…\E`: every character is literal. A quantifier after it applies to the last character. */
function parseQuotation(reader: PatternReader, flags: PatternFlags): PatternPart[] | undefined {
  const quotation = takeMatch(reader, /\\Q(.*?)(?:\\E|$)/sy);
  if (!quotation) return undefined;
  const parts = [...quotation[1]!].map((character) => literal(character.codePointAt(0)!, flags));
  const last = parts.pop();
  return last ? [...parts, parseQuantifier(reader, last)] : [];
}

function parseQuantifier(reader: PatternReader, inner: PatternPart): PatternPart {
  const match = takeMatch(reader, /[*+?]|\{(\d{1,5})(?:(,)(\d{0,5}))?\}/y);
  if (!match) return inner;
  const [written, least, comma, most] = match;
  if (most && Number(most) < Number(least)) throw patternFailure(`the repetition ${written} goes backwards`);
  const count = Math.max(Number(least ?? 1), Number(most || 1), comma && !most ? Number(least) + 1 : 1);
  if (takeMatch(reader, /\+/y)) throw patternFailure(`the possessive ${written}+ is not supported`);
  const quantifier = takeMatch(reader, /\?/y) ? `${written}?` : written;
  if (takeMatch(reader, /[*+?{]/y)) throw patternFailure(`the repetition ${written} cannot be repeated`);
  return repetition(inner, quantifier, count, /^[*+]|,\}/.test(written));
}

function parseAtom(reader: PatternReader, flags: PatternFlags): PatternPart {
  const point = takePoint(reader)!;
  const character = String.fromCodePoint(point);
  switch (character) {
    case '(':
      return parseGroup(reader, flags);
    case '[':
      return piece(parseSet(reader, flags));
    case '\\':
      return parseEscaped(reader, flags);
    case '.':
      return piece(flags.dotMatchesLineEnds ? '(?s:.)' : `[^${renderRanges(lineEnds)}]`);
    case '^':
      return piece('\\A');
    case '$':
      return endPiece('$');
    case '*':
    case '+':
    case '?':
    case '{':
      throw patternFailure(`there is nothing to repeat before ${character}`);
    default:
      return literal(point, flags);
  }
}

function parseEscaped(reader: PatternReader, flags: PatternFlags): PatternPart {
  const parsed = parseEscape(reader, flags);
  switch (parsed.kind) {
    case 'point':
      return literal(parsed.point, flags);
    case 'set':
      return piece(`[${renderRanges(parsed.ranges)}]`);
    case 'end':
      return endPiece(parsed.written);
    case 'lineBreak':
      return piece(`(?:\\r\\n|[${renderRanges([...lineEnds, [0x0b, 0x0c]])}])`);
    default:
      return piece(parsed.text);
  }
}

function parseGroup(reader: PatternReader, flags: PatternFlags): PatternPart {
  const { opening, inside } = parseOpening(reader, flags);
  const inner = parseAlternatives(reader, inside);
  if (!takeMatch(reader, /\)/y)) throw patternFailure('a ")" is missing');
  return group(opening, inner);
}

function parseOpening(reader: PatternReader, flags: PatternFlags): { opening: string; inside: PatternFlags } {
  const match = takeMatch(reader, /\?(?:(<?[=!])|(>)|<([A-Za-z][A-Za-z0-9]*)>|([a-zA-Z-]*):)/y);
  if (!match) {
    if (reader.pattern[reader.at] === '?') throw patternFailure('it has a group that Java does not know');
    return { opening: '(', inside: flags };
  }
  const [written, look, atomic, name, letters = ''] = match;
  if (look) throw patternFailure(`lookaround (${written}…) is not supported: patterns run in linear time`);
  if (atomic) throw patternFailure('atomic groups (?>…) are not supported: patterns run in linear time');
  if (!name) return { opening: '(?:', inside: changeFlags(letters, flags) };
  if (reader.groupNames.has(name)) throw patternFailure(`two groups are named "${name}"`);
  reader.groupNames.add(name);
  return { opening: `(?P<${name}>`, inside: flags };
}

function changeFlags(letters: string, flags: PatternFlags): PatternFlags {
  const unknown = /[^is-]|-.*-/.exec(letters);
  if (unknown) throw patternFailure(`the flags (?${letters}) are not supported, only i and s`);
  const [on = '', off = ''] = letters.split('-');
  const changed = (letter: string, before: boolean) => (before || on.includes(letter)) && !off.includes(letter);
  return { ignoresCase: changed('i', flags.ignoresCase), dotMatchesLineEnds: changed('s', flags.dotMatchesLineEnds) };
}

function literal(point: number, { ignoresCase }: PatternFlags): PatternPart {
  const ranges = ignoresCase ? withOtherCase([point, point]) : [];
  return piece(ranges.length > 1 ? `[${renderRanges(ranges)}]` : renderPoint(point));
}
