// Character sets as ranges of code points: the sets that Java names, complements, and rendering in the syntax of the
// regex engine.

export type Range = readonly [from: number, to: number];

export function renderRanges(ranges: readonly Range[]): string {
  return ranges
    .map(([from, to]) => (from === to ? renderPoint(from) : `${renderPoint(from)}-${renderPoint(to)}`))
    .join('');
}

/** ASCII letters and digits are written as they are. All others are hex escapes, so that none is read as syntax. */
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

export const lastPoint = 0x10ffff;

/** Adds the same letters in the other case. As in Java, `(?i)` applies to ASCII letters only. */
export function withOtherCase([from, to]: Range): Range[] {
  const shifted = (low: number, high: number, by: number): Range[] => {
    const [start, end] = [Math.max(from, low), Math.min(to, high)];
    return start <= end ? [[start + by, end + by]] : [];
  };
  return [[from, to], ...shifted(0x41, 0x5a, 32), ...shifted(0x61, 0x7a, -32)];
}

export const lineEnds = parseRanges('0a 0d 85 2028-2029');

/** The sets of `\d`, `\s` and so on. The upper-case escapes are their complements. */
export const escapedSets = setsOf({
  d: '30-39',
  s: '09-0d 20',
  w: '30-39 41-5a 61-7a 5f',
  h: '09 20 a0 1680 180e 2000-200a 202f 205f 3000',
  v: '0a-0d 85 2028-2029',
});

/** The sets of `\p{Alpha}` and so on. */
export const namedSets = setsOf({
  Lower: '61-7a',
  Upper: '41-5a',
  ASCII: '00-7f',
  Alpha: '41-5a 61-7a',
  Digit: '30-39',
  Alnum: '30-39 41-5a 61-7a',
  Punct: '21-2f 3a-40 5b-60 7b-7e',
  Graph: '21-7e',
  Print: '20-7e',
  Blank: '09 20',
  Cntrl: '00-1f 7f',
  XDigit: '30-39 41-46 61-66',
  Space: '09-0d 20',
});

function setsOf(definitions: Record<string, string>): ReadonlyMap<string, readonly Range[]> {
  return new Map(Object.entries(definitions).map(([name, ranges]) => [name, parseRanges(ranges)]));
}

function parseRanges(text: string): Range[] {
  return text.split(' ').map((range) => {
    const [from, to = from] = range.split('-').map((digits) => Number.parseInt(digits, 16));
    return [from!, to!];
  });
}
