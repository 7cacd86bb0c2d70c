// The methods of java.util.Date, a moment in milliseconds since 1970. Its parts (year, hour, …) and its text depend on the
// time zone of a computer, so they are left out.

import { plain } from '../check/java-type.ts';
import type { Long } from '../run/long-arithmetic.ts';
import { nowOf } from '../run/meter.ts';
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
