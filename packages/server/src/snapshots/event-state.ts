// The rows loaded for a batch of events, and the state before or after one event, derived from them. A row that a later
// transaction has changed, moved or deleted is restored from the old row of the first event that the state does not
// include.

import { entryOf } from '../entry-of.ts';
import type { ChangeEvent } from '../events/change-event.ts';
import type { StoredRow } from '../events/stored-row.ts';
import type { CollectionAttribute, ObjectType } from '../model/object-type.ts';
import type { View } from '../query/view.ts';
import { liveColumnsOf } from './live-columns.ts';
import { type LoadPlan, planOf } from './load-plan.ts';
import type { ObjectState } from './object-state.ts';
import { type Side, VisibleTransactions } from './visible-transactions.ts';

/** Rows as they stand, for all states of a batch. */
export type RowStore = Map<ObjectType, LiveRows>;

export interface LiveRows {
  /** Null: requested, and does not exist. */
  readonly rows: Map<number, LiveRow | null>;
  /** Owner column → owner key. */
  readonly elements: Map<string, Map<number, LiveElements>>;
}

/** `xmin`: the last transaction that has changed the row, as PostgreSQL keeps it. */
export type LiveRow = StoredRow & { readonly xmin: number };

export interface LiveElements {
  /** In order. */
  readonly rows: readonly LiveRow[];
  /** Whether elements may have been deleted or moved to another owner since the changes of the batch. */
  readonly mayHaveLeft: boolean;
  /** The number of the round trip. */
  readonly loadedAt: number;
}

export interface LeftRows {
  readonly rows: readonly LeftRow[];
  readonly loadedAt: number;
}

/** Null: the object did not exist. `unchanged`: it was as it is live. */
export type PastRow = StoredRow | null | 'unchanged';

/** A row that was moved or deleted. */
export interface LeftRow {
  readonly typeName: string;
  readonly key: number;
}

export class EventState implements ObjectState {
  readonly event: ChangeEvent;
  readonly side: Side;
  /** The changed row as the event has it. Null: the object does not exist in this state. */
  readonly #image: StoredRow | null;
  /** The image lacks columns that were added to the model after its event. The live row has them. */
  readonly isOutdated: boolean;
  readonly #store: RowStore;
  readonly #visible: VisibleTransactions;
  /** What live rows were like in this state, by key, as far as requested. Most states need none. */
  #past: Map<number, PastRow> | undefined;
  /** The rows that may have left an owner since, by the key of the owner, as far as requested. */
  #left: Map<number, LeftRows> | undefined;
  /** The plans that are loaded, and whether their walk stopped at the row limit. */
  readonly plans = new Map<LoadPlan, 'whole' | 'cut off'>();

  constructor(event: ChangeEvent, side: Side, store: RowStore) {
    this.event = event;
    this.side = side;
    this.#image = side === 'after' ? event.newRow : event.oldRow;
    this.isOutdated = event.operation !== 'D' && isOutdated(this.#image, event.type);
    this.#store = store;
    this.#visible = new VisibleTransactions(event, side);
  }

  setPast(key: number, row: PastRow): void {
    this.#past ??= new Map();
    this.#past.set(key, row);
  }

  setLeft(ownerKey: number, left: LeftRows): void {
    this.#left ??= new Map();
    this.#left.set(ownerKey, left);
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

  /** Null: does not exist. Undefined: something is to be requested first (`missingOf`). */
  findRow(type: ObjectType, key: number): StoredRow | null | undefined {
    const found = this.#findInState(type, key);
    return found === null && this.#isShown && this.#isChanged(type, key) ? this.#changedRow : found;
  }

  /** What has to be loaded before `findRow` can find the row: the live row, or what it was like in this state. */
  missingOf(type: ObjectType, key: number): 'live' | 'past' {
    return this.#store.get(type)?.rows.get(key) === undefined ? 'live' : 'past';
  }

  /**
   * Undefined: something is to be requested first: what `missing` says, and the rows without which it cannot decide.
   */
  findElements(
    { of, ownerColumn }: CollectionAttribute,
    ownerKey: number,
    missing?: MissingElements,
  ): readonly StoredRow[] | undefined {
    const live = this.#store.get(of)?.elements.get(ownerColumn)?.get(ownerKey);
    if (!live) {
      missing?.elements();
      return undefined;
    }
    if (!of.makesEvents) return live.rows;
    const left = live.mayHaveLeft ? this.#leftSince(live, ownerKey) : none;
    if (!left) {
      missing?.left();
      return undefined;
    }
    const isOfChangedType = this.event.type.table === of.table;
    if (left.length === 0 && !isOfChangedType && live.rows.every(({ xmin }) => this.#visible.hasAllOf(xmin)))
      return live.rows;
    const keys = new Set(live.rows.map(({ key }) => Number(key)));
    for (const { typeName, key } of left) if (typeName === of.name) keys.add(key);
    if (isOfChangedType) keys.add(this.event.key);
    return this.#elementsAmong(keys, of, { ownerColumn, ownerKey, missing });
  }

  /** Undefined if not loaded, or before the elements: then others may have left in between. */
  #leftSince({ loadedAt }: LiveElements, ownerKey: number): readonly LeftRow[] | undefined {
    const left = this.#left?.get(ownerKey);
    return left && left.loadedAt >= loadedAt ? left.rows : undefined;
  }

  #elementsAmong(
    keys: ReadonlySet<number>,
    of: ObjectType,
    { ownerColumn, ownerKey, missing }: { ownerColumn: string; ownerKey: number; missing: MissingElements | undefined },
  ): readonly StoredRow[] | undefined {
    let isComplete = true;
    const elements: StoredRow[] = [];
    for (const key of keys) {
      const row = this.#findInState(of, key);
      if (row === undefined) {
        missing?.row(key);
        isComplete = false;
      }
      if (row?.[ownerColumn] === ownerKey) elements.push(row);
    }
    return isComplete ? sorted(elements, of) : undefined;
  }

  #isChanged(type: ObjectType, key: number): boolean {
    return key === this.event.key && type.table === this.event.type.table;
  }

  /**
   * Whether this state is the one that a notification shows. It must show the object, even if its own transaction has
   * deleted it after this change, or created it before its delete.
   */
  get #isShown(): boolean {
    return this.side === (this.event.operation === 'D' ? 'before' : 'after');
  }

  get #changedRow(): StoredRow | null {
    const image = this.#image;
    const live = this.#store.get(this.event.type)?.rows.get(this.event.key);
    return live && this.isOutdated ? { ...live, ...image } : image;
  }

  #findInState(type: ObjectType, key: number): StoredRow | null | undefined {
    if (!this.event.isRepeated && this.#isChanged(type, key)) return this.#changedRow;
    const past = this.#past?.get(key);
    if (past !== undefined && past !== 'unchanged') return past;
    const live = this.#store.get(type)?.rows.get(key);
    if (live === undefined || !type.makesEvents || past === 'unchanged') return live;
    return live !== null && this.#visible.hasAllOf(live.xmin) ? live : undefined;
  }
}

/** Called for what has to be loaded before the elements of a collection can be found. */
export interface MissingElements {
  elements(): void;
  left(): void;
  row(key: number): void;
}

const none: readonly never[] = [];

function isOutdated(image: StoredRow | null, type: ObjectType): boolean {
  return image !== null && liveColumnsOf(type).some(({ name }) => image[name] === undefined);
}

export function liveRowsOf(store: RowStore, type: ObjectType): LiveRows {
  return entryOf(store, type, () => ({ rows: new Map(), elements: new Map() }));
}

/** By sequence, then key, in the same order as `query/view-columns.ts`. */
export function sorted<T extends StoredRow>(rows: readonly T[], { sequence }: ObjectType): readonly T[] {
  if (rows.length < 2) return rows;
  return [...rows].sort((a, b) => {
    const bySequence = sequence ? Number(a[sequence.column]) - Number(b[sequence.column]) : 0;
    return bySequence || Number(a.key) - Number(b.key);
  });
}
