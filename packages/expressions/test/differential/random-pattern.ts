// Random Java regular expressions, used by each method of String that takes one.

import type { Dice } from './dice.ts';

/** An expression whose result depends on every match of the pattern. */
export function randomPatternUse(dice: Dice): string {
  const [text, pattern] = [quote(dice.pick(texts)), quote(randomPattern(dice, 2))];
  const use = dice.pick([
    `${text}.matches(${pattern})`,
    `${text}.matches(${pattern})`,
    `(${text}.replaceAll(${pattern}, "<$0>").hashCode() % 5 == 0)`,
    `(${text}.replaceFirst(${pattern}, "<$0>").hashCode() % 5 == 0)`,
    `(String.join("|", ${text}.split(${pattern})).hashCode() % 5 == 0)`,
    `(String.join("|", ${text}.split(${pattern}, 2)).hashCode() % 5 == 0)`,
  ]);
  return `(svcObject != null && ${use})`;
}

function randomPattern(dice: Dice, depth: number): string {
  const parts = Array.from({ length: 1 + dice.below(3) }, () => randomPart(dice, depth) + dice.pick(quantifiers));
  return parts.join('');
}

function randomPart(dice: Dice, depth: number): string {
  if (depth > 0 && dice.isLucky(0.25)) return `(${dice.isLucky(0.3) ? '?:' : ''}${randomPattern(dice, depth - 1)})`;
  if (depth > 0 && dice.isLucky(0.1)) return `${randomPattern(dice, depth - 1)}|${randomPattern(dice, depth - 1)}`;
  return dice.pick(atoms);
}

const quantifiers = ['', '', '', '', '*', '+', '?', '{2}', '{1,2}', '{0,}', '*?', '+?', '??', '{2,}?'];

// Word boundaries are left out: before JDK 19 they followed Unicode, while \w followed ASCII.
const atoms = [
  ...[
    'a',
    'b',
    'B',
    'é',
    ',',
    ' ',
    '-',
    ']',
    '}',
    '"',
    "'",
    '.',
    '^',
    '$',
    '\\A',
    '\\z',
    '\\Z',
    '\\R',
    '\\Qa.\\E',
    '\\Q\\E',
  ],
  ...[
    '\\d',
    '\\D',
    '\\w',
    '\\W',
    '\\s',
    '\\S',
    '\\h',
    '\\v',
    '\\H',
    '\\.',
    '\\t',
    '\\\\',
    '\\e',
    '\\cA',
    '\\x41',
    '\\u0062',
    '\\0101',
  ],
  ...[
    '[ab]',
    '[^ab]',
    '[a-c]',
    '[A-Z0-9_]',
    '[\\d,]',
    '[^\\s]',
    '[\\S]',
    '[a-]',
    '[-a]',
    '[a\\]]',
    '[.]',
    '[^.]',
    '[^\\W]',
    '[$]',
    '[(]',
  ],
  ...['\\p{L}', '\\p{Lu}', '\\P{Alpha}', '\\p{Punct}', '\\p{IsLatin}', '\\p{Sc}', '[\\p{Alpha}\\-]', '[\\P{Digit}x]'],
  ...['(?i)', '(?s)', '(?-i)', '(?i:aB)', '(?s:.)', '(?<n>b)'],
];

const texts = [
  ...[
    '',
    'a',
    'ab',
    'aab',
    'B',
    'aB',
    'a.b',
    'a b',
    '1,2',
    'é',
    'éa',
    'a\n',
    'a\nb',
    '\r\n',
    ' \t',
    '_x-',
    'abcabc',
    'A0',
    'a"\\',
  ],
  ...['ß', '\u2028', '\u0085a', 'a\u00a0b', 'aaaa', '$', 'a,b,,', '\u000b', 'Ab]}'],
];

/** As a literal in double quotes. */
function quote(text: string): string {
  const codeOf = (sign: string) => sign.charCodeAt(0).toString(16).padStart(4, '0');
  return `"${text.replace(/[^ !#-[\]-~]/g, (sign) => escapes.get(sign) ?? `\\u${codeOf(sign)}`)}"`;
}

const escapes = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
]);
