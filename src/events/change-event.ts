// A change as the outbox has it: one row changed by one statement. What matching works on.

import type { ObjectType } from '../model/object-type.ts';
import type { StoredRow } from './stored-row.ts';

export type Operation = 'C' | 'U' | 'D';

export interface ChangeEvent {
  readonly id: number;
  readonly transactionId: number;
  /** Of the changed object. */
  readonly type: ObjectType;
  readonly operation: Operation;
  readonly key: number;
  /** Null on create. */
  readonly oldRow: StoredRow | null;
  /** Null on delete. */
  readonly newRow: StoredRow | null;
  /** The objects in whose hierarchy the row was, or is: type → keys. */
  readonly roots: ReadonlyMap<string, readonly number[]>;
  /** Who made the change, if known. */
  readonly userKey: number | null;
  /** `yyyy-MM-ddTHH:mm:ss`, UTC. */
  readonly time: string;
}
