// The methods of Stream<T>, IntStream, LongStream and DoubleStream.

import { JavaFailure } from '../run/java-failure.ts';
import { addLong, compareFractions, compareNumbers, type Long } from '../run/java-number.ts';
import type { Meter } from '../run/meter.ts';
import * as pipeline from '../run/pipeline.ts';
import { fold, type Pipeline } from '../run/pipeline.ts';
import { boxOf, elementOf, generic, isStream, type JavaType, type PlainName, plain } from '../typing/java-type.ts';
import { type CallTypes, type Method, methodsOf, signatureTypes } from './method.ts';
import { identityOf, orderOf } from './value-class.ts';

const on = methodsOf<[Pipeline]>();
const { boolean, int, long, double, lambda, optional } = signatureTypes;
const condition = lambda(boolean);
const ofSameType = ({ receiver }: CallTypes): JavaType => receiver;
const ofOptional = (types: CallTypes): JavaType => generic('Optional', elementOf(types));

/** The methods that streams of objects and of numbers share. */
const sharedMethods: readonly Method[] = [
  on('anyMatch', [condition], boolean, pipeline.anyMatch),
  on('allMatch', [condition], boolean, (self, isMatch) => !pipeline.anyMatch(self, (element) => !isMatch(element))),
  on('noneMatch', [condition], boolean, (self, isMatch) => !pipeline.anyMatch(self, isMatch)),
  on('count', [], long, pipeline.count),
  on('filter', [condition], ofSameType, pipeline.filtered),
];

export const streamMethods: readonly Method[] = [
  ...sharedMethods,
  on('map', [lambda('anything')], ({ args: [to] }) => generic('Stream', boxOf(to!)), pipeline.mapped, {
    checkTypes: ({ args: [to] }) =>
      isStream(to!) ? 'takes a lambda that returns a value; use flatMap to join streams' : undefined,
  }),
  on('flatMap', [lambda('anything')], ({ args: [to] }) => to!, pipeline.flattened, {
    checkTypes: ({ args: [to] }) => (canBeJoined(to!) ? undefined : 'takes a lambda that returns a Stream'),
  }),
  on('mapToInt', [lambda(int)], () => plain('IntStream'), pipeline.mapped),
  on('mapToLong', [lambda(long)], () => plain('LongStream'), pipeline.mapped),
  on('mapToDouble', [lambda(double)], () => plain('DoubleStream'), pipeline.mapped),
  on('distinct', [], ofSameType, { bind: distinct }),
  on(
    'sorted',
    [],
    ofSameType,
    { bind: sorted },
    {
      checkTypes: (types) => (orderOf(elementOf(types)) ? undefined : 'takes elements with a natural order'),
    },
  ),
  on('limit', [long], ofSameType, (self, count) => pipeline.limited(self, Number(count))),
  on('skip', [long], ofSameType, (self, count) => pipeline.skipping(self, Number(count))),
  on('findFirst', [], ofOptional, findFirst),
  on('findAny', [], ofOptional, findFirst),
  on('toList', [], (types) => generic('List', elementOf(types)), pipeline.collect),
];

function distinct(types: CallTypes): (self: Pipeline) => Pipeline {
  const identify = identityOf(elementOf(types));
  return (self) => pipeline.distinct(self, identify);
}

function sorted(types: CallTypes): (self: Pipeline, meter: Meter) => Pipeline {
  const order = orderOf(elementOf(types))!;
  return (self, meter) => pipeline.sorted(self, order, meter);
}

function canBeJoined(type: JavaType): boolean {
  return type.kind === 'unknown' || (type.kind === 'generic' && type.name === 'Stream');
}

function findFirst(self: Pipeline): { value: unknown } {
  const found = pipeline.find(self, () => true);
  if (found === null) throw new JavaFailure('NullPointerException', 'the first element is null');
  return { value: found ?? null };
}

export const intStreamMethods: readonly Method[] = [
  ...numberMethods('OptionalInt', compareNumbers),
  on('sum', [], int, (self) => fold<number>(self, 0, (sum, next) => (sum + next) | 0)),
  on('average', [], optional('OptionalDouble'), averageOfWhole),
];

export const longStreamMethods: readonly Method[] = [
  ...numberMethods('OptionalLong', compareNumbers),
  on('sum', [], long, (self) => fold<Long>(self, 0, addLong)),
  on('average', [], optional('OptionalDouble'), averageOfWhole),
];

export const doubleStreamMethods: readonly Method[] = [
  ...numberMethods('OptionalDouble', (left, right) => compareFractions(left as number, right as number)),
  on('sum', [], double, (self) => sumOfFractions(pipeline.collect(self) as number[])),
  on('average', [], optional('OptionalDouble'), (self) => {
    const elements = pipeline.collect(self) as number[];
    return { value: elements.length === 0 ? null : sumOfFractions(elements) / elements.length };
  }),
];

function numberMethods(optionalName: PlainName, compare: (left: Long, right: Long) => number): readonly Method[] {
  const ofBoxes = (types: CallTypes) => generic('Stream', boxOf(elementOf(types)));
  return [
    ...sharedMethods,
    on('boxed', [], ofBoxes, (self) => self),
    on('max', [], optional(optionalName), (self) => ({ value: most(self, compare) })),
    on('min', [], optional(optionalName), (self) => ({ value: most(self, (left, right) => compare(right, left)) })),
  ];
}

/** NaN if any element is NaN, like Math.max and Math.min. */
function most(self: Pipeline, compare: (left: Long, right: Long) => number): Long | null {
  return fold<Long | null>(self, null, (best, next) => {
    if (best === null || Number.isNaN(next)) return next;
    return Number.isNaN(best) || compare(best, next!) >= 0 ? best : next;
  });
}

function averageOfWhole(self: Pipeline): { value: number | null } {
  const elements = pipeline.collect(self) as Long[];
  return {
    value:
      elements.length === 0 ? null : Number(elements.reduce((sum, next) => addLong(sum, next), 0)) / elements.length,
  };
}

/** Java uses Kahan summation for doubles, so that ten times 0.1 is 1.0. */
function sumOfFractions(elements: readonly number[]): number {
  let [sum, lost, plainSum] = [0, 0, 0];
  for (const element of elements) {
    const next = element - lost;
    const higher = sum + next;
    lost = higher - sum - next;
    sum = higher;
    plainSum += element;
  }
  const compensated = sum - lost;
  return Number.isNaN(compensated) && !Number.isNaN(plainSum) ? plainSum : compensated;
}
