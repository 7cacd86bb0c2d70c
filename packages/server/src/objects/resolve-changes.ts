// Resolves changes with the results of the lookup: references become keys, elements get their owners, and elements
// that were left out are removed. Pure. Returns the rows to write, and the mistakes that the lookup revealed.

import { quoteText } from '@flaghoist/source-text';
import type { Violation } from '../errors.ts';
import { type JsonObject, NumberLiteral } from '../json/parse-json.ts';
import type { CollectionAttribute, ObjectType } from '../model/object-type.ts';
import type { StoredValue } from './check-scalar.ts';
import { cannotBeChanged, compareSentBack } from './compare-sent-back.ts';
import { type Findings, keyOfTarget } from './look-up.ts';
import type { CollectionChange, ObjectChange, ReferenceChange } from './object-change.ts';

export interface Rows {
  removed: { collection: CollectionAttribute; keys: number[] }[];
  updated: UpdatedRow[];
  inserted: Map<ObjectType, Map<string, StoredValue>[]>;
  /** Existing elements whose new owner is one of the inserted rows. */
  attached: UpdatedRow[];
  /** The key of each requested change, in order. */
  keys: number[];
}

export interface UpdatedRow {
  type: ObjectType;
  key: number;
  columns: Map<string, StoredValue>;
}

export function resolveChanges(changes: ObjectChange[], findings: Findings): { rows: Rows; violations: Violation[] } {
  const rows: Rows = { removed: [], updated: [], inserted: new Map(), attached: [], keys: [] };
  const violations: Violation[] = [];
  const freshKeys = findings.newKeys.values();
  const resolution: Resolution = {
    findings,
    violations,
    rows,
    taken: new Map(),
    freshKey: () => freshKeys.next().value!,
  };
  rows.keys = changes.map((change) => resolveChange(change, resolution));
  return { rows, violations };
}

interface Resolution {
  findings: Findings;
  violations: Violation[];
  rows: Rows;
  /** Element → its new owner, for elements that had no owner. An element can be taken once in a request. */
  taken: Map<number, number>;
  freshKey: () => number;
}

/** The object that contains an element. */
interface Owner {
  collection: CollectionAttribute;
  key: number;
  isNew: boolean;
}

function resolveChange(change: ObjectChange, resolution: Resolution, owner?: Owner): number {
  const { type } = change;
  // A copy, because the same change is resolved again after a deadlock.
  const columns = new Map(change.columns);
  const key = change.key ?? resolution.freshKey();
  resolution.violations.push(...compareSentBack(change, resolution.findings.current));
  for (const reference of change.references) resolveReference(change, reference, columns, resolution);
  checkObjectKeys(change, resolution);
  checkExpected(change, resolution);
  if (owner) resolveOwner(change, columns, owner, resolution);
  if (change.key === undefined) {
    const rows = resolution.rows.inserted.get(type) ?? [];
    resolution.rows.inserted.set(type, rows);
    rows.push(new Map<string, StoredValue>([['key', String(key)], ...columns]));
  } else if (columns.size > 0) {
    const rows = owner?.isNew ? resolution.rows.attached : resolution.rows.updated;
    rows.push({ type, key, columns });
  }
  for (const collection of change.collections) resolveCollection(collection, change, key, resolution);
  return key;
}

function resolveReference(
  change: ObjectChange,
  reference: ReferenceChange,
  columns: Map<string, StoredValue>,
  { findings, violations }: Resolution,
): void {
  const { attribute, path, target, sentBack } = reference;
  const key = keyOfTarget(reference, findings);
  const isFixed = change.key !== undefined && attribute.isFixed;
  // Before the check of existence, whose message would tell the caller which keys exist.
  if (isFixed && !refersTo(findings.current.get(change.key!), attribute.name, key)) {
    violations.push({ path, message: cannotBeChanged });
    return;
  }
  if (key === undefined) {
    const wanted =
      target.kind === 'key' ? `key ${target.key}` : `${attribute.target.code?.name} ${quoteText(target.code)}`;
    violations.push({ path, message: `there is no ${attribute.target.name} with ${wanted}.` });
    return;
  }
  violations.push(...compareSentBack({ type: attribute.target, key, sentBack }, findings.current));
  if (!isFixed) columns.set(attribute.column, String(key));
}

/** True if the object does not exist, because that is reported elsewhere. */
function refersTo(object: JsonObject | undefined, name: string, key: number | undefined): boolean {
  const reference = object?.get(name);
  const has = reference instanceof Map ? reference.get('key') : undefined;
  return object === undefined || (has instanceof NumberLiteral && Number(has.text) === key);
}

function checkObjectKeys({ type, path, columns }: ObjectChange, { findings, violations }: Resolution): void {
  for (const { name, column, isObjectKey } of type.scalars) {
    const key = isObjectKey ? columns.get(column) : undefined;
    if (!key || findings.objects.has(Number(key))) continue;
    violations.push({ path: path === '' ? name : `${path}.${name}`, message: `there is no object with key ${key}.` });
  }
}

function checkExpected({ expected }: ObjectChange, { findings, violations }: Resolution): void {
  for (const { type, key, path } of expected)
    if (!findings.targets.get(type)?.keys.has(key))
      violations.push({ path, message: `there is no ${type.name} with key ${key}.` });
}

/** An element may name its owner, as long as the owner is the object that contains the element. */
function resolveOwner(
  { key, path }: ObjectChange,
  columns: Map<string, StoredValue>,
  { collection, key: ownerKey }: Owner,
  { findings, violations, taken }: Resolution,
): void {
  const named = columns.get(collection.ownerColumn);
  const ownerName = collection.of.owner!.name;
  if (named !== undefined && named !== String(ownerKey)) {
    violations.push({
      path: `${path}.${ownerName}`,
      message: 'must be the object that contains this element; leave it out.',
    });
  }
  columns.delete(collection.ownerColumn);
  if (key === undefined) {
    columns.set(collection.ownerColumn, String(ownerKey));
    return;
  }
  const currentOwner = taken.get(key) ?? findings.members.get(collection)?.get(key);
  if (currentOwner === ownerKey) return;
  if (currentOwner === null) {
    columns.set(collection.ownerColumn, String(ownerKey));
    taken.set(key, ownerKey);
  } else {
    const message =
      currentOwner === undefined
        ? `there is no ${collection.of.name} with key ${key}.`
        : `${collection.of.name} ${key} belongs to another object.`;
    violations.push({ path: `${path}.key`, message });
  }
}

function resolveCollection(
  { attribute, elements }: CollectionChange,
  change: ObjectChange,
  ownerKey: number,
  resolution: Resolution,
): void {
  const kept = new Set(elements.map(({ key }) => key));
  const members = change.key === undefined ? [] : [...(resolution.findings.members.get(attribute) ?? [])];
  const keys = members.filter(([key, owner]) => owner === ownerKey && !kept.has(key)).map(([key]) => key);
  if (keys.length > 0) resolution.rows.removed.push({ collection: attribute, keys });
  const owner = { collection: attribute, key: ownerKey, isNew: change.key === undefined };
  for (const element of elements) resolveChange(element, resolution, owner);
}
