// The methods of java.util.Date, which is represented by the milliseconds since 1970. Its fields (year, hour, …) and
// its text depend on the time zone of the computer and are not supported.

import type { Long } from '../run/long-arithmetic.ts';
import { nowOf } from '../run/meter.ts';
import { plain } from '../typing/java-type.ts';
import { equalsMethod } from './equality.ts';
import { type Answering, answers, type Method, methodsOf, takes } from './method.ts';
import { compareNumbers } from './number-methods.ts';

const on = methodsOf<Long>();
const { date } = takes;

export const dateMethods: readonly Method[] = [
  equalsMethod,
  on('getTime', [], answers.long, (self) => self),
  on('before', [date], answers.boolean, (self, other) => self < other),
  on('after', [date], answers.boolean, (self, other) => self > other),
  on('compareTo', [date], answers.int, compareNumbers),
];

const onClass = methodsOf<null>();
const moment = plain('Date') as Answering<Long>;

export const dateConstructors: readonly Method[] = [
  onClass('Date', [], moment, (_class, meter) => nowOf(meter)),
  onClass('Date', [takes.long], moment, (_class, value) => value),
];
