// The methods of List, and the static methods that create lists and streams.

import { checkIndex, JavaFailure } from '../run/java-failure.ts';
import { type Meter, spend } from '../run/meter.ts';
import { overList } from '../run/pipeline.ts';
import {
  boxOf,
  elementOf,
  generic,
  isSameType,
  isStream,
  type JavaType,
  nullType,
  textType,
  unite,
} from '../typing/java-type.ts';
import { type CallTypes, equalsMethod, type Method, methodsOf, signatureTypes } from './method.ts';
import { equalityOf } from './value-class.ts';

type List = readonly unknown[];
const on = methodsOf<[List]>();
const { anything, boolean, int, many, textArray } = signatureTypes;

export const listMethods: readonly Method[] = [
  equalsMethod,
  on('size', [], int, (self) => self.length),
  on('isEmpty', [], boolean, (self) => self.length === 0),
  on('get', [int], elementOf, get),
  on('contains', [anything], boolean, {
    bind: (types) => {
      const indexOf = searching(types);
      return (self, wanted, meter) => indexOf(self, wanted, meter) >= 0;
    },
  }),
  on('indexOf', [anything], int, { bind: searching }),
  on('stream', [], (types) => generic('Stream', elementOf(types)), overList),
];

const onClass = methodsOf<[]>();

export const listStatics = ofElements('of', 'List', makeStrict);
export const arraysStatics: readonly Method[] = [
  ...ofElements('asList', 'List', (elements) => elements),
  onClass('stream', [textArray], () => generic('Stream', textType), overList),
];
export const streamStatics = ofElements('of', 'Stream', overList);

/** A method that takes any number of elements, or an array of them. The only arrays are those of texts. */
function ofElements(
  name: string,
  owner: 'List' | 'Stream',
  make: (elements: List, meter: Meter) => unknown,
): readonly Method[] {
  const ofPassed = (types: CallTypes) => generic(owner, passedType(types));
  return [
    onClass(name, [textArray], () => generic(owner, textType), make),
    onClass(name, [many], ofPassed, make, { isVariadic: true, checkTypes: checkOneType }),
  ];
}

/** A list made by List.of: it contains no null, and searching it for null fails. */
class StrictList extends Array<unknown> {}

function makeStrict(elements: List): List {
  if (elements.includes(null)) throw new JavaFailure('NullPointerException', 'List.of does not accept null');
  return StrictList.from(elements);
}

function get(self: List, index: number): unknown {
  checkIndex(index, self.length, 'IndexOutOfBoundsException');
  return self[index];
}

function searching({ receiver, args: [wantedType] }: CallTypes): (self: List, wanted: unknown, meter: Meter) => number {
  const areEqual = equalityOf(elementOf({ receiver }), wantedType!);
  return (self, wanted, meter) => {
    if (wanted === null && self instanceof StrictList)
      throw new JavaFailure('NullPointerException', 'a list made by List.of cannot be searched for null');
    spend(meter, self.length);
    return self.findIndex((element) => areEqual(element, wanted, meter));
  };
}

/** The type of elements that are passed one by one. */
export function passedType({ args }: CallTypes): JavaType {
  const types = args.map(boxOf).filter(({ kind }) => kind !== 'null');
  return types.length === 0 ? nullType : types.reduce(unite);
}

export function checkOneType({ args }: CallTypes): string | undefined {
  if (args.some(isStream)) return 'takes values, not streams';
  const types = args.map(boxOf).filter(({ kind }) => kind !== 'null' && kind !== 'unknown');
  return types.every((type) => isSameType(type, types[0]!)) ? undefined : 'takes values of one type';
}
