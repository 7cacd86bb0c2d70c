// The methods of Stream<T>.

import { JavaFailure } from '../run/java-failure.ts';
import type { Long } from '../run/long-arithmetic.ts';
import type { Meter } from '../run/meter.ts';
import type { Pipeline } from '../run/pipeline.ts';
import * as pipeline from '../run/pipeline.ts';
import { boxOf, generic, type JavaType, plain, primitive } from '../typing/java-type.ts';
import { elementOf, isStream } from './element-type.ts';
import { answers, type CallTypes, type Method, methodsMadeFor, methodsOf, takes } from './method.ts';
import { identityOf, orderOf } from './ordering.ts';

const on = methodsOf<Pipeline>();
const madeFor = methodsMadeFor<Pipeline>();
const { lambda } = takes;
const condition = lambda<boolean>(primitive('boolean'));
const sameStream = ({ receiver }: CallTypes): JavaType => receiver;

export const streamMethods: readonly Method[] = [
  on('anyMatch', [condition], answers.boolean, (self, isMatch) => pipeline.anyMatch(self, isMatch)),
  on(
    'allMatch',
    [condition],
    answers.boolean,
    (self, isMatch) => !pipeline.anyMatch(self, (element) => !isMatch(element)),
  ),
  on('noneMatch', [condition], answers.boolean, (self, isMatch) => !pipeline.anyMatch(self, isMatch)),
  on('count', [], answers.long, (self) => pipeline.count(self)),
  on('filter', [condition], sameStream, pipeline.filtered),
  on('map', [lambda('anything')], ({ passed: [to] }) => generic('Stream', boxOf(to!)), pipeline.mapped, {
    refuses: ({ passed: [to] }) =>
      isStream(to!) ? 'takes a lambda that answers a value; streams are joined by flatMap' : undefined,
  }),
  on('flatMap', [lambda('anything')], ({ passed: [to] }) => to!, pipeline.flattened, {
    refuses: ({ passed: [to] }) => (isJoined(to!) ? undefined : 'takes a lambda that answers a Stream'),
  }),
  on('mapToInt', [lambda<number>(primitive('int'))], () => plain('IntStream'), pipeline.mapped),
  on('mapToLong', [lambda<Long>(primitive('long'))], () => plain('LongStream'), pipeline.mapped),
  on('mapToDouble', [lambda<number>(primitive('double'))], () => plain('DoubleStream'), pipeline.mapped),
  madeFor('distinct', [], sameStream, (types) => {
    const identify = identityOf(elementOf(types));
    return (self) => pipeline.distinct(self, identify);
  }),
  madeFor('sorted', [], sameStream, sorting, {
    refuses: (types) => (orderOf(elementOf(types)) ? undefined : 'takes elements that have an order of their own'),
  }),
  on('limit', [takes.long], sameStream, (self, count) => pipeline.limited(self, Number(count))),
  on('skip', [takes.long], sameStream, (self, count) => pipeline.skipping(self, Number(count))),
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
