// The shape of an object type. `TypeDeclaration` is what people write, in the catalogue or in a model file;
// `ObjectType` is the same with names, columns and links worked out (see `build-model.ts`). Data only, no behaviour.

import type { Edition } from './editions.ts';
import type { Scope } from './scopes.ts';

export interface TypeDeclaration {
  description?: string;
  /** The attributes that a reference to this type shows besides `key` and `self`: its code and its name. */
  shownBy?: string[];
  /** false: changes are never events (Remarks, and the system's own types). */
  makesEvents?: boolean;
  /** One of the service's own types: its table stands apart from those of business objects. */
  isServiceOwn?: boolean;
  /** Callers may change what there is of it, but neither create nor delete one. */
  isMadeByService?: boolean;
  /** What a caller needs; where nothing is said, `read` and `write`. */
  access?: TypeAccess;
  /** The reference to the user whose object it is: nobody else sees it, but for `admin`. */
  ownedBy?: string;
  /** Who changed what is kept in AuditLog. */
  isAudited?: boolean;
  /**
   * Its table has a part for each day, which is dropped whole when nobody needs it any more. Its changes are stamped by the statements that
   * make them, and updates that change nothing are not found out: it can have neither events nor audit records.
   */
  isKeptInDays?: boolean;
  /** Every change raises this revision, by which processes notice that what they hold in memory is old. */
  raises?: Revision;
  attributes: Record<string, AttributeDeclaration>;
  actions?: Record<string, ActionDeclaration>;
}

export interface TypeAccess {
  read: Scope;
  /** `nobody`: the service alone writes it. */
  write: Scope | 'nobody';
}

export type Revision = 'access' | 'subscriptions' | 'scripts';

/** Something besides reading and writing: `POST …/{key}/{action}`, unless it says otherwise. */
export interface ActionDeclaration extends ActionWords {
  /** Of the type as a whole, where it can be asked of that and of an object. */
  ofType?: ActionWords;
  /** Also of a POST, which then needs no Idempotency-Key. */
  changesNothing?: boolean;
  /** GET: it changes nothing, has its members from the query, and asks for the scope of reading. */
  method?: ActionMethod;
  on?: ActionPlace;
  takes: Record<string, AttributeDeclaration>;
  answers: Record<string, AttributeDeclaration>;
  /** What a success is answered with; 200 where nothing is said. */
  answersStatus?: 200 | 202;
  /** The answer is an array; `answers` is what each element has. */
  answersList?: boolean;
  /** The API version that it came with. */
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
  /** `isSnapshot`: the database writes its snapshot there when the object is created. */
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
    /** What is sent must be from `minimum` to `maximum`. */
    | { kind: 'integer'; minimum?: number; maximum?: number; isSequence?: boolean; isAssigned?: boolean }
    | { kind: 'dateTime' }
    | { kind: 'boolean' }
    | { kind: 'code'; values: string[] }
    | { kind: 'binary' }
    /** A set of texts, or of some of `values`; the order does not matter and none stands there twice. */
    | { kind: 'textList'; values?: string[]; minItems?: number }
    /** Any JSON; it can be shown, but not filtered or sorted by. `schema` describes it (JSON Schema), and checks nothing. */
    | { kind: 'json'; schema?: Record<string, unknown> }
    /** The key of an object of any type, which must be there. */
    | { kind: 'objectKey' }
    /** A key that may have been that of an object which is gone. */
    | { kind: 'key' }
    /**
     * `isFollowed`: a subscription on this type also hears of the object referred to (▲ in the documents).
     * `isUnchecked`: the service alone writes it, and sees to it that the object is there.
     */
    | { kind: 'reference'; to: string; isFollowed?: boolean; isUnchecked?: boolean }
    /** `minItems` holds at all times; `isRequiredInOwner` asks for at least one when the owner is created. */
    | { kind: 'owner'; to: string; collection: string; minItems?: number; isRequiredInOwner?: boolean }
  );

interface AttributeNotes {
  description?: string;
  isRequired?: boolean;
  /** Shown only when `fields` asks for it. */
  isOnDemand?: boolean;
  /** What a new object has where nothing is said; such an attribute is never null. */
  default?: string | number | boolean;
  /** The service has a value for it where a new object says nothing (`TypeRules` in `objects/`). */
  isFilledIn?: boolean;
  /** Set when the object is created, and never changed. */
  isFixed?: boolean;
  /** Set by the service. */
  isReadOnly?: boolean;
  /** Stored, but no part of the interface: nobody sees, sends or filters it. */
  isHidden?: boolean;
  /** Not stored: it is in the answer that creates the object, and nowhere else. */
  isShownOnce?: boolean;
  /** Can be sent, and is never shown. */
  isWriteOnly?: boolean;
  /** Shown where one object is read, but in no list. */
  isLarge?: boolean;
  /** Not stored with the object: the function of its column's name, among the service's own, makes it from the key. */
  isMade?: boolean;
  /** The API version that it came with. */
  since?: string;
  /** The edition that a user needs in order to set it. */
  edition?: Edition;
  example?: string | number | boolean | string[];
}

export type TextFormat = 'imoNumber' | 'email' | 'clientId' | 'apiVersion';

export interface ObjectType {
  readonly name: string;
  readonly description: string;
  /** Unquoted SQL name inside the objects schema. */
  readonly table: string;
  readonly makesEvents: boolean;
  readonly isServiceOwn: boolean;
  readonly isMadeByService: boolean;
  readonly access: TypeAccess;
  readonly ownedBy: ReferenceAttribute | undefined;
  readonly isAudited: boolean;
  readonly isKeptInDays: boolean;
  readonly raises: Revision | undefined;
  readonly actions: ReadonlyMap<string, Action>;
  /** Stored, and never shown: no part of the interface, or only to be sent. */
  readonly hidden: readonly ScalarAttribute[];
  /** Those of the hidden ones that can be sent. */
  readonly writeOnly: ReadonlyMap<string, ScalarAttribute>;
  /** In the answer that creates the object, and nowhere else. */
  readonly shownOnce: readonly ScalarAttribute[];
  /** What this view of the type lacks because it came with a later API version: attribute → version. */
  readonly newer: ReadonlyMap<string, string>;
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
  readonly isFixed: boolean;
  readonly isFilledIn: boolean;
  readonly isOnDemand: boolean;
  readonly isLarge: boolean;
  readonly since: string | undefined;
  readonly edition: Edition | undefined;
  readonly example: string | number | boolean | string[] | undefined;
}

/** The URL of the object: made from its key, stored nowhere. */
export interface SelfAttribute extends AttributeBase {
  readonly kind: 'self';
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

export interface ScalarAttribute extends AttributeBase {
  readonly kind: ScalarKind;
  readonly column: string;
  readonly maxLength: number | undefined;
  /** Of an `integer`: what may be sent. */
  readonly minimum: number;
  readonly maximum: number;
  /** The allowed values of a `code` or a `textList`; empty where all are. */
  readonly values: readonly string[];
  /** How many a `textList` has at least. */
  readonly minItems: number;
  /** As it is stored; undefined where there is none. */
  readonly default: string | undefined;
  readonly format: TextFormat | undefined;
  readonly isUnique: boolean;
  readonly isSequence: boolean;
  /** Numbered by the service when the object is created. */
  readonly isAssigned: boolean;
  /** Holds the key of an object of any type (the `source` of Remarks). */
  readonly isObjectKey: boolean;
  readonly isSnapshot: boolean;
  readonly isMade: boolean;
  /** What a `json` looks like, as JSON Schema. */
  readonly schema: Readonly<Record<string, unknown>> | undefined;
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
  /** The column of `of` that holds the key of the object which has this collection. */
  readonly ownerColumn: string;
  /** False for `remarks`, which are about an object but no part of it. */
  readonly isOwned: boolean;
  /** An element that is left out is deleted, or, if it may live without an owner, detached. */
  readonly isDetachable: boolean;
  readonly minItems: number;
}

export interface Action extends Readonly<ActionWords> {
  readonly name: string;
  readonly ofType: Readonly<ActionWords>;
  readonly changesNothing: boolean;
  readonly method: ActionMethod;
  readonly on: ActionPlace;
  readonly takes: readonly ScalarAttribute[];
  readonly answers: readonly ScalarAttribute[];
  readonly answersStatus: 200 | 202;
  readonly answersList: boolean;
  readonly since: string | undefined;
}

export interface Model {
  readonly types: ReadonlyMap<string, ObjectType>;
}
