// The methods of java.util.Date, which is represented by the milliseconds since 1970. Its fields (year, hour, …) and
// its text depend on the time zone of the computer and are not supported.

import { compareNumbers, type Long } from '../run/java-number.ts';
import { nowOf } from '../run/meter.ts';
import { equalsMethod, type Method, methodsOf, signatureTypes } from './method.ts';

const on = methodsOf<[Long]>();
const { boolean, date, int, long } = signatureTypes;

export const dateMethods: readonly Method[] = [
  equalsMethod,
  on('getTime', [], long, (self) => self),
  on('before', [date], boolean, (self, other) => self < other),
  on('after', [date], boolean, (self, other) => self > other),
  on('compareTo', [date], int, compareNumbers),
];

const onClass = methodsOf<[]>();

export const dateConstructors: readonly Method[] = [
  onClass('Date', [], date, nowOf),
  onClass('Date', [long], date, (value) => value),
];
