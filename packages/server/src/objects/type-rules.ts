// What a type does beyond the model, as steps of create, change and delete. The part of the service that owns the type
// provides the steps; none is defined here. `create-objects.ts`, `change-object.ts` and `delete-object.ts` call them.

import type { Statement, Transaction } from '../database/database.ts';
import type { Violation } from '../errors.ts';
import type { JsonValue } from '../json/parse-json.ts';
import type { ObjectType } from '../model/object-type.ts';
import type { Caller } from './caller.ts';
import type { CheckedBody } from './check-body.ts';
import type { StoredValue } from './check-scalar.ts';

/** `Prechecked`: what the step before the transaction finds out for the later steps. */
export interface TypeRules<Prechecked = unknown> {
  /**
   * The columns of the current object that `change` and `delete` need: the object is locked and read before they run.
   * Undefined: `change` needs none, and runs before the transaction.
   */
  currentColumns?: readonly string[];
  /** Checks that are too slow for an open transaction, such as compiling a script. */
  beforeTransaction?(request: PrecheckRequest): Promise<PrecheckResult<Prechecked>>;
  /** Checks and completes the new objects of one request. Runs before the transaction. */
  create?(sent: SentObjects<Prechecked>): NewObjects;
  /**
   * Checks and completes a change to an existing object. Throws an `ApiError` if the state of the object does not allow
   * the change, whatever else is wrong in the body.
   */
  change?(sent: SentChange<Prechecked>): CheckedChange;
  /** Throws an `ApiError` if the object cannot be deleted. */
  delete?(key: number, current: LockedRow, transaction: Transaction): Promise<void>;
}

export interface PrecheckRequest {
  bodies: readonly PlacedBody[];
  caller: Caller;
  /** The key of the object to change; undefined when objects are created. */
  key: number | undefined;
}

/** One object of a request body. */
export interface PlacedBody {
  body: JsonValue;
  /** '' for the body itself, `[1]` for an element of an array. */
  path: string;
}

export interface PrecheckResult<Prechecked = unknown> {
  prechecked: Prechecked;
  /** Mistakes in the body as it was sent. */
  violations: Violation[];
}

export interface SentObjects<Prechecked = unknown> {
  /** The type as the caller sees it. */
  type: ObjectType;
  bodies: readonly PlacedBody[];
  caller: Caller;
  prechecked: Prechecked;
  /** Checks one body against the model. */
  check(body: JsonValue, path: string): CheckedBody;
}

export interface NewObjects {
  /** One for each body, in order. */
  objects: NewObject[];
  /** Locks and reads the existing objects that the new ones depend on. Runs again after a deadlock. */
  inTransaction?(transaction: Transaction): Promise<AlongsideCreate>;
}

export interface NewObject extends CheckedBody {
  /** Attribute → value, only for the response to the create. */
  shownOnce?: ReadonlyMap<string, string>;
}

export interface AlongsideCreate {
  /** Column → value for each new object, in order. */
  columns: readonly ReadonlyMap<string, StoredValue>[];
  /** For each new object, in order: see `ObjectChange`. */
  carriedOver?: readonly ReadonlySet<string>[];
  violations: Violation[];
  /** Run after the objects are written. `keys`: the keys of the new objects, in order. */
  statements(keys: readonly number[]): Statement[];
}

export interface SentChange<Prechecked = unknown> {
  /** The type as the caller sees it. */
  type: ObjectType;
  key: number;
  body: JsonValue;
  /** The `currentColumns`. */
  current: LockedRow;
  prechecked: Prechecked;
  /** Checks a body against the model. */
  check(body: JsonValue): CheckedBody;
}

/** Column → value as text, read under the lock. */
export type LockedRow = ReadonlyMap<string, StoredValue>;

export interface CheckedChange extends CheckedBody {
  /** Run in the same transaction, before the change itself. */
  statements?: Statement[];
  /** Locks, reads and checks other objects that the change depends on. Runs again after a deadlock. */
  inTransaction?(transaction: Transaction): Promise<AlongsideChange>;
}

export interface AlongsideChange {
  /** Column → value to write in addition. */
  columns?: ReadonlyMap<string, StoredValue> | undefined;
  violations: Violation[];
}
