// The shape of an object type. `TypeDeclaration` is what people write, in the catalogue or in a model file;
// `ObjectType` is the same with names, columns and links worked out (see `build-model.ts`). Data only, no behaviour.

export interface TypeDeclaration {
  description?: string;
  /** The attributes that a reference to this type shows besides `key` and `self`: its code and its name. */
  shownBy?: string[];
  /** false: changes are never events (Remarks, and the system's own types). */
  makesEvents?: boolean;
  attributes: Record<string, AttributeDeclaration>;
}

export type AttributeDeclaration = AttributeNotes &
  (
    | { kind: 'text'; maxLength?: number; isUnique?: boolean; isCode?: boolean; format?: TextFormat }
    | { kind: 'decimal' }
    | { kind: 'integer'; isSequence?: boolean; isAssigned?: boolean }
    | { kind: 'dateTime' }
    | { kind: 'boolean' }
    | { kind: 'code'; values: string[] }
    | { kind: 'binary' }
    /** The key of an object of any type. */
    | { kind: 'objectKey' }
    /** `isFollowed`: a subscription on this type also hears of the object referred to (▲ in the documents). */
    | { kind: 'reference'; to: string; isFollowed?: boolean }
    /** `minItems` holds at all times; `isRequiredInOwner` asks for at least one when the owner is created. */
    | { kind: 'owner'; to: string; collection: string; minItems?: number; isRequiredInOwner?: boolean }
  );

interface AttributeNotes {
  description?: string;
  isRequired?: boolean;
  /** Shown only when `fields` asks for it. */
  isOnDemand?: boolean;
  example?: string | number | boolean;
}

export type TextFormat = 'imoNumber';

export interface ObjectType {
  readonly name: string;
  readonly description: string;
  /** Unquoted SQL name inside the objects schema. */
  readonly table: string;
  readonly makesEvents: boolean;
  /** Everything the type has, in the order it is shown: base attributes, declared ones, collections. */
  readonly attributes: ReadonlyMap<string, Attribute>;
  readonly scalars: readonly ScalarAttribute[];
  readonly references: readonly ReferenceAttribute[];
  readonly collections: readonly CollectionAttribute[];
  readonly shownBy: readonly ScalarAttribute[];
  /** The attribute that may stand for the object where it is referred to. */
  readonly code: ScalarAttribute | undefined;
  readonly owner: ReferenceAttribute | undefined;
  /** Orders the object among its siblings; where there is none, the key does. */
  readonly sequence: ScalarAttribute | undefined;
}

export type Attribute = SelfAttribute | ScalarAttribute | ReferenceAttribute | CollectionAttribute;

interface AttributeBase {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** Set by the service; a value that is sent back unchanged is ignored. */
  readonly isReadOnly: boolean;
  readonly isOnDemand: boolean;
  readonly example: string | number | boolean | undefined;
}

/** The URL of the object: made from its key, stored nowhere. */
export interface SelfAttribute extends AttributeBase {
  readonly kind: 'self';
}

export type ScalarKind = 'key' | 'text' | 'decimal' | 'integer' | 'dateTime' | 'boolean' | 'code' | 'binary';

export interface ScalarAttribute extends AttributeBase {
  readonly kind: ScalarKind;
  readonly column: string;
  readonly maxLength: number | undefined;
  /** The allowed values of a `code`; empty for the other kinds. */
  readonly values: readonly string[];
  readonly format: TextFormat | undefined;
  readonly isUnique: boolean;
  readonly isSequence: boolean;
  /** Numbered by the service when the object is created. */
  readonly isAssigned: boolean;
  /** Holds the key of an object of any type (the `source` of Remarks). */
  readonly isObjectKey: boolean;
}

export interface ReferenceAttribute extends AttributeBase {
  readonly kind: 'reference';
  readonly column: string;
  readonly target: ObjectType;
  readonly isOwner: boolean;
  readonly isFollowed: boolean;
}

export interface CollectionAttribute extends AttributeBase {
  readonly kind: 'collection';
  readonly of: ObjectType;
  /** The column of `of` that holds the key of the object which has this collection. */
  readonly ownerColumn: string;
  /** False for `remarks`, which are about an object but no part of it. */
  readonly isOwned: boolean;
  /** An element that is left out is deleted, or, if it may live without an owner, detached. */
  readonly isDetachable: boolean;
  readonly minItems: number;
}

export interface Model {
  readonly types: ReadonlyMap<string, ObjectType>;
}
