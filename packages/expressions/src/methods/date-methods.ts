// The methods of java.util.Date, which is represented by the milliseconds since 1970. Its fields (year, hour, …) and
// its text depend on the time zone of the computer and are not supported.

import { compareNumbers, type Long } from '../run/java-number.ts';
import { nowOf } from '../run/meter.ts';
import { plain } from '../typing/java-type.ts';
import { equalsMethod, type Method, methodsOf, parameters, returns, type TypedResult } from './method.ts';

const on = methodsOf<[Long]>();
const { date } = parameters;

export const dateMethods: readonly Method[] = [
  equalsMethod,
  on('getTime', [], returns.long, (self) => self),
  on('before', [date], returns.boolean, (self, other) => self < other),
  on('after', [date], returns.boolean, (self, other) => self > other),
  on('compareTo', [date], returns.int, compareNumbers),
];

const onClass = methodsOf<[]>();
const moment = plain('Date') as TypedResult<Long>;

export const dateConstructors: readonly Method[] = [
  onClass('Date', [], moment, nowOf),
  onClass('Date', [parameters.long], moment, (value) => value),
];
