// What matching should do, as simply as possible: objects in memory, the table of part 5 of the interface, and the
// hierarchy walked downwards. Uses none of the code of the service, no SQL and no HTTP.

export type TypeName = 'Voyage' | 'PortCall' | 'EventLog' | 'Cargo' | 'CargoPort' | 'BunkerOrder' | 'BunkerOrderLine';

export type Value = string | number | boolean | null;

interface TypeRow {
  /** Name → values to use. */
  attributes: Record<string, readonly Value[]>;
  owner?: { name: string; type: TypeName; mayBeNull?: boolean };
  collections: Record<string, TypeName>;
  /** A reference to a PortCall; followed: ▲. */
  portCall?: 'mandatory and followed' | 'optional';
}

export const typeTable: Record<TypeName, TypeRow> = {
  Voyage: {
    attributes: { daysTotal: [null, 1, 7.5], voyageStatus: [null, 'EST', 'NOM'] },
    collections: { portCalls: 'PortCall', cargos: 'Cargo' },
  },
  PortCall: {
    attributes: { speed: [null, 4, 12.25], reasonForCall: ['L', 'D', 'B'] },
    owner: { name: 'voyage', type: 'Voyage' },
    collections: { eventLogs: 'EventLog' },
  },
  EventLog: {
    attributes: { isDateFixed: [null, true, false], event: ['ARR', 'DEP'] },
    owner: { name: 'portCall', type: 'PortCall' },
    collections: {},
  },
  Cargo: {
    attributes: { quantity: [null, 100, 2500.5], cargoReference: [null, 'A', 'B'] },
    owner: { name: 'voyage', type: 'Voyage', mayBeNull: true },
    collections: { cargoPorts: 'CargoPort' },
  },
  CargoPort: {
    attributes: { quantity: [null, 3, 8], reasonForCall: ['L', 'D'] },
    owner: { name: 'cargo', type: 'Cargo' },
    collections: {},
    portCall: 'optional',
  },
  BunkerOrder: {
    attributes: { extraCost: [null, 2, 6.5], bunkerOrderStatus: ['PLN', 'ORD', 'DLV'] },
    collections: { bunkerOrderLines: 'BunkerOrderLine' },
    portCall: 'mandatory and followed',
  },
  BunkerOrderLine: {
    attributes: { extraCost: [null, 3, 9], unitPrice: [500, 512.5] },
    owner: { name: 'bunkerOrder', type: 'BunkerOrder' },
    collections: {},
  },
};

export const typeNames = Object.keys(typeTable) as TypeName[];

/** Objects are identified by their `externalObjectKey`, which is unique and never changes. */
export interface ModelObject {
  readonly mark: string;
  readonly type: TypeName;
  readonly values: Readonly<Record<string, Value>>;
  readonly owner: string | null;
  readonly portCall: string | null;
}

export type World = ReadonlyMap<string, ModelObject>;

/** One statement; each row that it changes is a change. */
export type Statement =
  | { kind: 'insert'; rows: readonly ModelObject[] }
  | { kind: 'update'; rows: readonly ModelObject[] }
  | { kind: 'delete'; mark: string };

export type Operation = 'C' | 'U' | 'D';

export interface Change {
  readonly mark: string;
  readonly type: TypeName;
  readonly operation: Operation;
  readonly before: ModelObject | undefined;
  readonly after: ModelObject | undefined;
  /** The objects in whose hierarchy it was or is, without itself. */
  readonly hearers: ReadonlySet<string>;
}

/** What was committed together. */
export interface Transaction {
  readonly start: World;
  readonly changes: readonly Change[];
  readonly end: World;
}

/** `undefined`: refused at COMMIT, so nothing of it happened. */
export function carryOut(world: World, statements: readonly Statement[]): Transaction | undefined {
  const transaction = carryOutUnchecked(world, statements);
  return isAllowed(transaction.end) ? transaction : undefined;
}

export function carryOutUnchecked(world: World, statements: readonly Statement[]): Transaction {
  let now = world;
  const changes: Change[] = [];
  for (const statement of statements) {
    const after = applyTo(now, statement);
    changes.push(...changesBetween(now, after));
    now = after;
  }
  return { start: world, changes, end: now };
}

/** The object and its sub-objects, all the way down. */
function withOwned(world: World, mark: string): string[] {
  const owned = [...world.values()].filter(({ owner }) => owner === mark);
  return [mark, ...owned.flatMap((object) => withOwned(world, object.mark))];
}

function hierarchyOf(world: World, mark: string): Set<string> {
  const owned = withOwned(world, mark);
  const followed = owned.flatMap((each) => {
    const object = world.get(each);
    const isFollowed = object && typeTable[object.type].portCall === 'mandatory and followed';
    return isFollowed ? withOwned(world, object.portCall!) : [];
  });
  return new Set([...owned, ...followed]);
}

function applyTo(world: World, statement: Statement): World {
  const next = new Map(world);
  if (statement.kind !== 'delete') {
    for (const row of statement.rows) next.set(row.mark, row);
    return next;
  }
  for (const mark of goneWith(world, statement.mark)) next.delete(mark);
  for (const object of next.values())
    if (object.owner !== null && !next.has(object.owner)) next.set(object.mark, { ...object, owner: null });
  return next;
}

/** Sub-objects whose owner may be null are detached, not deleted, and keep what is theirs. */
function goneWith(world: World, mark: string): string[] {
  const owned = [...world.values()].filter(({ owner, type }) => owner === mark && !typeTable[type].owner?.mayBeNull);
  return [mark, ...owned.flatMap((object) => goneWith(world, object.mark))];
}

function changesBetween(before: World, after: World): Change[] {
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (mark) => !isSame(before.get(mark), after.get(mark)),
  );
  if (changed.length === 0) return [];
  const hierarchies = [before, after].flatMap((world) =>
    [...world.keys()].map((mark) => ({ mark, members: hierarchyOf(world, mark) })),
  );
  return changed.map((mark) => {
    const [old, now] = [before.get(mark), after.get(mark)];
    const hearers = hierarchies.filter((each) => each.mark !== mark && each.members.has(mark));
    return {
      mark,
      type: (now ?? old)!.type,
      operation: old === undefined ? 'C' : now === undefined ? 'D' : 'U',
      before: old,
      after: now,
      hearers: new Set(hearers.map((each) => each.mark)),
    };
  });
}

function isSame(a: ModelObject | undefined, b: ModelObject | undefined): boolean {
  if (!a || !b) return a === b;
  const isEqual = Object.keys(a.values).every((name) => a.values[name] === b.values[name]);
  return isEqual && a.owner === b.owner && a.portCall === b.portCall;
}

/** What the database checks at COMMIT: nothing refers to what is gone, and every BunkerOrder has a line. */
function isAllowed(world: World): boolean {
  const objects = [...world.values()];
  const isWhole = objects.every(({ portCall }) => portCall === null || world.has(portCall));
  const orders = objects.filter(({ type }) => type === 'BunkerOrder');
  return isWhole && orders.every(({ mark }) => objects.some(({ owner }) => owner === mark));
}
