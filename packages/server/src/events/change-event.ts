// A change as stored in the outbox: one row changed by one statement. Matching works on these events.

import type { ObjectType } from '../model/object-type.ts';
import type { StoredRow } from './stored-row.ts';

export type Operation = 'C' | 'U' | 'D';

export interface ChangeEvent {
  readonly id: number;
  readonly transactionId: number;
  /** The type of the changed object. */
  readonly type: ObjectType;
  readonly operation: Operation;
  readonly key: number;
  /** Null on create. */
  readonly oldRow: StoredRow | null;
  /** Null on delete. */
  readonly newRow: StoredRow | null;
  /** The objects that have, or had, the row in their hierarchy: type → keys. */
  readonly roots: ReadonlyMap<string, readonly number[]>;
  /** Who made the change, if known. */
  readonly userKey: number | null;
  /** `yyyy-MM-ddTHH:mm:ss`, UTC. */
  readonly time: string;
}
