// The shape of an attribute of an object type, as people write it in the catalogue or in a model file.

import type { Deprecation } from './deprecation.ts';
import type { Edition } from './editions.ts';
import type { Lookups } from './lookups.ts';

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
    /** Numbers that are sent must be from `minimum` to `maximum`. */
    | { kind: 'decimal'; minimum?: number; maximum?: number }
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
     * level. `schema` (JSON Schema) only documents it. `maxLength`: as JSON, if the rules of the type limit it.
     */
    | {
        kind: 'json';
        schema?: Record<string, unknown>;
        members?: Record<string, MemberDeclaration>;
        maxLength?: number;
      }
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

export interface AttributeNotes extends Lookups {
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
  deprecated?: Deprecation;
  example?: string | number | boolean | string[];
  /** Other forms in which a value can be sent, as JSON Schemas. The rules of the type convert them (`TypeRules`). */
  otherForms?: readonly Record<string, unknown>[];
}

export type TextFormat = 'imoNumber' | 'email' | 'clientId' | 'apiVersion' | 'signingSecret';
