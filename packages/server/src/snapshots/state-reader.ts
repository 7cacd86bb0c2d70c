// How an expression reads an object of a state. Getters are built once per type. Readers of references and elements are
// built once per state, so that an expression that takes the same path twice reuses them.

import type { ObjectReader, StoredValue } from '@flaghoist/expressions';
import { entryOf } from '../entry-of.ts';
import type { StoredRow } from '../events/stored-row.ts';
import type { Attribute, CollectionAttribute, ObjectType, ReferenceAttribute } from '../model/object-type.ts';
import type { Links } from '../query/view-columns.ts';
import type { ObjectState } from './object-state.ts';

/** Null if the object does not exist. */
export function readerOf(state: ObjectState, type: ObjectType, key: number, { restUrl }: Links): ObjectReader | null {
  const reading = entryOf(readings, state, () => ({ state, readers: new Map(), restUrl }));
  return readerByKey(reading, type, key);
}

/** What the readers of one state share. */
interface Reading {
  readonly state: ObjectState;
  readonly readers: Map<ObjectType, Map<number, RowReader | null>>;
  readonly restUrl: string;
}

const readings = new WeakMap<ObjectState, Reading>();

/** Lives as long as its state. A class, because `get` is the most frequent call of all. */
class RowReader implements ObjectReader {
  readonly key: number;
  readonly row: StoredRow;
  readonly reading: Reading;
  readonly #getters: ReadonlyMap<string, Getter>;
  /** Collections that were already read. */
  collections: Map<CollectionAttribute, readonly RowReader[]> | undefined;

  constructor(reading: Reading, getters: ReadonlyMap<string, Getter>, row: StoredRow) {
    this.key = row.key as number;
    this.row = row;
    this.reading = reading;
    this.#getters = getters;
  }

  get(name: string): StoredValue {
    const getter = this.#getters.get(name);
    if (getter === undefined) return undefined;
    return typeof getter === 'string' ? this.row[getter] : getter(this);
  }
}

/** The column of a scalar, or a function that reads any other attribute. */
type Getter = string | ((reader: RowReader) => StoredValue);

function gettersOf(type: ObjectType): ReadonlyMap<string, Getter> {
  return entryOf(
    gettersByType,
    type,
    () => new Map([...type.attributes].map(([name, attribute]) => [name, getterOf(type, attribute)])),
  );
}

const gettersByType = new WeakMap<ObjectType, ReadonlyMap<string, Getter>>();

function getterOf(type: ObjectType, attribute: Attribute): Getter {
  switch (attribute.kind) {
    case 'self':
      return ({ key, reading: { restUrl } }) => `${restUrl}/${type.name}/${key}`;
    case 'reference':
      return (reader) => readReference(reader, attribute);
    case 'collection':
      return (reader) => readCollection(reader, attribute);
    default:
      return attribute.column;
  }
}

function readReference({ reading, row }: RowReader, { column, target }: ReferenceAttribute): RowReader | null {
  const key = row[column];
  return typeof key === 'number' ? readerByKey(reading, target, key) : null;
}

function readCollection(reader: RowReader, collection: CollectionAttribute): readonly RowReader[] {
  reader.collections ??= new Map();
  return entryOf(reader.collections, collection, () =>
    reader.reading.state
      .elements(collection, reader.key)
      .map((row) => new RowReader(reader.reading, gettersOf(collection.of), row)),
  );
}

function readerByKey(reading: Reading, type: ObjectType, key: number): RowReader | null {
  const readers = entryOf(reading.readers, type, () => new Map<number, RowReader | null>());
  return entryOf(readers, key, () => {
    const row = reading.state.row(type, key);
    return row ? new RowReader(reading, gettersOf(type), row) : null;
  });
}
