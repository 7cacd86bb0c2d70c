// The instance and static methods of Boolean.

import { equalsIgnoreCase } from '../run/letter-case.ts';
import { equalsMethod } from './equality.ts';
import { type Method, methodsOf, parameters, returns } from './method.ts';

const on = methodsOf<boolean>();
const onClass = methodsOf<null>();
const { boolean, textOrNull } = parameters;

export const booleanMethods: readonly Method[] = [
  equalsMethod,
  on('booleanValue', [], returns.boolean, (self) => self),
  on('compareTo', [parameters.box<boolean>('Boolean')], returns.int, (self, other) => Number(self) - Number(other)),
  on('toString', [], returns.text, String),
  on('hashCode', [], returns.int, (self) => (self ? 1231 : 1237)),
];

export const booleanStatics: readonly Method[] = [
  onClass('valueOf', [boolean], returns.boxed<boolean>('Boolean'), (_class, value) => value),
  onClass('valueOf', [textOrNull], returns.boxed<boolean>('Boolean'), (_class, value) => isTrue(value)),
  onClass('parseBoolean', [textOrNull], returns.boolean, (_class, value) => isTrue(value)),
  onClass('toString', [boolean], returns.text, (_class, value) => String(value)),
  onClass('compare', [boolean, boolean], returns.int, (_class, left, right) => Number(left) - Number(right)),
];

function isTrue(text: string | null): boolean {
  return text !== null && equalsIgnoreCase(text, 'true');
}
