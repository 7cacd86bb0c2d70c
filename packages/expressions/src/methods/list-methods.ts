// The methods of List, and the static methods that create lists and streams.

import { JavaFailure } from '../run/java-failure.ts';
import { type Meter, spend } from '../run/meter.ts';
import { overList } from '../run/pipeline.ts';
import { boxOf, generic, isSameType, type JavaType, nullType, textType, unite } from '../typing/java-type.ts';
import { elementOf, isStream } from './element-type.ts';
import { equalityOf, equalsMethod } from './equality.ts';
import { answers, type CallTypes, type Method, methodsMadeFor, methodsOf, takes } from './method.ts';

type List = readonly unknown[];
const on = methodsOf<List>();
const madeFor = methodsMadeFor<List>();
const { int, anything } = takes;

export const listMethods: readonly Method[] = [
  equalsMethod,
  on('size', [], answers.int, (self) => self.length),
  on('isEmpty', [], answers.boolean, (self) => self.length === 0),
  on('get', [int], elementOf, get),
  madeFor('contains', [anything], answers.boolean, (types) => {
    const indexOf = searching(types);
    return (self, wanted, meter) => indexOf(self, wanted, meter) >= 0;
  }),
  madeFor('indexOf', [anything], answers.int, searching),
  on('stream', [], (types) => generic('Stream', elementOf(types)), overList),
];

const onClass = methodsOf<null>();
const { many, textArray } = takes;
const listType = (types: CallTypes) => generic('List', passedType(types));
const streamType = (types: CallTypes) => generic('Stream', passedType(types));
const oneType = { isVariadic: true, refuses: refuseMixed };

export const listStatics: readonly Method[] = [
  onClass(
    'of',
    [textArray],
    () => generic('List', textType),
    (_class, elements) => makeStrict(elements),
  ),
  onClass('of', [many], listType, (_class, elements) => makeStrict(elements), oneType),
];

export const arraysStatics: readonly Method[] = [
  onClass(
    'asList',
    [textArray],
    () => generic('List', textType),
    (_class, elements) => elements,
  ),
  onClass('asList', [many], listType, (_class, elements) => elements, oneType),
  onClass(
    'stream',
    [textArray],
    () => generic('Stream', textType),
    (_class, elements, meter) => overList(elements, meter),
  ),
];

export const streamStatics: readonly Method[] = [
  onClass(
    'of',
    [textArray],
    () => generic('Stream', textType),
    (_class, elements, meter) => overList(elements, meter),
  ),
  onClass('of', [many], streamType, (_class, elements, meter) => overList(elements, meter), oneType),
];

/** A list made by List.of: it contains no null, and searching it for null fails. */
class StrictList extends Array<unknown> {}

function makeStrict(elements: List): List {
  if (elements.includes(null)) throw new JavaFailure('NullPointerException', 'List.of takes no null');
  return StrictList.from(elements);
}

function get(self: List, index: number): unknown {
  if (index < 0 || index >= self.length)
    throw new JavaFailure('IndexOutOfBoundsException', `there is no element ${index} in a list of ${self.length}`);
  return self[index];
}

function searching({
  receiver,
  passed: [wantedType],
}: CallTypes): (self: List, wanted: unknown, meter: Meter) => number {
  const isSame = equalityOf(elementOf({ receiver }), wantedType!);
  return (self, wanted, meter) => {
    if (wanted === null && self instanceof StrictList)
      throw new JavaFailure('NullPointerException', 'a list made by List.of cannot be asked for null');
    spend(meter, self.length);
    return self.findIndex((element) => isSame(element, wanted, meter));
  };
}

function passedType({ passed }: CallTypes): JavaType {
  const types = passed.map(boxOf).filter(({ kind }) => kind !== 'null');
  return types.length === 0 ? nullType : types.reduce(unite);
}

function refuseMixed({ passed }: CallTypes): string | undefined {
  if (passed.some(isStream)) return 'takes values, no streams';
  const types = passed.map(boxOf).filter(({ kind }) => kind !== 'null' && kind !== 'unknown');
  return types.every((type) => isSameType(type, types[0]!)) ? undefined : 'takes elements of one type';
}
