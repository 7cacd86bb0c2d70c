// The rows loaded for a batch of events, and the state before or after one event, derived from them. An event's own old
// or new row replaces the live row. Rows that are not live are looked up among those that a transaction deleted.

import { entryOf } from '../entry-of.ts';
import type { ChangeEvent } from '../events/change-event.ts';
import type { StoredRow } from '../events/stored-row.ts';
import type { CollectionAttribute, ObjectType } from '../model/object-type.ts';
import type { View } from '../query/view.ts';
import { liveColumnsOf } from './live-columns.ts';
import { type LoadPlan, planOf } from './load-plan.ts';
import type { ObjectState } from './object-state.ts';

export interface RowStore {
  readonly live: Map<ObjectType, LiveRows>;
  /** By transaction. */
  readonly deleted: Map<number, DeletedRows>;
  /** By object key: the last delete of the object, or null if there was none. */
  readonly lastDeletes: Map<number, LastDelete | null>;
}

export interface LiveRows {
  /** Null: requested, and does not exist. */
  readonly rows: Map<number, StoredRow | null>;
  /** Owner column → owner key → rows in order. */
  readonly elements: Map<string, Map<number, readonly StoredRow[]>>;
}

/** The rows that a transaction deleted. */
export interface DeletedRows {
  readonly transactionId: number;
  /** Null: requested, and not deleted by this transaction. */
  readonly rows: Map<number, StoredRow | null>;
  /** Owner key → table → key → row. */
  readonly elements: Map<number, Map<string, Map<number, StoredRow>>>;
}

export interface LastDelete {
  readonly eventId: number;
  /** Everything that the transaction of the delete deleted. */
  readonly deleted: DeletedRows;
}

export type Side = 'before' | 'after';

export class EventState implements ObjectState {
  readonly event: ChangeEvent;
  /** The changed row as the event has it. Null: the object does not exist in this state. */
  readonly #image: StoredRow | null;
  /** The image lacks columns that were added to the model after its event. The live row has them. */
  readonly isOutdated: boolean;
  readonly #store: RowStore;
  /**
   * Rows that existed in this state and are no longer live. In the state before a change, these are the rows that its
   * transaction deleted. If the subscribed object was deleted after the change, the rows deleted with it are added.
   */
  readonly deleted: DeletedRows[];
  /** The plans that are loaded, and whether their walk stopped at the row limit. */
  readonly plans = new Map<LoadPlan, 'whole' | 'cut off'>();

  constructor(event: ChangeEvent, side: Side, store: RowStore) {
    this.event = event;
    this.#image = side === 'after' ? event.newRow : event.oldRow;
    this.isOutdated = event.operation !== 'D' && isOutdated(this.#image, event.type);
    this.#store = store;
    this.deleted = side === 'before' ? [deletedIn(store, event.transactionId)] : [];
  }

  row(type: ObjectType, key: number): StoredRow | undefined {
    const row = this.findRow(type, key);
    return row === undefined ? { key } : (row ?? undefined);
  }

  elements(collection: CollectionAttribute, ownerKey: number): readonly StoredRow[] {
    return this.findElements(collection, ownerKey) ?? none;
  }

  isCutOff(view: View): boolean {
    return this.plans.get(planOf(view)) === 'cut off';
  }

  get changedRow(): StoredRow | null {
    const image = this.#image;
    const live = this.#store.live.get(this.event.type)?.rows.get(this.event.key);
    return live && this.isOutdated ? { ...live, ...image } : image;
  }

  /** Null: does not exist. Undefined: not requested yet. */
  findRow(type: ObjectType, key: number): StoredRow | null | undefined {
    if (key === this.event.key && type.table === this.event.type.table) return this.changedRow;
    const live = this.#store.live.get(type)?.rows.get(key);
    if (live !== null) return live;
    for (const { rows } of this.deleted) {
      const row = rows.get(key);
      if (row !== null) return row;
    }
    return null;
  }

  /** Undefined: not requested yet. */
  findElements(collection: CollectionAttribute, ownerKey: number): readonly StoredRow[] | undefined {
    const found = this.#storedElements(collection, ownerKey);
    const isOfChangedType = this.event.type.table === collection.of.table;
    return found && isOfChangedType ? this.#withChangedRow(found, collection, ownerKey) : found;
  }

  /** The rows deleted together with an owner; undefined if the owner was not deleted. */
  deletedWith(ownerKey: number): DeletedRows | undefined {
    const { operation, key } = this.event;
    if (operation === 'D' && ownerKey === key) return this.deleted[0];
    return this.deleted.find(({ rows }) => rows.get(ownerKey));
  }

  #storedElements({ of, ownerColumn }: CollectionAttribute, ownerKey: number): readonly StoredRow[] | undefined {
    const deleted = this.deletedWith(ownerKey);
    if (!deleted) return this.#store.live.get(of)?.elements.get(ownerColumn)?.get(ownerKey);
    const elements = deleted.elements.get(ownerKey);
    return elements && sorted([...(elements.get(of.table)?.values() ?? [])], of);
  }

  /** The changed row belongs to the owner in its own image, even if the live row has moved to another owner. */
  #withChangedRow(found: readonly StoredRow[], { of, ownerColumn }: CollectionAttribute, ownerKey: number) {
    const { key } = this.event;
    const row = this.changedRow;
    const isElement = row !== null && row[ownerColumn] === ownerKey;
    if (!isElement && !found.some((element) => element.key === key)) return found;
    const others = found.filter((element) => element.key !== key);
    return isElement ? sorted([...others, row], of) : others;
  }
}

const none: readonly StoredRow[] = [];

function isOutdated(image: StoredRow | null, type: ObjectType): boolean {
  return image !== null && liveColumnsOf(type).some(({ name }) => image[name] === undefined);
}

export function liveRowsOf(store: RowStore, type: ObjectType): LiveRows {
  return entryOf(store.live, type, () => ({ rows: new Map(), elements: new Map() }));
}

export function deletedIn(store: RowStore, transactionId: number): DeletedRows {
  return entryOf(store.deleted, transactionId, () => ({ transactionId, rows: new Map(), elements: new Map() }));
}

/** By sequence, then key, in the same order as `query/view-columns.ts`. */
export function sorted(rows: readonly StoredRow[], { sequence }: ObjectType): readonly StoredRow[] {
  if (rows.length < 2) return rows;
  return [...rows].sort((a, b) => {
    const bySequence = sequence ? Number(a[sequence.column]) - Number(b[sequence.column]) : 0;
    return bySequence || Number(a.key) - Number(b.key);
  });
}
