// The shape of an object type. People write a `TypeDeclaration`, in the catalogue or in a model file. `ObjectType` adds
// the derived names, columns and links (see `build-model.ts`). Data only, no behaviour.

import type { Edition } from './editions.ts';
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
  /** Every change increments this revision, by which processes detect that the objects in their memory are outdated. */
  raises?: Revision;
  attributes: Record<string, AttributeDeclaration>;
  actions?: Record<string, ActionDeclaration>;
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
  /** The action changes nothing. A POST with this flag needs no Idempotency-Key. */
  changesNothing?: boolean;
  /** GET: changes nothing, takes its members from the query, and requires the read scope. */
  method?: ActionMethod;
  on?: ActionPlace;
  takes: Record<string, AttributeDeclaration>;
  answers: Record<string, AttributeDeclaration>;
  /** The status of a successful response; by default 200. */
  answersStatus?: 200 | 202;
  /** The response is an array, and `answers` describes its elements. */
  answersList?: boolean;
  /** The API version that introduced the action. */
  since?: string;
}

interface ActionWords {
  /** A few words, without a full stop. */
  summary: string;
  description: string;
}

export type ActionMethod = 'GET' | 'POST';

/** One object (`…/{key}/{action}`), the type as a whole (`…/{action}`), or either. */
export type ActionPlace = 'object' | 'type' | 'both';

export type AttributeDeclaration = AttributeNotes &
  /** `isSnapshot`: the database stores its current snapshot there when the object is created. */
  (
    | {
        kind: 'text';
        maxLength?: number;
        isUnique?: boolean;
        isCode?: boolean;
        format?: TextFormat;
        isSnapshot?: boolean;
      }
    | { kind: 'decimal' }
    /** Values that are sent must be from `minimum` to `maximum`. */
    | { kind: 'integer'; minimum?: number; maximum?: number; isSequence?: boolean; isAssigned?: boolean }
    /** `isInstant`: with microseconds and `Z`. Only for the service's own types. */
    | { kind: 'dateTime'; isInstant?: boolean }
    | { kind: 'boolean' }
    | { kind: 'code'; values: string[] }
    | { kind: 'binary' }
    /**
     * A set of texts, limited to `values` if given. The order does not matter, and there are no duplicates, unless
     * `isOrdered`: then the list is kept as it was sent, and the rules of the type check it.
     */
    | { kind: 'textList'; values?: string[]; minItems?: number; isOrdered?: boolean }
    /**
     * Any JSON. It can be shown, but not filtered or sorted by, except by its `members`: texts and codes at its top
     * level. `schema` (JSON Schema) only documents it.
     */
    | { kind: 'json'; schema?: Record<string, unknown>; members?: Record<string, MemberDeclaration> }
    /** The key of an object of any type, which must exist. */
    | { kind: 'objectKey' }
    /** The key of an object that may have been deleted. */
    | { kind: 'key' }
    /**
     * `isFollowed`: subscriptions on this type also match changes of the referenced object (▲ in the documents).
     * `isUnchecked`: only the service writes the reference, and it ensures that the object exists.
     */
    | { kind: 'reference'; to: string; isFollowed?: boolean; isUnchecked?: boolean }
    /** `minItems` always holds. `isRequiredInOwner` requires at least one element when the owner is created. */
    | { kind: 'owner'; to: string; collection: string; minItems?: number; isRequiredInOwner?: boolean }
  );

export type MemberDeclaration = { kind: 'text'; maxLength?: number } | { kind: 'code'; values: string[] };

interface AttributeNotes {
  description?: string;
  isRequired?: boolean;
  /** Shown only if `fields` selects it. */
  isOnDemand?: boolean;
  /** The value of a new object that states none. Such an attribute is never null. */
  default?: string | number | boolean;
  /** The service fills in a value if a new object states none (`TypeRules` in `objects/`). */
  isFilledIn?: boolean;
  /** Set when the object is created, and never changed. */
  isFixed?: boolean;
  /** Set by the service. A value that is sent back unchanged is ignored. */
  isReadOnly?: boolean;
  /** Stored, but not part of the API: callers can neither read, send nor filter by it. */
  isHidden?: boolean;
  /** Not stored: only the response that creates the object contains it. If it is not read-only, it can be sent then. */
  isShownOnce?: boolean;
  /** Can be sent, but is never shown. */
  isWriteOnly?: boolean;
  /** Shown when one object is read, but not in lists. */
  isLarge?: boolean;
  /** Not stored with the object: a SQL function, named like the column, computes it from the key. */
  isComputed?: boolean;
  /** That function also takes the base URL of objects, because the value contains links. */
  hasLinks?: boolean;
  /** A generated column: SQL over other columns of the same row. Only for the service's own types. */
  generatedAs?: string;
  /** The API version that introduced the attribute. */
  since?: string;
  /** The edition that a user needs to set the attribute. */
  edition?: Edition;
  example?: string | number | boolean | string[];
  /** Other forms in which a value can be sent, as JSON Schemas. The rules of the type convert them (`TypeRules`). */
  otherForms?: readonly Record<string, unknown>[];
}

export type TextFormat = 'imoNumber' | 'email' | 'clientId' | 'apiVersion' | 'signingSecret';

type TypeFlag = 'makesEvents' | 'isServiceOwn' | 'isCreatedByService' | 'isAudited' | 'isKeptInDays';

/** A built type: flags that the declaration leaves out have their defaults. */
export interface ObjectType extends Readonly<Required<Pick<TypeDeclaration, 'description' | 'access' | TypeFlag>>> {
  readonly name: string;
  /** The unquoted SQL name, without its schema. */
  readonly table: string;
  readonly ownedBy: ReferenceAttribute | undefined;
  readonly raises?: Revision;
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
    Readonly<Pick<AttributeNotes, 'since' | 'edition' | 'example' | 'otherForms'>> {
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

export interface ScalarAttribute extends AttributeBase {
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
export interface Action extends Readonly<Required<Omit<ActionDeclaration, 'takes' | 'answers' | 'since'>>> {
  readonly name: string;
  readonly takes: readonly ScalarAttribute[];
  readonly answers: readonly ScalarAttribute[];
  readonly since?: string;
}

export interface Model {
  readonly types: ReadonlyMap<string, ObjectType>;
}
