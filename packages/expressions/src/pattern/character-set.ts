// Character sets as ranges of code points: the sets that Java names, their complements, and their form in the engine's
// syntax.

export type Range = readonly [from: number, to: number];

export function renderRanges(ranges: readonly Range[]): string {
  return ranges
    .map(([from, to]) => (from === to ? renderPoint(from) : `${renderPoint(from)}-${renderPoint(to)}`))
    .join('');
}

/** ASCII letters and digits are written as they are, all others as hex escapes, so that none is read as syntax. */
export function renderPoint(point: number): string {
  const character = String.fromCodePoint(point);
  return /[A-Za-z0-9]/.test(character) ? character : `\\x{${point.toString(16)}}`;
}

export function complement(ranges: readonly Range[]): Range[] {
  const sorted = [...ranges].sort(([left], [right]) => left - right);
  const gaps: Range[] = [];
  let next = 0;
  for (const [from, to] of sorted) {
    if (from > next) gaps.push([next, from - 1]);
    next = Math.max(next, to + 1);
  }
  if (next <= lastPoint) gaps.push([next, lastPoint]);
  return gaps;
}

const lastPoint = 0x10ffff;

/** Adds the other case. Java's `(?i)` applies to ASCII letters only. */
export function withOtherCase([from, to]: Range): Range[] {
  const shifted = (low: number, high: number, by: number): Range[] => {
    const [start, end] = [Math.max(from, low), Math.min(to, high)];
    return start <= end ? [[start + by, end + by]] : [];
  };
  return [[from, to], ...shifted(0x41, 0x5a, 32), ...shifted(0x61, 0x7a, -32)];
}

export const lineEnds: readonly Range[] = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x85, 0x85],
  [0x2028, 0x2029],
];

const space: readonly Range[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
];
const digit: readonly Range[] = [[0x30, 0x39]];
const upper: readonly Range[] = [[0x41, 0x5a]];
const lower: readonly Range[] = [[0x61, 0x7a]];
const alphabetic = [...upper, ...lower];
const blank: readonly Range[] = [
  [0x09, 0x09],
  [0x20, 0x20],
];

/** The sets of `\d`, `\s` and so on. The upper-case escapes are their complements. */
export const escapedSets = new Map<string, readonly Range[]>([
  ['d', digit],
  ['s', space],
  ['w', [...digit, ...alphabetic, [0x5f, 0x5f]]],
  [
    'h',
    [
      ...blank,
      [0xa0, 0xa0],
      [0x1680, 0x1680],
      [0x180e, 0x180e],
      [0x2000, 0x200a],
      [0x202f, 0x202f],
      [0x205f, 0x205f],
      [0x3000, 0x3000],
    ],
  ],
  [
    'v',
    [
      [0x0a, 0x0d],
      [0x85, 0x85],
      [0x2028, 0x2029],
    ],
  ],
]);

/** The sets of `\p{Alpha}` and so on. */
export const namedSets = new Map<string, readonly Range[]>([
  ['Lower', lower],
  ['Upper', upper],
  ['ASCII', [[0, 0x7f]]],
  ['Alpha', alphabetic],
  ['Digit', digit],
  ['Alnum', [...digit, ...alphabetic]],
  [
    'Punct',
    [
      [0x21, 0x2f],
      [0x3a, 0x40],
      [0x5b, 0x60],
      [0x7b, 0x7e],
    ],
  ],
  ['Graph', [[0x21, 0x7e]]],
  ['Print', [[0x20, 0x7e]]],
  ['Blank', blank],
  [
    'Cntrl',
    [
      [0, 0x1f],
      [0x7f, 0x7f],
    ],
  ],
  ['XDigit', [...digit, [0x41, 0x46], [0x61, 0x66]]],
  ['Space', space],
]);
