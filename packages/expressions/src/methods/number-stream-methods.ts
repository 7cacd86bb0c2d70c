// The methods of IntStream, LongStream and DoubleStream, which compute sums and averages.

import { addLong, compareFractions, compareNumbers, type Long } from '../run/java-number.ts';
import type { Pipeline } from '../run/pipeline.ts';
import { boxOf, elementOf, generic, type PlainName, plain } from '../typing/java-type.ts';
import { type Method, methodsOf, returns, type TypedResult } from './method.ts';
import { sharedStreamMethods } from './stream-methods.ts';

const on = methodsOf<[Pipeline]>();

export const intStreamMethods: readonly Method[] = [
  ...numberMethods('OptionalInt', compareNumbers),
  on('sum', [], returns.int, (self) => fold(self, 0, (sum, next) => (sum + next) | 0)),
  on('average', [], optional('OptionalDouble'), (self) => ({ value: averageOfWhole(self) })),
];

export const longStreamMethods: readonly Method[] = [
  ...numberMethods('OptionalLong', compareNumbers),
  on('sum', [], returns.long, sumOfWhole),
  on('average', [], optional('OptionalDouble'), (self) => ({ value: averageOfWhole(self) })),
];

export const doubleStreamMethods: readonly Method[] = [
  ...numberMethods('OptionalDouble', (left, right) => compareFractions(left as number, right as number)),
  on('sum', [], returns.double, (self) => sumOfFractions(self).sum),
  on('average', [], optional('OptionalDouble'), (self) => {
    const { sum, count } = sumOfFractions(self);
    return { value: count === 0 ? null : sum / count };
  }),
];

function optional(name: PlainName): TypedResult<{ value: Long | null }> {
  return plain(name);
}

function numberMethods(optionalName: PlainName, compare: (left: Long, right: Long) => number): readonly Method[] {
  return [
    ...sharedStreamMethods,
    on(
      'boxed',
      [],
      (types) => generic('Stream', boxOf(elementOf(types))),
      (self) => self,
    ),
    on('max', [], optional(optionalName), (self) => ({ value: most(self, compare) })),
    on('min', [], optional(optionalName), (self) => ({ value: most(self, (left, right) => compare(right, left)) })),
  ];
}

function fold<V>(self: Pipeline, start: V, add: (sum: V, next: V) => V): V {
  let sum = start;
  self.each((next) => {
    sum = add(sum, next as V);
    return true;
  });
  return sum;
}

/** NaN if any element is NaN, like Math.max and Math.min. */
function most(self: Pipeline, compare: (left: Long, right: Long) => number): Long | null {
  return fold<Long | null>(self, null, (best, next) => {
    if (best === null || Number.isNaN(next)) return next;
    return Number.isNaN(best) || compare(best, next!) >= 0 ? best : next;
  });
}

function sumOfWhole(self: Pipeline): Long {
  return fold<Long>(self, 0, addLong);
}

function averageOfWhole(self: Pipeline): number | null {
  let count = 0;
  const sum = fold<Long>(self, 0, (before, next) => {
    count++;
    return addLong(before, next);
  });
  return count === 0 ? null : Number(sum) / count;
}

/** Java uses Kahan summation for doubles, so that ten times 0.1 is 1.0. */
function sumOfFractions(self: Pipeline): { sum: number; count: number } {
  let [sum, lost, plainSum, count] = [0, 0, 0, 0];
  self.each((element) => {
    const next = (element as number) - lost;
    const higher = sum + next;
    lost = higher - sum - next;
    sum = higher;
    plainSum += element as number;
    count++;
    return true;
  });
  const compensated = sum - lost;
  const isLost = Number.isNaN(compensated) && !Number.isNaN(plainSum);
  return { sum: isLost ? plainSum : compensated, count };
}
