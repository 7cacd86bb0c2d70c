// The methods of List, and the static methods that create lists and streams.

import { JavaFailure } from '../run/java-failure.ts';
import { type Meter, spend } from '../run/meter.ts';
import { overList } from '../run/pipeline.ts';
import { boxOf, generic, isSameType, type JavaType, nullType, textType, unite } from '../typing/java-type.ts';
import { elementOf, isStream } from './element-type.ts';
import { equalityOf, equalsMethod } from './equality.ts';
import { type CallTypes, type Method, methodsByType, methodsOf, parameters, returns } from './method.ts';

type List = readonly unknown[];
const on = methodsOf<List>();
const onByType = methodsByType<List>();
const { int, anything } = parameters;

export const listMethods: readonly Method[] = [
  equalsMethod,
  on('size', [], returns.int, (self) => self.length),
  on('isEmpty', [], returns.boolean, (self) => self.length === 0),
  on('get', [int], elementOf, get),
  onByType('contains', [anything], returns.boolean, (types) => {
    const indexOf = searching(types);
    return (self, wanted, meter) => indexOf(self, wanted, meter) >= 0;
  }),
  onByType('indexOf', [anything], returns.int, searching),
  on('stream', [], (types) => generic('Stream', elementOf(types)), overList),
];

const onClass = methodsOf<null>();
const { many, textArray } = parameters;
const listType = (types: CallTypes) => generic('List', passedType(types));
const streamType = (types: CallTypes) => generic('Stream', passedType(types));
const oneType = { isVariadic: true, checkTypes: refuseMixed };

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
  if (elements.includes(null)) throw new JavaFailure('NullPointerException', 'List.of does not accept null');
  return StrictList.from(elements);
}

function get(self: List, index: number): unknown {
  if (index < 0 || index >= self.length)
    throw new JavaFailure('IndexOutOfBoundsException', `index ${index} is out of bounds for length ${self.length}`);
  return self[index];
}

function searching({ receiver, args: [wantedType] }: CallTypes): (self: List, wanted: unknown, meter: Meter) => number {
  const isSame = equalityOf(elementOf({ receiver }), wantedType!);
  return (self, wanted, meter) => {
    if (wanted === null && self instanceof StrictList)
      throw new JavaFailure('NullPointerException', 'a list made by List.of cannot be searched for null');
    spend(meter, self.length);
    return self.findIndex((element) => isSame(element, wanted, meter));
  };
}

function passedType({ args }: CallTypes): JavaType {
  const types = args.map(boxOf).filter(({ kind }) => kind !== 'null');
  return types.length === 0 ? nullType : types.reduce(unite);
}

function refuseMixed({ args }: CallTypes): string | undefined {
  if (args.some(isStream)) return 'takes values, not streams';
  const types = args.map(boxOf).filter(({ kind }) => kind !== 'null' && kind !== 'unknown');
  return types.every((type) => isSameType(type, types[0]!)) ? undefined : 'takes elements of one type';
}
