// The instance and static methods of Character. A char is represented by the number of its UTF-16 unit.

import { lowerCodePoint, upperCodePoint } from '../run/letter-case.ts';
import { equalsMethod } from './equality.ts';
import { type Method, methodsOf, parameters, returns } from './method.ts';

const on = methodsOf<number>();
const onClass = methodsOf<null>();
const { char } = parameters;

export const characterMethods: readonly Method[] = [
  equalsMethod,
  on('charValue', [], returns.char, (self) => self),
  on('compareTo', [parameters.box<number>('Character')], returns.int, (self, other) => self - other),
  on('toString', [], returns.text, (self) => String.fromCharCode(self)),
  on('hashCode', [], returns.int, (self) => self),
];

export const characterStatics: readonly Method[] = [
  onClass('isDigit', [char], returns.boolean, (_self, unit) => /^\p{Nd}$/u.test(String.fromCharCode(unit))),
  onClass('isLetter', [char], returns.boolean, (_self, unit) => /^\p{L}$/u.test(String.fromCharCode(unit))),
  onClass('isLetterOrDigit', [char], returns.boolean, (_self, unit) =>
    /^[\p{L}\p{Nd}]$/u.test(String.fromCharCode(unit)),
  ),
  onClass('isUpperCase', [char], returns.boolean, (_self, unit) => /^\p{Uppercase}$/u.test(String.fromCharCode(unit))),
  onClass('isLowerCase', [char], returns.boolean, (_self, unit) => /^\p{Lowercase}$/u.test(String.fromCharCode(unit))),
  onClass('isWhitespace', [char], returns.boolean, (_self, unit) => isWhitespace(unit)),
  onClass('toUpperCase', [char], returns.char, (_self, unit) => upperCodePoint(unit)),
  onClass('toLowerCase', [char], returns.char, (_self, unit) => lowerCodePoint(unit)),
  onClass('valueOf', [char], returns.boxed<number>('Character'), (_self, unit) => unit),
  onClass('toString', [char], returns.text, (_self, unit) => String.fromCharCode(unit)),
  onClass('compare', [char, char], returns.int, (_self, left, right) => left - right),
];

/** Character.isWhitespace: Unicode spaces except the non-breaking ones, and the ASCII control characters that count. */
export function isWhitespace(unit: number): boolean {
  if (unit < 0x80) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d) || (unit >= 0x1c && unit <= 0x1f);
  if (unit === 0xa0 || unit === 0x2007 || unit === 0x202f) return false;
  return /^\p{Z}$/u.test(String.fromCharCode(unit));
}
