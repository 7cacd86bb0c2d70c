// Brings a change together with what the database says: references become keys, elements find their owners, what was left
// out is to be removed. Pure: gives the rows to write, and the mistakes that only the database could show.

import type { Violation } from '../errors.ts';
import { type JsonObject, NumberLiteral } from '../json/parse-json.ts';
import { quoteText } from '../json/printable.ts';
import type { CollectionAttribute, ObjectType } from '../model/object-type.ts';
import type { StoredValue } from './check-scalar.ts';
import { compareEchoes, staysAsItIs } from './compare-echoes.ts';
import type { Findings } from './look-up.ts';
import type { CollectionChange, ObjectChange, ReferenceChange } from './object-change.ts';

export interface Rows {
  removed: { collection: CollectionAttribute; keys: number[] }[];
  updated: UpdatedRow[];
  inserted: Map<ObjectType, Map<string, StoredValue>[]>;
  /** What was there before its owner, which is one of the inserted. */
  attached: UpdatedRow[];
  /** The key of each change that was asked for, in order. */
  keys: number[];
}

export interface UpdatedRow {
  type: ObjectType;
  key: number;
  columns: Map<string, StoredValue>;
}

export function settleChanges(changes: ObjectChange[], findings: Findings): { rows: Rows; violations: Violation[] } {
  const rows: Rows = { removed: [], updated: [], inserted: new Map(), attached: [], keys: [] };
  const violations: Violation[] = [];
  const freshKeys = findings.newKeys.values();
  const settling: Settling = { findings, violations, rows, taken: new Map(), freshKey: () => freshKeys.next().value! };
  rows.keys = changes.map((change) => settle(change, settling));
  return { rows, violations };
}

interface Settling {
  findings: Findings;
  violations: Violation[];
  rows: Rows;
  /** Elements without an owner that an object of this request has taken: another one comes too late. */
  taken: Map<number, number>;
  freshKey: () => number;
}

/** The object that an element stands in. */
interface Owner {
  collection: CollectionAttribute;
  key: number;
  isNew: boolean;
}

function settle(change: ObjectChange, settling: Settling, owner?: Owner): number {
  const { type } = change;
  // A copy: after a deadlock the same change is settled again.
  const columns = new Map(change.columns);
  const key = change.key ?? settling.freshKey();
  settling.violations.push(...compareEchoes(change, settling.findings.present));
  for (const reference of change.references) settleReference(change, reference, columns, settling);
  checkObjectKeys(change, settling);
  checkExpected(change, settling);
  if (owner) settleOwner(change, columns, owner, settling);
  if (change.key === undefined) {
    const rows = settling.rows.inserted.get(type) ?? [];
    settling.rows.inserted.set(type, rows);
    rows.push(new Map<string, StoredValue>([['key', String(key)], ...columns]));
  } else if (columns.size > 0) {
    const rows = owner?.isNew ? settling.rows.attached : settling.rows.updated;
    rows.push({ type, key, columns });
  }
  for (const collection of change.collections) settleCollection(collection, change, key, settling);
  return key;
}

function settleReference(
  change: ObjectChange,
  { attribute, path, target, echoes }: ReferenceChange,
  columns: Map<string, StoredValue>,
  { findings, violations }: Settling,
): void {
  const found = findings.targets.get(attribute.target);
  const key =
    target.kind === 'key' ? (found?.keys.has(target.key) ? target.key : undefined) : found?.codes.get(target.code);
  const isFixed = change.key !== undefined && attribute.isFixed;
  // Whether another one is there is nothing that a caller would have to know.
  if (isFixed && !refersTo(findings.present.get(change.key!), attribute.name, key)) {
    violations.push({ path, message: staysAsItIs });
    return;
  }
  if (key === undefined) {
    const wanted =
      target.kind === 'key' ? `key ${target.key}` : `${attribute.target.code?.name} ${quoteText(target.code)}`;
    violations.push({ path, message: `there is no ${attribute.target.name} with ${wanted}.` });
    return;
  }
  violations.push(...compareEchoes({ type: attribute.target, key, echoes }, findings.present));
  if (!isFixed) columns.set(attribute.column, String(key));
}

/** Where the object is not there, that is told elsewhere. */
function refersTo(object: JsonObject | undefined, name: string, key: number | undefined): boolean {
  const reference = object?.get(name);
  const has = reference instanceof Map ? reference.get('key') : undefined;
  return object === undefined || (has instanceof NumberLiteral && Number(has.text) === key);
}

function checkObjectKeys({ type, path, columns }: ObjectChange, { findings, violations }: Settling): void {
  for (const { name, column, isObjectKey } of type.scalars) {
    const key = isObjectKey ? columns.get(column) : undefined;
    if (!key || findings.objects.has(Number(key))) continue;
    violations.push({ path: path === '' ? name : `${path}.${name}`, message: `there is no object with key ${key}.` });
  }
}

function checkExpected({ expected }: ObjectChange, { findings, violations }: Settling): void {
  for (const { type, key, path } of expected)
    if (!findings.targets.get(type)?.keys.has(key))
      violations.push({ path, message: `there is no ${type.name} with key ${key}.` });
}

/** An element may name its owner, as long as it is the object it stands in. */
function settleOwner(
  { key, path }: ObjectChange,
  columns: Map<string, StoredValue>,
  { collection, key: ownerKey }: Owner,
  { findings, violations, taken }: Settling,
): void {
  const named = columns.get(collection.ownerColumn);
  const ownerName = collection.of.owner!.name;
  if (named !== undefined && named !== String(ownerKey)) {
    violations.push({
      path: `${path}.${ownerName}`,
      message: 'is not the object that this element stands in; leave it out.',
    });
  }
  columns.delete(collection.ownerColumn);
  if (key === undefined) {
    columns.set(collection.ownerColumn, String(ownerKey));
    return;
  }
  const present = taken.get(key) ?? findings.members.get(collection)?.get(key);
  if (present === ownerKey) return;
  if (present === null) {
    columns.set(collection.ownerColumn, String(ownerKey));
    taken.set(key, ownerKey);
  } else {
    const message =
      present === undefined
        ? `there is no ${collection.of.name} with key ${key}.`
        : `${collection.of.name} ${key} belongs to another object.`;
    violations.push({ path: `${path}.key`, message });
  }
}

function settleCollection(
  { attribute, elements }: CollectionChange,
  change: ObjectChange,
  ownerKey: number,
  settling: Settling,
): void {
  const kept = new Set(elements.map(({ key }) => key));
  const members = change.key === undefined ? [] : [...(settling.findings.members.get(attribute) ?? [])];
  const keys = members.filter(([key, owner]) => owner === ownerKey && !kept.has(key)).map(([key]) => key);
  if (keys.length > 0) settling.rows.removed.push({ collection: attribute, keys });
  const owner = { collection: attribute, key: ownerKey, isNew: change.key === undefined };
  for (const element of elements) settle(element, settling, owner);
}
