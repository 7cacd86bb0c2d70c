// The instance and static methods of Boolean.

import { equalsIgnoreCase } from '../run/letter-case.ts';
import { equalsMethod } from './equality.ts';
import { answers, type Method, methodsOf, takes } from './method.ts';

const on = methodsOf<boolean>();
const onClass = methodsOf<null>();
const { boolean, textOrNull } = takes;

export const booleanMethods: readonly Method[] = [
  equalsMethod,
  on('booleanValue', [], answers.boolean, (self) => self),
  on('compareTo', [takes.box<boolean>('Boolean')], answers.int, (self, other) => Number(self) - Number(other)),
  on('toString', [], answers.text, String),
  on('hashCode', [], answers.int, (self) => (self ? 1231 : 1237)),
];

export const booleanStatics: readonly Method[] = [
  onClass('valueOf', [boolean], answers.boxed<boolean>('Boolean'), (_class, value) => value),
  onClass('valueOf', [textOrNull], answers.boxed<boolean>('Boolean'), (_class, value) => isTrue(value)),
  onClass('parseBoolean', [textOrNull], answers.boolean, (_class, value) => isTrue(value)),
  onClass('toString', [boolean], answers.text, (_class, value) => String(value)),
  onClass('compare', [boolean, boolean], answers.int, (_class, left, right) => Number(left) - Number(right)),
];

function isTrue(text: string | null): boolean {
  return text !== null && equalsIgnoreCase(text, 'true');
}
