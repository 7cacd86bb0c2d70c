// The static methods of java.util.Objects, which compare and replace values that may be null.

import { JavaFailure } from '../run/java-failure.ts';
import { boxOf, isSameType, isStream, unite } from '../typing/java-type.ts';
import { type CallTypes, hasText, type Method, methodsByType, methodsOf, signatureTypes } from './method.ts';
import { equalityOf, renderingOf } from './value-class.ts';

const on = methodsOf<[]>();
const onByType = methodsByType<[]>();
const { anything, boolean, text, textOrNull } = signatureTypes;

export const objectsMethods: readonly Method[] = [
  onByType('equals', [anything, anything], boolean, ({ args: [left, right] }) => equalityOf(left!, right!)),
  on('isNull', [anything], boolean, (value) => value === null),
  on('nonNull', [anything], boolean, (value) => value !== null),
  on('requireNonNullElse', [anything, anything], otherwiseType, chooseNonNull, { checkTypes: refuseMixed }),
  onByType('toString', [anything], text, ({ args: [type] }) => renderingOf(type!)!, hasText),
  onByType(
    'toString',
    [anything, textOrNull],
    textOrNull,
    ({ args: [type] }) => {
      const render = renderingOf(type!)!;
      return (value, otherwise) => (value === null ? otherwise : render(value));
    },
    hasText,
  ),
];

function chooseNonNull(value: unknown, otherwise: unknown): unknown {
  if (value === null && otherwise === null) throw new JavaFailure('NullPointerException', 'both values are null');
  return value ?? otherwise;
}

function otherwiseType({ args }: CallTypes) {
  const [value, otherwise] = args.map(boxOf);
  return value!.kind === 'null' ? otherwise! : unite(value!, otherwise!);
}

function refuseMixed({ args }: CallTypes): string | undefined {
  const [value, otherwise] = args.map(boxOf);
  if (args.some(isStream)) return 'takes two values, not streams';
  const isLoose = [value!, otherwise!].some(({ kind }) => kind === 'null' || kind === 'unknown');
  return isLoose || isSameType(value!, otherwise!) ? undefined : 'takes two values of one type';
}
