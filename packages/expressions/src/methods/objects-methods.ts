// The static methods of java.util.Objects, which compare and replace values that may be null.

import { JavaFailure } from '../run/java-failure.ts';
import { renderingOf } from '../run/java-text.ts';
import { boxOf, isSameType, unite } from '../typing/java-type.ts';
import { isStream } from './element-type.ts';
import { equalityOf } from './equality.ts';
import {
  type CallTypes,
  type Method,
  methodsByType,
  methodsOf,
  parameters,
  returns,
  type TypedResult,
} from './method.ts';

const on = methodsOf<null>();
const onByType = methodsByType<null>();
const { anything, textOrNull } = parameters;
const hasText = {
  checkTypes: ({ args: [type] }: CallTypes) =>
    renderingOf(type!) ? undefined : 'takes a value whose text form is defined',
};

export const objectsMethods: readonly Method[] = [
  onByType('equals', [anything, anything], returns.boolean, ({ args: [left, right] }) => {
    const isSame = equalityOf(left!, right!);
    return (_class, one, other, meter) => isSame(one, other, meter);
  }),
  on('isNull', [anything], returns.boolean, (_class, value) => value === null),
  on('nonNull', [anything], returns.boolean, (_class, value) => value !== null),
  on('requireNonNullElse', [anything, anything], otherwiseType, chooseNonNull, { checkTypes: refuseMixed }),
  onByType(
    'toString',
    [anything],
    returns.text,
    ({ args: [type] }) => {
      const render = renderingOf(type!)!;
      return (_class, value) => render(value);
    },
    hasText,
  ),
  onByType(
    'toString',
    [anything, textOrNull],
    returns.text as TypedResult<string | null>,
    ({ args: [type] }) => {
      const render = renderingOf(type!)!;
      return (_class, value, otherwise) => (value === null ? otherwise : render(value));
    },
    hasText,
  ),
];

function chooseNonNull(_class: null, value: unknown, otherwise: unknown): unknown {
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
