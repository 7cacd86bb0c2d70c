// What notifications must show, according to the stored events and nothing else of the product. An object in a state is
// the new row of its last event that the state includes.

export type TypeName =
  | 'Voyage'
  | 'PortCall'
  | 'EventLog'
  | 'Cargo'
  | 'CargoPort'
  | 'BunkerOrder'
  | 'BunkerOrderLine'
  | 'Vessel';

export interface HistoryEvent {
  readonly id: number;
  readonly transaction: number;
  readonly type: TypeName;
  readonly operation: 'C' | 'U' | 'D';
  readonly key: number;
  readonly oldRow: Row | null;
  readonly newRow: Row | null;
  /** Which transactions the statement of the change saw. */
  readonly seen: Sees;
  /** Which transactions had committed at COMMIT. Null: not known. */
  readonly committed: Sees | null;
}

export type Row = Readonly<Record<string, unknown>> & { readonly key: number };
export type Sees = (transaction: number) => boolean;

/** As sent as `json`, with the members in the order of the model. */
export interface Selection {
  readonly [attribute: string]: '*' | Selection;
}

export interface State {
  /** Null: the object does not exist. */
  row(key: number): Row | null;
  /** In order. The column holds the key of the other object. */
  referring(type: TypeName, column: string, key: number): Row[];
}

const owners: Partial<Record<TypeName, { column: string; type: TypeName }>> = {
  PortCall: { column: 'voyage', type: 'Voyage' },
  EventLog: { column: 'port_call', type: 'PortCall' },
  Cargo: { column: 'voyage', type: 'Voyage' },
  CargoPort: { column: 'cargo', type: 'Cargo' },
  BunkerOrderLine: { column: 'bunker_order', type: 'BunkerOrder' },
};

const references: Record<string, TypeName> = { vessel: 'Vessel', voyage: 'Voyage', portCall: 'PortCall' };

const collections: Record<string, { type: TypeName; column: string; sequence?: string }> = {
  portCalls: { type: 'PortCall', column: 'voyage', sequence: 'port_call_sequence' },
  eventLogs: { type: 'EventLog', column: 'port_call' },
  cargos: { type: 'Cargo', column: 'voyage' },
  cargoPorts: { type: 'CargoPort', column: 'cargo', sequence: 'cargo_port_sequence' },
  bunkerOrderLines: { type: 'BunkerOrderLine', column: 'bunker_order' },
};

/** `10:20:11,12`: all below 10 had committed, none from 20 on, and of those between all but 11 and 12. */
export function parseSees(snapshot: string): Sees {
  const [min, max, running] = snapshot.split(':');
  const inProgress = new Set(running!.split(',').map(Number));
  return (transaction) => transaction < Number(min) || (transaction < Number(max) && !inProgress.has(transaction));
}

export class Fold {
  readonly events: readonly HistoryEvent[];
  readonly #ofKey = new Map<number, HistoryEvent[]>();
  readonly #ofTransaction = new Map<number, HistoryEvent[]>();
  /** `PortCall.voyage 1042` → the port calls that were ever in the voyage. */
  readonly #referring = new Map<string, Set<number>>();

  /** `events`: in the order of their ids. */
  constructor(events: readonly HistoryEvent[]) {
    this.events = events;
    for (const event of events) {
      const { key, transaction, type, newRow } = event;
      this.#ofKey.set(key, [...(this.#ofKey.get(key) ?? []), event]);
      this.#ofTransaction.set(transaction, [...(this.#ofTransaction.get(transaction) ?? []), event]);
      for (const column of ['voyage', 'port_call', 'cargo', 'bunker_order']) {
        const name = `${type}.${column} ${newRow?.[column]}`;
        if (newRow?.[column]) this.#referring.set(name, (this.#referring.get(name) ?? new Set()).add(key));
      }
    }
  }

  stateOf(includes: (event: HistoryEvent) => boolean): State {
    const row = (key: number) => this.#ofKey.get(key)?.findLast(includes)?.newRow ?? null;
    return {
      row,
      referring: (type, column, key) =>
        [...(this.#referring.get(`${type}.${column} ${key}`) ?? [])]
          .flatMap((each) => row(each) ?? [])
          .filter((each) => each[column] === key)
          .sort((a, b) => a.key - b.key),
    };
  }

  /**
   * As the transaction left it, or found it. A notification shows the object even if its own transaction has deleted it
   * after this change, or created it before its delete.
   */
  stateAt(event: HistoryEvent, sees: Sees, side: 'before' | 'after'): State {
    const isOwnIncluded = side === 'after';
    const state = this.stateOf(({ transaction }) =>
      transaction === event.transaction ? isOwnIncluded : sees(transaction),
    );
    const isShown = (event.operation === 'D') === (side === 'before');
    const image = side === 'after' ? event.newRow : event.oldRow;
    return { ...state, row: (key) => state.row(key) ?? (isShown && key === event.key ? image : null) };
  }

  /** In one hierarchy, ids are in the order of commits. */
  seesUntil({ id }: HistoryEvent): Sees {
    return (transaction) => this.#ofTransaction.get(transaction)![0]!.id < id;
  }

  isCreatedOrDeletedWith({ transaction }: HistoryEvent, key: number): boolean {
    return this.#ofTransaction.get(transaction)!.some((each) => each.key === key && each.operation !== 'U');
  }

  isRepeated({ transaction, key }: HistoryEvent): boolean {
    return this.#ofTransaction.get(transaction)!.filter((each) => each.key === key).length > 1;
  }

  /**
   * The other objects that have the changed one in their hierarchy, just before the change or just after it. `own`:
   * which changes of the same transaction count. Before its end, owners that it has deleted count as still there.
   */
  hearers(event: HistoryEvent, sees: Sees, own: 'earlier' | 'all' = 'earlier'): Map<number, TypeName> {
    const found = new Map<number, TypeName>();
    const deletedOwner = (key: number) =>
      this.#ofTransaction.get(event.transaction)!.findLast((each) => each.key === key && each.operation === 'D')
        ?.oldRow ?? null;
    for (const [row, until] of [
      [event.oldRow, event.id - 1],
      [event.newRow, event.id],
    ] as const) {
      if (!row) continue;
      const state = this.stateOf(({ transaction, id }) =>
        transaction === event.transaction ? own === 'all' || id <= until : sees(transaction),
      );
      const find = (key: number) => state.row(key) ?? (own === 'all' ? null : deletedOwner(key));
      for (const [key, type] of hierarchiesOf(event.type, row, { ...state, row: find })) found.set(key, type);
    }
    found.delete(event.key);
    return found;
  }

  /**
   * The hearers at any moment between the statement and COMMIT. If others move the object several times meanwhile, its
   * transaction may look between two moves, and notify a hierarchy that the object was in for that moment.
   */
  hearersMeanwhile(event: HistoryEvent, committed: Sees): Map<number, TypeName> {
    const firstId = (transaction: number) => this.#ofTransaction.get(transaction)![0]!.id;
    const meanwhile = [...this.#ofTransaction.keys()].filter((each) => !event.seen(each) && committed(each));
    const seesUntil = (last: number) => (each: number) =>
      event.seen(each) || (committed(each) && firstId(each) <= firstId(last));
    return new Map(meanwhile.flatMap((last) => [...this.hearers(event, seesUntil(last))]));
  }

  /** A row that is deleted with its owner may be in the hierarchies that the owner was in a moment before. */
  hearersOfDeletedOwner({ transaction, type, oldRow, operation }: HistoryEvent): Map<number, TypeName> {
    const owner = operation === 'D' ? oldRow?.[owners[type]?.column ?? ''] : undefined;
    const deleted = this.#ofTransaction.get(transaction)!.find((each) => each.key === owner && each.operation === 'D');
    if (!deleted) return new Map();
    return new Map([...this.hearersOfDeletedOwner(deleted), ...this.hearers(deleted, deleted.seen)]);
  }
}

/** The owners, and the bunker orders at each port call among them. */
function hierarchiesOf(type: TypeName, row: Row, state: State): Map<number, TypeName> {
  const found = new Map<number, TypeName>();
  for (let [at, current]: [TypeName, Row | null] = [type, row]; current; ) {
    found.set(current.key, at);
    if (at === 'PortCall')
      for (const { key } of state.referring('BunkerOrder', 'port_call', current.key)) found.set(key, 'BunkerOrder');
    const owner = owners[at];
    const ownerKey: unknown = owner && current[owner.column];
    if (typeof ownerKey !== 'number') break;
    [at, current] = [owner!.type, state.row(ownerKey)];
  }
  return found;
}

/** The selected part of an object as JSON; `null` if it does not exist. */
export function render(state: State, type: TypeName, key: number, selection: Selection, restUrl: string): string {
  const show = (of: TypeName, row: Row | null, inside: Selection): unknown => {
    if (!row) return null;
    const shown: Record<string, unknown> = { key: row.key, self: `${restUrl}/${of}/${row.key}` };
    for (const [name, selected] of Object.entries(inside)) {
      const column = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      if (selected === '*') shown[name] = row[column];
      else if (collections[name])
        shown[name] = elements(state, name, row.key).map((each) => show(collections[name]!.type, each, selected));
      else
        shown[name] = show(references[name]!, row[column] === null ? null : state.row(row[column] as number), selected);
    }
    return shown;
  };
  return JSON.stringify(show(type, state.row(key), selection));
}

export function elements(state: State, collection: string, ownerKey: number): Row[] {
  const { type, column, sequence } = collections[collection]!;
  const rows = state.referring(type, column, ownerKey);
  return sequence ? rows.sort((a, b) => Number(a[sequence]) - Number(b[sequence]) || a.key - b.key) : rows;
}
