// Looks up everything that a change depends on, in one round trip: which referenced objects exist, the members of the
// affected collections, the current values of the objects, and keys for new objects.

import type { Row, Statement, Transaction } from '../database/database.ts';
import { entryOf } from '../entry-of.ts';
import { type JsonObject, parseJson } from '../json/parse-json.ts';
import type { CollectionAttribute, ObjectType } from '../model/object-type.ts';
import { compileReadMany } from '../query/read-statement.ts';
import { sentBackView } from '../query/view.ts';
import { type Caller, onlyUserFor } from './caller.ts';
import { type ObjectChange, type ReferenceChange, withElements } from './object-change.ts';
import { nextKeys, selectMembers, selectObjects, selectTargets } from './object-table.ts';
import type { ObjectsContext } from './objects-context.ts';

export interface Findings {
  /** For each type: the keys that exist, and the key of each code. */
  targets: Map<ObjectType, { keys: Set<number>; codes: Map<string, number> }>;
  /** For each collection: element → owner, or null if the element has no owner. */
  members: Map<CollectionAttribute, Map<number, number | null>>;
  /** The current objects, to compare values that were sent back. */
  current: Map<number, JsonObject>;
  /** Those keys that exist, for attributes that hold the key of an object of any type. */
  objects: Set<number>;
  /** One key for each new object. */
  newKeys: number[];
}

export async function lookUp(
  transaction: Transaction,
  changes: ObjectChange[],
  context: ObjectsContext,
  caller: Caller,
): Promise<Findings> {
  const all = changes.flatMap((change) => [...withElements(change)]);
  const findings: Findings = {
    targets: new Map(),
    members: new Map(),
    current: new Map(),
    objects: new Set(),
    newKeys: [],
  };
  const lookups = [
    ...findTargets(all, findings, caller),
    ...findMembers(all, findings),
    ...findCurrent(all, findings, context),
    ...findObjects(all, findings, context),
    ...takeKeys(all, findings, context),
  ];
  if (lookups.length === 0) return findings;
  const results = await transaction.run(...lookups.map(({ statement }) => statement));
  for (const [index, { store }] of lookups.entries()) store(results[index]!);
  return findings;
}

/** Undefined if the object does not exist. */
export function keyOfTarget({ attribute, target }: ReferenceChange, { targets }: Findings): number | undefined {
  const found = targets.get(attribute.target);
  if (target.kind === 'code') return found?.codes.get(target.code);
  return found?.keys.has(target.key) ? target.key : undefined;
}

/** A statement, and what puts its rows into the findings. */
interface Lookup {
  statement: Statement;
  store: (rows: Row[]) => void;
}

function findTargets(all: ObjectChange[], findings: Findings, caller: Caller): Lookup[] {
  const wanted = new Map<ObjectType, { keys: Set<number>; codes: Set<string> }>();
  const want = (type: ObjectType) =>
    entryOf(wanted, type, () => ({ keys: new Set<number>(), codes: new Set<string>() }));
  for (const { attribute, target } of all.flatMap(({ references }) => references)) {
    const { keys, codes } = want(attribute.target);
    if (target.kind === 'key') keys.add(target.key);
    else codes.add(target.code);
  }
  for (const { type, key } of all.flatMap(({ expected }) => expected)) want(type).keys.add(key);
  return [...wanted].map(([type, { keys, codes }]) => ({
    statement: selectTargets(type, [...keys], [...codes], onlyUserFor(type, caller)),
    store: (rows) =>
      findings.targets.set(type, {
        keys: new Set(rows.map(({ key }) => Number(key))),
        codes: new Map(rows.map(({ key, code }) => [code as string, Number(key)])),
      }),
  }));
}

function findMembers(all: ObjectChange[], findings: Findings): Lookup[] {
  const wanted = new Map<CollectionAttribute, { owners: number[]; elements: number[] }>();
  for (const { key, collections } of all) {
    for (const { attribute, elements } of collections) {
      const entry = entryOf(wanted, attribute, () => ({ owners: [], elements: [] }));
      if (key !== undefined) entry.owners.push(key);
      for (const element of elements) if (element.key !== undefined) entry.elements.push(element.key);
    }
  }
  return [...wanted].map(([collection, { owners, elements }]) => ({
    statement: selectMembers(collection, owners, elements),
    store: (rows) =>
      findings.members.set(
        collection,
        new Map(rows.map(({ key, owner }) => [Number(key), owner === null ? null : Number(owner)])),
      ),
  }));
}

function findCurrent(all: ObjectChange[], findings: Findings, { links }: ObjectsContext): Lookup[] {
  const wanted = new Map<ObjectType, Set<number>>();
  const want = (type: ObjectType, key: number) => entryOf(wanted, type, () => new Set<number>()).add(key);
  for (const change of all) {
    const isCompared = change.sentBack.length > 0 || change.references.some(({ attribute }) => attribute.isFixed);
    if (change.key !== undefined && isCompared) want(change.type, change.key);
    for (const { attribute, target, sentBack } of change.references) {
      if (target.kind === 'key' && sentBack.length > 0) want(attribute.target, target.key);
    }
  }
  return [...wanted].map(([type, keys]) => ({
    statement: { text: compileReadMany(sentBackView(type), links), values: [[...keys]] },
    store: (rows) => {
      for (const { object } of rows) {
        const current = parseJson(object as string) as JsonObject;
        findings.current.set(Number((current.get('key') as { text: string }).text), current);
      }
    },
  }));
}

function findObjects(all: ObjectChange[], findings: Findings, { model }: ObjectsContext): Lookup[] {
  const keys = all.flatMap(({ type, columns }) =>
    type.scalars.filter(({ isObjectKey }) => isObjectKey).map(({ column }) => Number(columns.get(column) ?? 0)),
  );
  if (keys.length === 0) return [];
  return [
    {
      statement: selectObjects(model, keys),
      store: (rows) => {
        findings.objects = new Set(rows.map(({ key }) => Number(key)));
      },
    },
  ];
}

function takeKeys(all: ObjectChange[], findings: Findings, { placeholderKeys }: ObjectsContext): Lookup[] {
  const count = all.filter(({ key }) => key === undefined).length;
  if (placeholderKeys) findings.newKeys = placeholderKeys(count);
  if (placeholderKeys || count === 0) return [];
  return [
    {
      statement: nextKeys(count),
      store: (rows) => {
        findings.newKeys = rows.map(({ key }) => Number(key));
      },
    },
  ];
}
