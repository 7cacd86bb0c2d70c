// Parses a Java regular expression. Features that the engine lacks are rejected by name: lookaround, backreferences,
// possessive quantifiers, atomic groups, nested sets and some flags. Syntax that the two engines interpret differently
// is translated.
//
//   alternatives = sequence { "|" sequence }        sequence = { atom [ quantifier ] }
//   atom = character | "." | "^" | "$" | escape | set | "(" [ "?" … ] alternatives ")"

import { lineEnds, renderPoint, renderRanges, withOtherCase } from './character-set.ts';
import { parseSet } from './parse-character-set.ts';
import { parseEscape } from './parse-escape.ts';
import { type PatternFlags, PatternMistake, type PatternReader, type PatternTree } from './pattern-tree.ts';

export function parsePattern(pattern: string): PatternTree {
  const reader: PatternReader = { pattern, at: 0, nesting: 0, names: new Set() };
  const tree = parseAlternatives(reader, { ignoresCase: false, dotTakesLineEnds: false });
  if (reader.at < pattern.length) throw new PatternMistake('there is an extra ")"');
  return tree;
}

function parseAlternatives(reader: PatternReader, flags: PatternFlags): PatternTree {
  if (++reader.nesting > nestingMax) throw new PatternMistake(`it is nested more than ${nestingMax} levels deep`);
  const choices: PatternTree[] = [];
  let current = flags;
  do {
    const { tree, flags: after } = parseSequence(reader, current);
    choices.push(tree);
    // `(?i)` applies until the end of its group, across "|" as well.
    current = after;
  } while (takeIf(reader, '|'));
  reader.nesting--;
  return choices.length === 1 ? choices[0]! : { kind: 'alternatives', choices };
}

const nestingMax = 100;

function parseSequence(reader: PatternReader, flags: PatternFlags): { tree: PatternTree; flags: PatternFlags } {
  const parts: PatternTree[] = [];
  let current = flags;
  while (reader.at < reader.pattern.length && !'|)'.includes(reader.pattern[reader.at]!)) {
    const changed = parseFlags(reader, current);
    if (changed) current = changed;
    else if (reader.pattern.startsWith('\\Q', reader.at)) parts.push(...parseQuotation(reader, current));
    else parts.push(parseQuantified(reader, current));
  }
  return { tree: { kind: 'sequence', parts }, flags: current };
}

/** `\Q…\E`: every character is literal. A quantifier after it applies to the last character. */
function parseQuotation(reader: PatternReader, flags: PatternFlags): PatternTree[] {
  const end = reader.pattern.indexOf('\\E', reader.at);
  const text = reader.pattern.slice(reader.at + 2, end < 0 ? undefined : end);
  reader.at = end < 0 ? reader.pattern.length : end + 2;
  const parts = [...text].map((character) => literal(character.codePointAt(0)!, flags));
  const last = parts.pop();
  return last ? [...parts, parseQuantifier(reader, last)] : [];
}

function parseQuantified(reader: PatternReader, flags: PatternFlags): PatternTree {
  return parseQuantifier(reader, parseAtom(reader, flags));
}

function parseQuantifier(reader: PatternReader, inner: PatternTree): PatternTree {
  const form = /[*+?]|\{(\d{1,5})(?:(,)(\d{0,5}))?\}/y;
  form.lastIndex = reader.at;
  const match = form.exec(reader.pattern);
  if (!match) return inner;
  reader.at += match[0].length;
  const [written, least, comma, most] = match;
  if (most && Number(most) < Number(least)) throw new PatternMistake(`the repetition ${written} goes backwards`);
  const count = Math.max(Number(least ?? 1), Number(most || 1), comma && !most ? Number(least) + 1 : 1);
  if (takeIf(reader, '+')) throw new PatternMistake(`the possessive ${written}+ is not supported`);
  const quantifier = takeIf(reader, '?') ? `${written}?` : written;
  if (/[*+?{]/.test(reader.pattern[reader.at] ?? ''))
    throw new PatternMistake(`the repetition ${written} cannot be repeated`);
  return { kind: 'repeat', quantifier, most: count, inner };
}

function parseAtom(reader: PatternReader, flags: PatternFlags): PatternTree {
  const point = reader.pattern.codePointAt(reader.at)!;
  const character = String.fromCodePoint(point);
  reader.at += character.length;
  switch (character) {
    case '(':
      return parseGroup(reader, flags);
    case '[':
      return piece(parseSet(reader, flags));
    case '\\':
      return parseEscaped(reader, flags);
    case '.':
      return piece(flags.dotTakesLineEnds ? '(?s:.)' : `[^${renderRanges(lineEnds)}]`);
    case '^':
      return piece('\\A');
    case '$':
      return { kind: 'end', written: '$' };
    case '*':
    case '+':
    case '?':
    case '{':
      throw new PatternMistake(`there is nothing to repeat before ${character}`);
    default:
      return literal(point, flags);
  }
}

function parseEscaped(reader: PatternReader, flags: PatternFlags): PatternTree {
  const parsed = parseEscape(reader, flags);
  switch (parsed.kind) {
    case 'point':
      return literal(parsed.point, flags);
    case 'set':
      return piece(`[${renderRanges(parsed.ranges)}]`);
    case 'end':
      return parsed;
    case 'lineBreak':
      return piece(`(?:\\r\\n|[${renderRanges([...lineEnds, [0x0b, 0x0c]])}])`);
    default:
      return piece(parsed.text);
  }
}

function parseGroup(reader: PatternReader, flags: PatternFlags): PatternTree {
  const { opening, inside } = parseOpening(reader, flags);
  const inner = parseAlternatives(reader, inside);
  if (!takeIf(reader, ')')) throw new PatternMistake('a ")" is missing');
  return { kind: 'group', opening, inner };
}

function parseOpening(reader: PatternReader, flags: PatternFlags): { opening: string; inside: PatternFlags } {
  const form = /\?(?:(<?[=!])|(>)|<([A-Za-z][A-Za-z0-9]*)>|([a-zA-Z-]*):)/y;
  form.lastIndex = reader.at;
  const match = form.exec(reader.pattern);
  if (!match) {
    if (reader.pattern[reader.at] === '?') throw new PatternMistake('it has a group that Java does not know');
    return { opening: '(', inside: flags };
  }
  const [written, look, atomic, name, letters = ''] = match;
  if (look) throw new PatternMistake(`lookaround (${written}…) is not supported: patterns run in linear time`);
  if (atomic) throw new PatternMistake('atomic groups (?>…) are not supported: patterns run in linear time');
  reader.at += written.length;
  if (name) return { opening: nameGroup(reader, name), inside: flags };
  return { opening: '(?:', inside: changeFlags(letters, flags) };
}

function nameGroup({ names }: PatternReader, name: string): string {
  if (names.has(name)) throw new PatternMistake(`two groups are named "${name}"`);
  names.add(name);
  return `(?P<${name}>`;
}

/** Flags without a group, such as `(?i)`. They apply to what follows. */
function parseFlags(reader: PatternReader, flags: PatternFlags): PatternFlags | undefined {
  const form = /\(\?([a-zA-Z-]*)\)/y;
  form.lastIndex = reader.at;
  const match = form.exec(reader.pattern);
  if (!match) return undefined;
  reader.at += match[0].length;
  return changeFlags(match[1]!, flags);
}

function changeFlags(letters: string, flags: PatternFlags): PatternFlags {
  const unknown = /[^is-]|-.*-/.exec(letters);
  if (unknown) throw new PatternMistake(`the flags (?${letters}) are not supported, only i and s`);
  const [on = '', off = ''] = letters.split('-');
  const changed = (letter: string, before: boolean) => (before || on.includes(letter)) && !off.includes(letter);
  return { ignoresCase: changed('i', flags.ignoresCase), dotTakesLineEnds: changed('s', flags.dotTakesLineEnds) };
}

function literal(point: number, { ignoresCase }: PatternFlags): PatternTree {
  const ranges = ignoresCase ? withOtherCase([point, point]) : [];
  return piece(ranges.length > 1 ? `[${renderRanges(ranges)}]` : renderPoint(point));
}

function piece(text: string): PatternTree {
  return { kind: 'piece', text };
}

function takeIf(reader: PatternReader, character: string): boolean {
  if (reader.pattern[reader.at] !== character) return false;
  reader.at++;
  return true;
}
