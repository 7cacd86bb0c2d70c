// Random wishes of a sequence, drawn by fast-check, and what they mean in the current world. Wishes name objects by
// position, so that each makes sense whatever happened before.

import fc from 'fast-check';
import {
  type ModelObject,
  type Operation,
  type Statement,
  type TypeName,
  typeNames,
  typeTable,
  type Value,
  type World,
} from './reference-model.ts';

export const userCount = 3;

export interface Wish {
  kind: 'create' | 'update' | 'update all' | 'move' | 'delete' | 'put collection';
  type: TypeName;
  /** Which object, which other one. */
  at: number;
  to: number;
  values: readonly number[];
}

export interface SubscriptionWish {
  kind: 'subscribe' | 'unsubscribe' | 'delete' | 'reword';
  at: number;
  user: number;
  type: TypeName;
  operation: Operation;
  isWide: boolean;
  onlyMainObject: boolean;
  notSendMyChanges: boolean;
  rawObject: boolean;
  selection: number;
  /** Null: none. */
  expression: number | null;
}

export interface Round {
  subscriptions: readonly SubscriptionWish[];
  via: 'API' | 'SQL';
  /** Null: the user is unknown, which only SQL can do. */
  user: number | null;
  wishes: readonly Wish[];
  /** Statements that are rolled back to a savepoint. */
  undone: readonly boolean[];
  isRolledBack: boolean;
  /** The transaction begins before the round's subscriptions are created, and commits after. */
  isEarly: boolean;
}

export type Sequence = readonly Round[];

const natural = fc.nat({ max: 999 });
const often = <T>(weight: number, value: T) => ({ weight, arbitrary: fc.constant(value) });

const wish: fc.Arbitrary<Wish> = fc.record({
  kind: fc.oneof(
    often(3, 'create' as const),
    often(5, 'update' as const),
    often(1, 'update all' as const),
    often(4, 'move' as const),
    often(2, 'delete' as const),
    often(2, 'put collection' as const),
  ),
  type: fc.constantFrom(...typeNames),
  at: natural,
  to: natural,
  values: fc.array(natural, { minLength: 6, maxLength: 6 }),
});

const subscriptionWish: fc.Arbitrary<SubscriptionWish> = fc.record({
  kind: fc.oneof(
    often(8, 'subscribe' as const),
    often(2, 'unsubscribe' as const),
    often(1, 'delete' as const),
    often(1, 'reword' as const),
  ),
  at: natural,
  user: fc.nat({ max: userCount - 1 }),
  type: fc.constantFrom(...typeNames),
  operation: fc.oneof(often(1, 'C' as const), often(4, 'U' as const), often(1, 'D' as const)),
  isWide: fc.boolean(),
  onlyMainObject: fc.oneof(often(3, false), often(1, true)),
  notSendMyChanges: fc.oneof(often(2, false), often(1, true)),
  rawObject: fc.oneof(often(3, false), often(1, true)),
  selection: natural,
  expression: fc.option(natural, { freq: 2 }),
});

const round: fc.Arbitrary<Round> = fc.record({
  subscriptions: fc.array(subscriptionWish, { maxLength: 3 }),
  via: fc.oneof(often(3, 'API' as const), often(2, 'SQL' as const)),
  user: fc.option(fc.nat({ max: userCount - 1 }), { freq: 3 }),
  wishes: fc.array(wish, { minLength: 1, maxLength: 4 }),
  undone: fc.array(fc.oneof(often(6, false), often(1, true)), { minLength: 4, maxLength: 4 }),
  isRolledBack: fc.oneof(often(7, false), often(1, true)),
  isEarly: fc.boolean(),
});

export function sequences(rounds: number): fc.Arbitrary<Sequence> {
  return fc.array(round, { minLength: rounds, maxLength: rounds });
}

/** The statements of a wish, and the equivalent request. */
export interface Resolved {
  statements: readonly Statement[];
  request: Request;
}

export type Request =
  /** The first row is the object, the others are its sub-objects. */
  | { kind: 'POST'; rows: readonly ModelObject[] }
  | { kind: 'PUT'; before: ModelObject; after: ModelObject }
  /** `kept`: in their new state; `added`: each with its sub-objects. */
  | { kind: 'PUT collection'; owner: ModelObject; collection: string; kept: ModelObject[]; added: ModelObject[][] }
  | { kind: 'DELETE'; object: ModelObject };

/** Undefined if no object fits the wish. */
export function resolve(wish: Wish, world: World, newMark: () => string): Resolved | undefined {
  const make = { world, newMark, dice: [...wish.values] };
  switch (wish.kind) {
    case 'create': {
      const rows = makeObject(make, wish.type, wish.at);
      return rows && { statements: inserts(rows), request: { kind: 'POST', rows } };
    }
    case 'update': {
      const before = pick([...world.values()], wish.at);
      const after = before && withValues(before, wish.values);
      return after && { statements: [{ kind: 'update', rows: [after] }], request: { kind: 'PUT', before, after } };
    }
    case 'update all': {
      const one = pick([...world.values()], wish.at);
      if (!one) return undefined;
      const rows = ownedBy(world, one.owner, one.type).map((object) => withValues(object, wish.values));
      const after = rows.find(({ mark }) => mark === one.mark)!;
      return { statements: [{ kind: 'update', rows }], request: { kind: 'PUT', before: one, after } };
    }
    case 'move':
      return move(wish, world);
    case 'delete': {
      const object = pick([...world.values()], wish.at);
      return object && { statements: [{ kind: 'delete', mark: object.mark }], request: { kind: 'DELETE', object } };
    }
    case 'put collection':
      return putCollection(wish, make);
  }
}

/** The objects that a sequence starts with. */
export function firstObjects(newMark: () => string): Statement[] {
  const dice = () => [1, 2, 1, 2, 1, 2];
  const rows: ModelObject[] = [];
  const add = (type: TypeName, at: number, pieces: number[] = dice()) => {
    const world = new Map(rows.map((row) => [row.mark, row]));
    rows.push(...makeObject({ world, newMark, dice: pieces }, type, at)!);
  };
  add('Voyage', 0, [1, 2, 2, 1]);
  add('Voyage', 0, [0, 0, 1, 1]);
  add('Cargo', 0);
  add('BunkerOrder', 0);
  return inserts(rows);
}

interface Make {
  world: World;
  newMark: () => string;
  dice: number[];
}

/** With its required sub-objects, and sometimes more. */
function makeObject(make: Make, type: TypeName, at: number): ModelObject[] | undefined {
  const { owner, portCall } = typeTable[type];
  const owners = owner ? ofType(make.world, owner.type) : [];
  const above = pick(owner?.mayBeNull ? [undefined, ...owners] : owners, at);
  if (owner && !above && !owner.mayBeNull) return undefined;
  const calls = ofType(make.world, 'PortCall');
  const call = pick(portCall === 'optional' ? [undefined, ...calls] : calls, at + throwDie(make));
  if (portCall === 'mandatory and followed' && !call) return undefined;
  return makeWithin(make, type, above?.mark ?? null, portCall ? (call?.mark ?? null) : null);
}

function makeWithin(make: Make, type: TypeName, owner: string | null, portCall: string | null): ModelObject[] {
  const mark = make.newMark();
  const values = Object.entries(typeTable[type].attributes).map(([name, tried]) => [name, pick(tried, throwDie(make))]);
  const object: ModelObject = { mark, type, owner, portCall, values: Object.fromEntries(values) };
  const inside = Object.values(typeTable[type].collections)
    .filter((of) => of !== 'Cargo')
    .flatMap((of) => {
      const atLeast = type === 'Voyage' || type === 'PortCall' ? 0 : 1;
      const count = atLeast + (throwDie(make) % 3);
      return Array.from({ length: count }, () => makeWithin(make, of, mark, null)).flat();
    });
  return [object, ...inside];
}

function throwDie({ dice }: Make): number {
  return dice.shift() ?? 0;
}

function move({ at, to, values }: Wish, world: World): Resolved | undefined {
  const movable = [...world.values()].filter(({ type }) => typeTable[type].owner || typeTable[type].portCall);
  const before = pick(movable, at);
  if (!before) return undefined;
  const { owner, portCall } = typeTable[before.type];
  const movesOwner = owner !== undefined && (portCall === undefined || values[0]! % 2 === 0);
  const targets = ofType(world, movesOwner ? owner.type : 'PortCall').map(({ mark }) => mark);
  const mayBeNull = movesOwner ? owner.mayBeNull : portCall === 'optional';
  const target = pick(mayBeNull ? [...targets, null] : targets, to);
  // All of them may have been deleted earlier in the same transaction.
  if (target === undefined) return undefined;
  const after = { ...before, ...(movesOwner ? { owner: target } : { portCall: target }) };
  return { statements: [{ kind: 'update', rows: [after] }], request: { kind: 'PUT', before, after } };
}

function putCollection({ at, to, values }: Wish, make: Make): Resolved | undefined {
  const { world } = make;
  const owners = [...world.values()].filter(({ type }) => Object.keys(typeTable[type].collections).length > 0);
  const owner = pick(owners, at);
  if (!owner) return undefined;
  const [collection, of] = pick(Object.entries(typeTable[owner.type].collections), to)!;
  const present = ownedBy(world, owner.mark, of);
  const fates: number[] = present.map((_, index) => values[index % values.length]! % 4);
  // An order keeps at least one line.
  if (of === 'BunkerOrderLine' && !fates.some((fate) => fate > 0)) fates[0] = 1;
  const stay = present.filter((_, index) => fates[index] !== 0);
  const dropped = present.filter((_, index) => fates[index] === 0);
  const free =
    of === 'Cargo' && to % 3 === 0
      ? pick(
          ofType(world, 'Cargo').filter((each) => each.owner === null),
          at,
        )
      : undefined;
  const kept = [
    ...stay.map((object, index) =>
      fates[present.indexOf(object)] === 1 ? withValues(object, [index + to, to]) : object,
    ),
    ...(free ? [{ ...free, owner: owner.mark }] : []),
  ];
  const added = to % 2 === 0 ? [makeWithin(make, of, owner.mark, null)] : [];
  const isDetached = typeTable[of].owner!.mayBeNull;
  return {
    statements: [
      ...dropped.map(
        (object): Statement =>
          isDetached ? { kind: 'update', rows: [{ ...object, owner: null }] } : { kind: 'delete', mark: object.mark },
      ),
      ...kept.map((row): Statement => ({ kind: 'update', rows: [row] })),
      ...added.flatMap(inserts),
    ],
    request: { kind: 'PUT collection', owner, collection, kept, added },
  };
}

/** One statement for each type, owners first. */
function inserts(rows: readonly ModelObject[]): Statement[] {
  return typeNames.flatMap((type) => {
    const some = rows.filter((row) => row.type === type);
    return some.length > 0 ? [{ kind: 'insert' as const, rows: some }] : [];
  });
}

/** A number beyond the listed values leaves the attribute unchanged. */
function withValues(object: ModelObject, throws: readonly number[]): ModelObject {
  const values: Record<string, Value> = { ...object.values };
  Object.entries(typeTable[object.type].attributes).forEach(([name, tried], index) => {
    const value = tried[throws[index]! % (tried.length + 1)];
    if (value !== undefined) values[name] = value;
  });
  return { ...object, values };
}

function ofType(world: World, type: TypeName): ModelObject[] {
  return [...world.values()].filter((object) => object.type === type);
}

function ownedBy(world: World, owner: string | null, type: TypeName): ModelObject[] {
  return ofType(world, type).filter((object) => object.owner === owner);
}

export function pick<T>(items: readonly T[], at: number): T | undefined {
  return items[at % items.length];
}
