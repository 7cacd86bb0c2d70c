// The static methods of java.util.Objects, which compare and replace values that may be null.

import { JavaFailure } from '../run/java-failure.ts';
import { checkOneType, passedType } from './list-methods.ts';
import { type CallTypes, hasText, type Method, methodsOf, signatureTypes } from './method.ts';
import { equalityOf, renderingOf } from './value-class.ts';

const on = methodsOf<[]>();
const { anything, boolean, text, textOrNull } = signatureTypes;

export const objectsMethods: readonly Method[] = [
  on('equals', [anything, anything], boolean, { bind: ({ args: [left, right] }) => equalityOf(left!, right!) }),
  on('isNull', [anything], boolean, (value) => value === null),
  on('nonNull', [anything], boolean, (value) => value !== null),
  on('requireNonNullElse', [anything, anything], passedType, chooseNonNull, { checkTypes: checkOneType }),
  on('toString', [anything], text, { bind: ({ args: [type] }) => renderingOf(type!)! }, hasText),
  on('toString', [anything, textOrNull], textOrNull, { bind: renderOrElse }, hasText),
];

function chooseNonNull(value: unknown, otherwise: unknown): unknown {
  if (value === null && otherwise === null) throw new JavaFailure('NullPointerException', 'both values are null');
  return value ?? otherwise;
}

function renderOrElse({ args: [type] }: CallTypes): (value: unknown, otherwise: string | null) => string | null {
  const render = renderingOf(type!)!;
  return (value, otherwise) => (value === null ? otherwise : render(value));
}
