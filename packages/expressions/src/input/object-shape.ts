// What an application passes in: the types of objects and their attributes that an expression is checked against, and
// the readers through which an evaluation reads objects. The types are plain data, so that an application can pass its
// model unchanged.

export interface ObjectShape {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, AttributeShape>;
  /** The attribute that is used when a reference to the object is compared with a text. */
  readonly code?: ScalarShape | undefined;
}

export type AttributeShape = SelfShape | ScalarShape | ReferenceShape | CollectionShape;

interface NamedShape {
  readonly name: string;
  /** Shown next to the attribute in the completions of an editor. */
  readonly description: string;
}

/** The URL of the object. */
export interface SelfShape extends NamedShape {
  readonly kind: 'self';
}

export interface ScalarShape extends NamedShape {
  readonly kind: ScalarKind;
  /** The allowed values of a `code`. */
  readonly values: readonly string[];
}

export type ScalarKind =
  | 'key'
  | 'text'
  | 'decimal'
  | 'integer'
  | 'dateTime'
  | 'boolean'
  | 'code'
  | 'binary'
  | 'textList'
  | 'json';

export interface ReferenceShape extends NamedShape {
  readonly kind: 'reference';
  readonly target: ObjectShape;
}

export interface CollectionShape extends NamedShape {
  readonly kind: 'collection';
  readonly of: ObjectShape;
}

/** The kind of an attribute in words, for a message. */
export function describeKind(attribute: AttributeShape): string {
  if (attribute.kind === 'reference') return `a reference to ${attribute.target.name}`;
  if (attribute.kind === 'collection') return `a collection of ${attribute.of.name}`;
  return kindNames[attribute.kind];
}

const kindNames: Readonly<Record<ScalarKind | 'self', string>> = {
  self: 'a URL',
  key: 'a key',
  text: 'a text',
  decimal: 'a decimal number',
  integer: 'an integer',
  dateTime: 'a date and time',
  boolean: 'a boolean',
  code: 'a code',
  binary: 'a file',
  textList: 'a list of texts',
  json: 'JSON',
};

/** Reads an object attribute by attribute, from rows that the caller has loaded. */
export interface ObjectReader {
  readonly key: number;
  /**
   * The value of the attribute, by kind:
   * - text, code, self: a string; textList: strings; boolean: a boolean
   * - integer, key: a number; decimal: a number, or its digits as a string
   * - dateTime: milliseconds, or `yyyy-MM-ddTHH:mm:ss` in UTC
   * - reference: a reader; collection: readers
   *
   * Null or undefined if the attribute is null or was not loaded.
   */
  get(attribute: string): StoredValue;
}

/** Reads an object whose type is known only when the expression is evaluated. */
export interface TypedReader extends ObjectReader {
  readonly typeName: string;
}

export type StoredValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | ObjectReader
  | readonly ObjectReader[]
  | readonly string[];
