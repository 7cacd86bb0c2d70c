// A change as stored in the outbox: one row changed by one statement. Matching works on these events.

import type { Model, ObjectType } from '../model/object-type.ts';
import type { EventRow } from './event-table.ts';
import { readStoredRow, type StoredRow } from './stored-row.ts';
import { parseSnapshot, type Snapshot } from './transaction-snapshot.ts';

export type Operation = 'C' | 'U' | 'D';

/** The public members of `OutboxEvent`, so that a dry run can make events that are not stored. */
export type ChangeEvent = Pick<OutboxEvent, keyof OutboxEvent>;

/** Undefined if the model no longer has the type. */
export function readEvent(row: EventRow, model: Model): ChangeEvent | undefined {
  const type = model.types.get(row.object_type);
  return type && new OutboxEvent(row, type);
}

/** Parses each row image on first access, because most events match nothing that needs it. */
class OutboxEvent {
  /** Shown as `sequence`: of two changes in one hierarchy, the one that was committed later has the higher id. */
  readonly id: number;
  readonly transactionId: number;
  /** The type of the changed object. */
  readonly type: ObjectType;
  readonly operation: Operation;
  readonly key: number;
  /** The objects that have, or had, the row in their hierarchy: type → keys. */
  readonly roots: ReadonlyMap<string, readonly number[]>;
  /** Who made the change, if known. */
  readonly userKey: number | null;
  /** `yyyy-MM-ddTHH:mm:ss`, UTC. */
  readonly time: string;
  /** The same with microseconds: `yyyy-MM-ddTHH:mm:ss.SSSSSSZ`. */
  readonly occurredAt: string;
  /** What had been committed when the change was committed. Null: everything that has been committed by now counts. */
  readonly snapshot: Snapshot | null;
  /** Whether the transaction has changed the same row more than once. */
  readonly isRepeated: boolean;
  #old: string | StoredRow | null;
  #new: string | StoredRow | null;

  constructor(row: EventRow, type: ObjectType) {
    this.id = Number(row.id);
    this.transactionId = Number(row.transaction_id);
    this.type = type;
    this.operation = row.operation as Operation;
    this.key = Number(row.object_key);
    this.roots = joinRoots(row.roots_before, row.roots_after);
    this.userKey = row.user_key === null ? null : Number(row.user_key);
    this.time = eventTimeOf(row.occurred_at);
    this.occurredAt = row.occurred_at;
    this.snapshot = row.snapshot === null ? null : parseSnapshot(row.snapshot);
    this.isRepeated = row.is_repeated;
    this.#old = row.old_row;
    this.#new = row.new_row;
  }

  /** Null on create. */
  get oldRow(): StoredRow | null {
    if (typeof this.#old === 'string') this.#old = readStoredRow(this.#old, this.type);
    return this.#old;
  }

  /** Null on delete. */
  get newRow(): StoredRow | null {
    if (typeof this.#new === 'string') this.#new = readStoredRow(this.#new, this.type);
    return this.#new;
  }
}

/** `occurredAt` without the fraction and the zone: `yyyy-MM-ddTHH:mm:ss`, UTC. */
export function eventTimeOf(occurredAt: string): string {
  return occurredAt.slice(0, secondsLength);
}

const secondsLength = 'yyyy-MM-ddTHH:mm:ss'.length;

type Roots = Record<string, number[]> | null;

/** An object that moves from one owner to another is in the hierarchy of both. */
function joinRoots(before: Roots, after: Roots): ReadonlyMap<string, readonly number[]> {
  if (before === null && after === null) return noRoots;
  const roots = new Map<string, readonly number[]>(Object.entries(before ?? {}));
  for (const [type, keys] of Object.entries(after ?? {}))
    roots.set(type, roots.has(type) ? [...new Set([...roots.get(type)!, ...keys])] : keys);
  return roots;
}

const noRoots: ReadonlyMap<string, readonly number[]> = new Map();
