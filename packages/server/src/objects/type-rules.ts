// Rules of a type that the model cannot express. The part of the service that owns the type provides them; no rule is
// defined here.

import type { Statement, Transaction } from '../database/database.ts';
import type { Violation } from '../errors.ts';
import type { JsonObject } from '../json/parse-json.ts';
import type { ObjectType } from '../model/object-type.ts';
import type { Caller } from './caller.ts';
import type { StoredValue } from './check-scalar.ts';
import type { ExpectedObject, ObjectChange } from './object-change.ts';
import type { PlacedBody } from './placed-bodies.ts';

export interface TypeRules {
  /** Checks that are too slow for an open transaction, such as compiling a script. They run before it is opened. */
  precheck?(request: PrecheckRequest): Promise<PrecheckResult>;
  /** Converts alternative spellings to one form before the body is checked. Does not modify the body. */
  normalise?(body: JsonObject, place: NormalisedPosition): Normalised;
  /** For a new object: values to fill in, values shown once, and mistakes. Does not modify the change. */
  complete?(change: ObjectChange, caller: Caller): Completion;
  /**
   * For all new objects of one request: locks and reads the existing objects that they depend on. Returns values for
   * the new objects, mistakes, and statements to run alongside the create; undefined if there is nothing to do.
   */
  alongsideCreate?(
    changes: readonly ObjectChange[],
    transaction: Transaction,
    caller: Caller,
  ): Promise<AlongsideCreate | undefined>;
  /** For a change to an existing object: returns the mistakes. */
  check?(change: ObjectChange, caller: Caller): Violation[];
  /** Rules that depend on the current object, which is locked and read before they run. */
  locked?: LockedRules;
}

export interface PrecheckRequest {
  bodies: readonly PlacedBody[];
  caller: Caller;
  /** The key of the object to change; undefined when objects are created. */
  key: number | undefined;
}

export interface PrecheckResult {
  /** Mistakes in the body as it was sent. */
  violations: Violation[];
  /** The rules for this request only: they know the results of the precheck. */
  rules: TypeRules;
}

export interface NormalisedPosition {
  /** The type as the caller sees it. */
  type: ObjectType;
  /** The path of the object: '' for the body itself, `[1]` for an element of an array. */
  path: string;
  /** The `locked` columns of the object to change; undefined when an object is created. */
  present: LockedRow | undefined;
}

export interface Normalised {
  body: JsonObject;
  violations: Violation[];
  /** Objects that must exist, looked up together with everything else that the change depends on. */
  expected: ExpectedObject[];
}

export interface Completion {
  /** Column → value, including hidden columns. */
  columns: ReadonlyMap<string, StoredValue>;
  /** Attribute → value, only for the answer to the create. */
  shownOnce: ReadonlyMap<string, string>;
  violations: Violation[];
}

export interface AlongsideCreate {
  /** Column → value for each change, in order. */
  columns: ReadonlyMap<string, StoredValue>[];
  violations: Violation[];
  /** Run after the objects are written. `keys`: the keys of the new objects, in order. */
  statements(keys: readonly number[]): Statement[];
}

/** Column → value as text, read under the lock. */
export type LockedRow = ReadonlyMap<string, StoredValue>;

export interface LockedRules {
  columns: readonly string[];
  /** Throws an `ApiError` if the state of the object does not allow the change, whatever else is wrong in the body. */
  change(change: ObjectChange, present: LockedRow, caller: Caller): LockedChange;
  /**
   * Rules that depend on other objects, which are read or locked in the transaction of the change. `change` contains
   * everything that will be written.
   */
  examine?(change: ObjectChange, present: LockedRow, transaction: Transaction): Promise<Violation[]>;
  /** The same as `change`, for a deletion. */
  delete?(key: number, present: LockedRow, transaction: Transaction): Promise<void>;
}

export interface LockedChange {
  /** Column → value: written in addition to the values in the body, or instead of them. */
  columns: ReadonlyMap<string, StoredValue>;
  violations: Violation[];
  /** Run in the same transaction, before the change itself. */
  statements: Statement[];
}
