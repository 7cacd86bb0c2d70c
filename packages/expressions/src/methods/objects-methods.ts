// The static methods of java.util.Objects, which compare and replace values that may be null.

import { JavaFailure } from '../run/java-failure.ts';
import { renderingOf } from '../run/java-text.ts';
import { boxOf, isSameType, unite } from '../typing/java-type.ts';
import { isStream } from './element-type.ts';
import { equalityOf } from './equality.ts';
import { type Answering, answers, type CallTypes, type Method, methodsMadeFor, methodsOf, takes } from './method.ts';

const on = methodsOf<null>();
const madeFor = methodsMadeFor<null>();
const { anything, textOrNull } = takes;
const hasText = {
  refuses: ({ passed: [type] }: CallTypes) => (renderingOf(type!) ? undefined : 'takes a value with a text to rely on'),
};

export const objectsMethods: readonly Method[] = [
  madeFor('equals', [anything, anything], answers.boolean, ({ passed: [left, right] }) => {
    const isSame = equalityOf(left!, right!);
    return (_class, one, other, meter) => isSame(one, other, meter);
  }),
  on('isNull', [anything], answers.boolean, (_class, value) => value === null),
  on('nonNull', [anything], answers.boolean, (_class, value) => value !== null),
  on('requireNonNullElse', [anything, anything], otherwiseType, chooseNonNull, { refuses: refuseMixed }),
  madeFor(
    'toString',
    [anything],
    answers.text,
    ({ passed: [type] }) => {
      const render = renderingOf(type!)!;
      return (_class, value) => render(value);
    },
    hasText,
  ),
  madeFor(
    'toString',
    [anything, textOrNull],
    answers.text as Answering<string | null>,
    ({ passed: [type] }) => {
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

function otherwiseType({ passed }: CallTypes) {
  const [value, otherwise] = passed.map(boxOf);
  return value!.kind === 'null' ? otherwise! : unite(value!, otherwise!);
}

function refuseMixed({ passed }: CallTypes): string | undefined {
  const [value, otherwise] = passed.map(boxOf);
  if (passed.some(isStream)) return 'takes two values, no streams';
  const isLoose = [value!, otherwise!].some(({ kind }) => kind === 'null' || kind === 'unknown');
  return isLoose || isSameType(value!, otherwise!) ? undefined : 'takes two values of one type';
}
