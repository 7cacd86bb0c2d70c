// What holds for one type beyond what the model can say. The part of the service that is in charge of the type gives its
// rules; nothing here knows them.

import type { Violation } from '../errors.ts';
import type { Caller } from './caller.ts';
import type { StoredValue } from './check-scalar.ts';
import type { ObjectChange } from './object-change.ts';

export interface TypeRules {
  /** Of a new object: what is filled in, what is shown once, what is wrong. The change itself is left as it is. */
  complete?(change: ObjectChange, caller: Caller): Completion;
  /** Of a change to an object that is there: what is wrong. */
  check?(change: ObjectChange, caller: Caller): Violation[];
}

export interface Completion {
  /** Column → value, hidden columns too. */
  columns: ReadonlyMap<string, StoredValue>;
  /** Attribute → value, for the answer that creates the object. */
  shownOnce: ReadonlyMap<string, string>;
  violations: Violation[];
}
