// The shape of an object type. People write a `TypeDeclaration`, in the catalogue or in a model file. `ObjectType` adds
// the derived names, columns and links (see `build-model.ts`). Data only, no behaviour.

import type { AttributeDeclaration, AttributeNotes, TextFormat } from './attribute-declaration.ts';
import type { Deprecation } from './deprecation.ts';
import type { IndexDeclaration, Lookups } from './lookups.ts';
import type { Scope } from './scopes.ts';

export interface TypeDeclaration {
  description?: string;
  /**
   * The attributes that a reference to this type shows besides `key` and `self`: its code and its name, or what else
   * identifies it to a person. A reference among them shows the plain attributes that its own type is shown by.
   */
  shownBy?: string[];
  /** False: changes never become events (Remarks, and the service's own types). */
  makesEvents?: boolean;
  /** One of the service's own types, whose table is in another schema than those of business objects. */
  isServiceOwn?: boolean;
  /** Callers may update objects of this type, but neither create nor delete them. */
  isCreatedByService?: boolean;
  /** The scopes that a caller needs; by default `read` and `write`. */
  access?: TypeAccess;
  /** The reference to the user who owns the object. Besides that user, only `admin` sees the object. */
  ownedBy?: string;
  /** AuditLog records who changed what. */
  isAudited?: boolean;
  /**
   * The table has one partition per day, which is dropped as a whole when it expires. The writing statements stamp its
   * changes, and updates that change nothing are not detected. The type can have neither events nor audit records.
   */
  isKeptInDays?: boolean;
  /** Indexes for lists, besides those of references. Only for the service's own types. */
  indexes?: readonly IndexDeclaration[];
  /** Every change increments this revision, by which processes detect that the objects in their memory are outdated. */
  raises?: Revision;
  /**
   * What a new object needs besides its required attributes: of each group, at least one set of attributes. The rules
   * of the type check it; this describes it.
   */
  needsOneOf?: readonly (readonly string[][])[];
  attributes: Record<string, AttributeDeclaration>;
  actions?: Record<string, ActionDeclaration>;
  deprecated?: Deprecation;
}

export interface TypeAccess {
  read: Scope;
  /** `nobody`: only the service writes the type. */
  write: Scope | 'nobody';
}

export type Revision = 'access' | 'subscriptions' | 'scripts';

/** An operation besides reading and writing: `POST …/{key}/{action}`, unless declared otherwise. */
export interface ActionDeclaration extends ActionWords {
  /** The texts for the type as a whole, if the action exists both there and on an object. */
  ofType?: ActionWords;
  /** The request can be repeated without harm, so a POST needs no Idempotency-Key. */
  isRepeatable?: boolean;
  /** GET: changes nothing, takes its members from the query, and requires the read scope. */
  method?: ActionMethod;
  on?: ActionPlace;
  takes: Record<string, AttributeDeclaration>;
  answers: Record<string, AttributeDeclaration>;
  /** The status of a successful response; by default 200. */
  answersStatus?: 200 | 202;
  /** The verb of its operation id, if its name has none. */
  verb?: 'list';
  /** The response is an array, and `answers` describes its elements. */
  answersList?: boolean;
  /** The response is a stream of server-sent events, and `answers` describes the data of each. */
  answersEvents?: boolean;
  /** The API version that introduced the action. */
  since?: string;
  deprecated?: Deprecation;
}

interface ActionWords {
  /** A few words, without a full stop. */
  summary: string;
  description: string;
}

export type ActionMethod = 'GET' | 'POST';

/** One object (`…/{key}/{action}`), the type as a whole (`…/{action}`), or either. */
export type ActionPlace = 'object' | 'type' | 'both';

type TypeFlag = 'makesEvents' | 'isServiceOwn' | 'isCreatedByService' | 'isAudited' | 'isKeptInDays';

/** A built type: flags that the declaration leaves out have their defaults. */
export interface ObjectType extends Readonly<Required<Pick<TypeDeclaration, 'description' | 'access' | TypeFlag>>> {
  readonly name: string;
  /** The unquoted SQL name, without its schema. */
  readonly table: string;
  readonly ownedBy: ReferenceAttribute | undefined;
  readonly raises?: Revision;
  readonly deprecated?: Deprecation;
  readonly needsOneOf: readonly (readonly string[][])[];
  readonly indexes: readonly IndexDeclaration[];
  readonly actions: ReadonlyMap<string, Action>;
  /** Stored but never shown: hidden or write-only. */
  readonly hidden: readonly ScalarAttribute[];
  /** The hidden attributes that can be sent. */
  readonly writeOnly: ReadonlyMap<string, ScalarAttribute>;
  /** Contained only in the response that creates the object. */
  readonly shownOnce: readonly ScalarAttribute[];
  /** Attribute → version, for the attributes that this view lacks because a later API version introduced them. */
  readonly newer: ReadonlyMap<string, string>;
  /** All attributes in the order in which they are shown: base attributes, declared ones, collections. */
  readonly attributes: ReadonlyMap<string, Attribute>;
  readonly scalars: readonly ScalarAttribute[];
  readonly references: readonly ReferenceAttribute[];
  readonly collections: readonly CollectionAttribute[];
  readonly shownBy: readonly (ScalarAttribute | ReferenceAttribute)[];
  /** The attribute that can identify the object in a reference. */
  readonly code: ScalarAttribute | undefined;
  readonly owner: ReferenceAttribute | undefined;
  /** Orders the object among its siblings; without it, the key does. */
  readonly sequence: ScalarAttribute | undefined;
}

export type Attribute = SelfAttribute | ScalarAttribute | ReferenceAttribute | CollectionAttribute;

interface AttributeBase
  extends Readonly<Required<Pick<AttributeNotes, 'description' | AttributeFlag>>>,
    Readonly<Pick<AttributeNotes, 'since' | 'edition' | 'example' | 'otherForms' | 'deprecated'>> {
  readonly name: string;
}

/** The flags that every built attribute has, false if the declaration leaves them out. */
export type AttributeFlag = 'isRequired' | 'isReadOnly' | 'isFixed' | 'isFilledIn' | 'isOnDemand' | 'isLarge';

/** The URL of the object, derived from its key and not stored. */
export interface SelfAttribute extends AttributeBase {
  readonly kind: 'self';
}

/** The key of an object of any type (`objectKey`) is a `key` with `isObjectKey`. */
export type ScalarKind = Exclude<AttributeDeclaration['kind'], 'reference' | 'owner' | 'objectKey'>;

export interface ScalarAttribute extends AttributeBase, Readonly<Lookups> {
  readonly kind: ScalarKind;
  readonly column: string;
  readonly maxLength?: number;
  /** The range of an `integer` that may be sent. */
  readonly minimum: number;
  readonly maximum: number;
  /** The allowed values of a `code` or a `textList`; empty: all values. */
  readonly values: readonly string[];
  /** The minimum number of elements of a `textList`. */
  readonly minItems: number;
  /** A `textList` whose order and duplicates are kept. */
  readonly isOrdered: boolean;
  /** As stored; undefined: no default. */
  readonly default?: string | undefined;
  readonly format?: TextFormat;
  readonly isUnique: boolean;
  readonly isSequence: boolean;
  /** Numbered by the service when the object is created. */
  readonly isAssigned: boolean;
  /** Holds the key of an object of any type (the `source` of Remarks). */
  readonly isObjectKey: boolean;
  readonly isSnapshot: boolean;
  readonly isComputed: boolean;
  readonly hasLinks: boolean;
  readonly isInstant: boolean;
  readonly generatedAs?: string;
  /** Filters compare this attribute instead if their values do not fit. Sorts use it to break ties. */
  readonly alternative?: ScalarAttribute;
  /** The JSON Schema of a `json`. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** The members of a `json` that can be filtered and sorted by. */
  readonly members: ReadonlyMap<string, ScalarAttribute>;
  /** Set in a member: its name in the JSON of its column. */
  readonly memberName?: string;
}

export interface ReferenceAttribute extends AttributeBase {
  readonly kind: 'reference';
  readonly column: string;
  readonly target: ObjectType;
  readonly isOwner: boolean;
  readonly isFollowed: boolean;
  readonly isUnchecked: boolean;
}

export interface CollectionAttribute extends AttributeBase {
  readonly kind: 'collection';
  readonly of: ObjectType;
  /** The column of `of` that holds the key of the object with this collection. */
  readonly ownerColumn: string;
  /** False for `remarks`, which refer to an object but are not part of it. */
  readonly isOwned: boolean;
  /** An element that an update omits is detached instead of deleted, because it may exist without an owner. */
  readonly isDetachable: boolean;
  readonly minItems: number;
}

/** A built action: members that the declaration leaves out have their defaults. */
export interface Action
  extends Readonly<Required<Omit<ActionDeclaration, 'takes' | 'answers' | 'verb' | 'since' | 'deprecated'>>> {
  readonly name: string;
  readonly verb?: 'list';
  readonly takes: readonly ScalarAttribute[];
  readonly answers: readonly ScalarAttribute[];
  readonly since?: string;
  readonly deprecated?: Deprecation;
}

export interface Model {
  readonly types: ReadonlyMap<string, ObjectType>;
}
