// What holds for one type beyond what the model can say. The part of the service that is in charge of the type gives its
// rules; nothing here knows them.

import type { Statement, Transaction } from '../database/database.ts';
import type { Violation } from '../errors.ts';
import type { JsonObject } from '../json/parse-json.ts';
import type { ObjectType } from '../model/object-type.ts';
import type { Caller } from './caller.ts';
import type { StoredValue } from './check-scalar.ts';
import type { ExpectedObject, ObjectChange } from './object-change.ts';
import type { PlacedBody } from './placed-bodies.ts';

export interface TypeRules {
  /** What has to be asked elsewhere, before a transaction is opened. */
  foresee?(request: ForeseenRequest): Promise<Foresight>;
  /** Other ways to say the same are brought to one, before the body is checked. The body itself is left as it is. */
  normalise?(body: JsonObject, place: NormalisedPlace): Normalised;
  /** Of a new object: what is filled in, what is shown once, what is wrong. The change itself is left as it is. */
  complete?(change: ObjectChange, caller: Caller): Completion;
  /**
   * Of new objects, all of one request: what depends on objects that are there already, which are locked and read, and what is done
   * to these in the same transaction. Undefined where nothing does.
   */
  accompany?(
    changes: readonly ObjectChange[],
    transaction: Transaction,
    caller: Caller,
  ): Promise<Accompaniment | undefined>;
  /** Of a change to an object that is there: what is wrong. */
  check?(change: ObjectChange, caller: Caller): Violation[];
  /** What depends on the object as it is now: it is locked and read before anything is decided. */
  held?: HeldRules;
}

export interface ForeseenRequest {
  bodies: readonly PlacedBody[];
  caller: Caller;
  /** Of the object that is changed; undefined when some are created. */
  key: number | undefined;
}

export interface Foresight {
  /** What is wrong with the body as it was sent. */
  violations: Violation[];
  /** The rules that hold for this very request: they know what was found. */
  rules: TypeRules;
}

export interface NormalisedPlace {
  /** As the caller sees it. */
  type: ObjectType;
  /** Where the object stands: '' for the body itself, `[1]` for one of an array. */
  path: string;
  /** The `held` columns of the object that is changed; undefined when one is created. */
  present: HeldRow | undefined;
}

export interface Normalised {
  body: JsonObject;
  violations: Violation[];
  /** Asked of the database, together with everything else that the change depends on. */
  expected: ExpectedObject[];
}

export interface Completion {
  /** Column → value, hidden columns too. */
  columns: ReadonlyMap<string, StoredValue>;
  /** Attribute → value, for the answer that creates the object. */
  shownOnce: ReadonlyMap<string, string>;
  violations: Violation[];
}

export interface Accompaniment {
  /** Of each change, in order: column → value. */
  columns: ReadonlyMap<string, StoredValue>[];
  violations: Violation[];
  /** After the objects are written. `keys`: theirs, in order. */
  statements(keys: readonly number[]): Statement[];
}

/** Column → value as text, under the lock. */
export type HeldRow = ReadonlyMap<string, StoredValue>;

export interface HeldRules {
  columns: readonly string[];
  /** Refuses by an `ApiError` what the state of the object does not allow, whatever else is wrong with the body. */
  change(change: ObjectChange, present: HeldRow, caller: Caller): HeldChange;
  /** What depends on other objects, which are read, or locked, in the transaction of the change; `change` with all that is written. */
  examine?(change: ObjectChange, present: HeldRow, transaction: Transaction): Promise<Violation[]>;
  /** Of a deletion, the same as `change`. */
  delete?(key: number, present: HeldRow, transaction: Transaction): Promise<void>;
}

export interface HeldChange {
  /** Column → value: what is written besides, or instead of, what the body says. */
  columns: ReadonlyMap<string, StoredValue>;
  violations: Violation[];
  /** In the same transaction, before the change itself. */
  statements: Statement[];
}
