// The methods of Stream<T>.

import { JavaFailure } from '../run/java-failure.ts';
import type { Long } from '../run/java-number.ts';
import type { Meter } from '../run/meter.ts';
import type { Pipeline } from '../run/pipeline.ts';
import * as pipeline from '../run/pipeline.ts';
import {
  booleanType,
  boxOf,
  elementOf,
  generic,
  isStream,
  type JavaType,
  plain,
  primitive,
} from '../typing/java-type.ts';
import { type CallTypes, type Method, methodsByType, methodsOf, parameters, returns } from './method.ts';
import { identityOf, orderOf } from './value-class.ts';

const on = methodsOf<[Pipeline]>();
const onByType = methodsByType<[Pipeline]>();
const { lambda } = parameters;
const condition = lambda<boolean>(booleanType);
const sameStream = ({ receiver }: CallTypes): JavaType => receiver;

/** The methods that streams of objects and of numbers share. */
export const sharedStreamMethods: readonly Method[] = [
  on('anyMatch', [condition], returns.boolean, pipeline.anyMatch),
  on('allMatch', [condition], returns.boolean, pipeline.allMatch),
  on('noneMatch', [condition], returns.boolean, (self, isMatch) => !pipeline.anyMatch(self, isMatch)),
  on('count', [], returns.long, pipeline.count),
  on('filter', [condition], sameStream, pipeline.filtered),
];

export const streamMethods: readonly Method[] = [
  ...sharedStreamMethods,
  on('map', [lambda('anything')], ({ args: [to] }) => generic('Stream', boxOf(to!)), pipeline.mapped, {
    checkTypes: ({ args: [to] }) =>
      isStream(to!) ? 'takes a lambda that returns a value; use flatMap to join streams' : undefined,
  }),
  on('flatMap', [lambda('anything')], ({ args: [to] }) => to!, pipeline.flattened, {
    checkTypes: ({ args: [to] }) => (isJoined(to!) ? undefined : 'takes a lambda that returns a Stream'),
  }),
  on('mapToInt', [lambda<number>(primitive('int'))], () => plain('IntStream'), pipeline.mapped),
  on('mapToLong', [lambda<Long>(primitive('long'))], () => plain('LongStream'), pipeline.mapped),
  on('mapToDouble', [lambda<number>(primitive('double'))], () => plain('DoubleStream'), pipeline.mapped),
  onByType('distinct', [], sameStream, (types) => {
    const identify = identityOf(elementOf(types));
    return (self) => pipeline.distinct(self, identify);
  }),
  onByType('sorted', [], sameStream, sorting, {
    checkTypes: (types) => (orderOf(elementOf(types)) ? undefined : 'takes elements with a natural order'),
  }),
  on('limit', [parameters.long], sameStream, (self, count) => pipeline.limited(self, Number(count))),
  on('skip', [parameters.long], sameStream, (self, count) => pipeline.skipping(self, Number(count))),
  on('findFirst', [], optionalType, findFirst),
  on('findAny', [], optionalType, findFirst),
  on('toList', [], (types) => generic('List', elementOf(types)), pipeline.collect),
];

function sorting(types: CallTypes): (self: Pipeline, meter: Meter) => Pipeline {
  const order = orderOf(elementOf(types))!;
  return (self, meter) => pipeline.sorted(self, order, meter);
}

function optionalType(types: CallTypes): JavaType {
  return generic('Optional', elementOf(types));
}

function isJoined(type: JavaType): boolean {
  return type.kind === 'unknown' || (type.kind === 'generic' && type.name === 'Stream');
}

function findFirst(self: Pipeline): { value: unknown } {
  const found = pipeline.first(self);
  if (found === null) throw new JavaFailure('NullPointerException', 'the first element is null');
  return { value: found ?? null };
}
