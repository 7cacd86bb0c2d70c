// The instance and static methods of String, except those that take a pattern (`pattern-methods.ts`).

import { checkIndex, JavaFailure } from '../run/java-failure.ts';
import { compareIgnoreCase, compareTexts, equalsIgnoreCase } from '../run/letter-case.ts';
import { checkTextLength, type Meter, searchCost, spend, spendText } from '../run/meter.ts';
import { isWhitespace } from './box-methods.ts';
import { equalsMethod, hasText, type Method, methodsOf, signatureTypes } from './method.ts';
import { renderingOf } from './value-class.ts';

const on = methodsOf<[string]>();
const { anything, boolean, char, int, manyTexts, text, textArray, textOrNull, texts } = signatureTypes;

export const stringMethods: readonly Method[] = [
  equalsMethod,
  on('equalsIgnoreCase', [textOrNull], boolean, (self, other, meter) => {
    if (other === null || self.length !== other.length) return false;
    spend(meter, self.length);
    return equalsIgnoreCase(self, other);
  }),
  on('length', [], int, (self) => self.length),
  on('isEmpty', [], boolean, (self) => self === ''),
  on('isBlank', [], boolean, (self, meter) => cut(self, meter, { isCut: isWhitespace }) === ''),
  on('startsWith', [text], boolean, (self, prefix, meter) => startsAt(self, prefix, 0, meter)),
  on('startsWith', [textOrNull, int], boolean, startsAt),
  on('endsWith', [text], boolean, (self, suffix, meter) => {
    spendText(meter, suffix.length);
    return self.endsWith(suffix);
  }),
  on('contains', [text], boolean, (self, part, meter) => indexOf(self, part, 0, meter) >= 0),
  on('indexOf', [int], int, (self, point, meter) => indexOfPoint(self, point, 0, meter)),
  on('indexOf', [int, int], int, indexOfPoint),
  on('indexOf', [text], int, (self, part, meter) => indexOf(self, part, 0, meter)),
  on('indexOf', [text, int], int, indexOf),
  on('lastIndexOf', [int], int, (self, point, meter) => lastIndexOf(self, textOf(point), meter)),
  on('lastIndexOf', [text], int, lastIndexOf),
  on('charAt', [int], char, charAt),
  on('substring', [int], text, (self, from) => substring(self, from, self.length)),
  on('substring', [int, int], text, substring),
  on('compareTo', [text], int, (self, other, meter) => {
    spend(meter, Math.min(self.length, other.length) >> 1);
    return compareTexts(self, other);
  }),
  on('compareToIgnoreCase', [text], int, (self, other, meter) => {
    spend(meter, self.length + other.length);
    return compareIgnoreCase(self, other);
  }),
  on('trim', [], text, (self, meter) => cut(self, meter, { isCut: (unit) => unit <= 0x20 })),
  on('strip', [], text, (self, meter) => cut(self, meter, { isCut: isWhitespace })),
  on('stripLeading', [], text, (self, meter) => cut(self, meter, { isCut: isWhitespace, keepsEnd: true })),
  on('stripTrailing', [], text, (self, meter) => cut(self, meter, { isCut: isWhitespace, keepsStart: true })),
  on('toUpperCase', [], text, (self, meter) => charged(self.toUpperCase(), meter)),
  on('toLowerCase', [], text, (self, meter) => charged(self.toLowerCase(), meter)),
  on('concat', [text], text, (self, other, meter) => charged(self + other, meter)),
  on('repeat', [int], text, repeat),
  on('replace', [char, char], text, (self, from, to, meter) =>
    replace(self, String.fromCharCode(from), String.fromCharCode(to), meter),
  ),
  on('replace', [text, text], text, replace),
  on('hashCode', [], int, hashOf),
  on('toString', [], text, (self) => self),
];

const onClass = methodsOf<[]>();

export const stringStatics: readonly Method[] = [
  onClass('valueOf', [anything], text, { bind: ({ args: [type] }) => renderingOf(type!)! }, hasText),
  onClass('join', [text, texts], text, join),
  onClass('join', [text, textArray], text, join),
  onClass('join', [text, manyTexts], text, join, { isVariadic: true }),
];

/** Charges for a new text, and checks its length. */
function charged(text: string, meter: Meter): string {
  checkTextLength(text.length);
  spendText(meter, text.length);
  return text;
}

function join(separator: string, parts: readonly (string | null)[], meter: Meter): string {
  checkTextLength(parts.reduce((length, part) => length + separator.length + (part?.length ?? 4), 0));
  return charged(parts.map(String).join(separator), meter);
}

/** Java checks the offset first: a negative offset gives false, even if the prefix is null. */
function startsAt(self: string, prefix: string | null, from: number, meter: Meter): boolean {
  if (from < 0) return false;
  if (prefix === null) throw new JavaFailure('NullPointerException', 'startsWith() does not accept null');
  spendText(meter, prefix.length);
  return from <= self.length && self.startsWith(prefix, from);
}

function charAt(self: string, index: number): number {
  checkIndex(index, self.length, 'StringIndexOutOfBoundsException');
  return self.charCodeAt(index);
}

function substring(self: string, from: number, to: number): string {
  if (from >= 0 && from <= to && to <= self.length) return self.slice(from, to);
  const reason = `the part from ${from} to ${to} is out of bounds for length ${self.length}`;
  throw new JavaFailure('StringIndexOutOfBoundsException', reason);
}

function repeat(self: string, count: number, meter: Meter): string {
  if (count < 0) throw new JavaFailure('IllegalArgumentException', `a text cannot be repeated ${count} times`);
  checkTextLength(self.length * count);
  return charged(self.repeat(count), meter);
}

/** In Java an empty text matches between all UTF-16 units, and at both ends. */
function replace(self: string, from: string, to: string, meter: Meter): string {
  spend(meter, (self.length >> 1) + searchCost(self.length, from.length));
  // No more parts than the remaining steps pay for: a text that is all matches takes ten times as long as one without.
  const partsMax = Math.floor(meter.stepsLeft / stepsPerPlace) + 2;
  const parts = from === '' ? ['', ...self.split('', partsMax), ''] : self.split(from, partsMax);
  spend(meter, parts.length * stepsPerPlace);
  // Checked before the text is built, because each match may grow by up to the maximum length of a text.
  checkTextLength(self.length + (parts.length - 1) * (to.length - from.length));
  return charged(parts.join(to), meter);
}

const stepsPerPlace = 3;

function indexOf(self: string, part: string | null, from: number, meter: Meter): number {
  if (part === null) return -1;
  spend(meter, searchCost(self.length, part.length));
  return self.indexOf(part, from);
}

function indexOfPoint(self: string, point: number, from: number, meter: Meter): number {
  return indexOf(self, textOf(point), from, meter);
}

function lastIndexOf(self: string, part: string | null, meter: Meter): number {
  if (part === null) return -1;
  spend(meter, searchCost(self.length, part.length));
  return self.lastIndexOf(part);
}

/** Null if the number is not a code point, because no text contains it. */
function textOf(point: number): string | null {
  return point < 0 || point > 0x10ffff ? null : String.fromCodePoint(point);
}

interface Cutting {
  isCut: (unit: number) => boolean;
  keepsStart?: boolean;
  keepsEnd?: boolean;
}

function cut(self: string, meter: Meter, { isCut, keepsStart = false, keepsEnd = false }: Cutting): string {
  spendText(meter, self.length);
  let [start, end] = [0, self.length];
  while (!keepsStart && start < end && isCut(self.charCodeAt(start))) start++;
  while (!keepsEnd && end > start && isCut(self.charCodeAt(end - 1))) end--;
  return self.slice(start, end);
}

function hashOf(self: string, meter: Meter): number {
  spendText(meter, self.length);
  let hash = 0;
  for (let at = 0; at < self.length; at++) hash = (Math.imul(31, hash) + self.charCodeAt(at)) | 0;
  return hash;
}
