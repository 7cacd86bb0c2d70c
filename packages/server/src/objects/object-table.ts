// All SQL that writes objects, one statement per function. The statements in `query/` read them.

import type { Statement } from '../database/database.ts';
import { objectsSchema, quoteName, tableOf } from '../database/tables/identifiers.ts';
import { columnType, storedAttributes } from '../database/tables/object-table-ddl.ts';
import type { CollectionAttribute, Model, ObjectType, ReferenceAttribute } from '../model/object-type.ts';
import type { StoredValue } from './check-scalar.ts';

export function nextKeys(count: number): Statement {
  return { text: `select nextval('${objectsSchema}.object_key') as key from generate_series(1, $1)`, values: [count] };
}

/** Inserts all rows of one type by one statement, so that the event trigger fires once for all of them. */
export function insertObjects(type: ObjectType, rows: Map<string, StoredValue>[]): Statement {
  const written = new Set(rows.flatMap((row) => [...row.keys()]));
  const columns = storedAttributes(type).filter(({ column }) => written.has(column));
  const names = columns.map(({ column }) => quoteName(column));
  // `json_to_recordset` would turn a text into a jsonb string. JSON is therefore read as text, and the cast parses it.
  const shape = columns.map(
    (attribute, index) => `${names[index]} ${attribute.kind === 'json' ? 'text' : columnType(attribute)}`,
  );
  const given = columns.map(({ kind }, index) => (kind === 'json' ? `${names[index]}::jsonb` : names[index]));
  return {
    text:
      `insert into ${tableOf(type)} (${names.join(', ')}) select ${given.join(', ')} from ` +
      `json_to_recordset($1::json) as given(${shape.join(', ')})`,
    values: [JSON.stringify(rows.map((row) => Object.fromEntries(row)))],
  };
}

/** Takes a key, for the statements of the same transaction that use `newKey`. */
export const takeNewKey: Statement = {
  text: `select set_config('flaghoist.new_key', nextval('${objectsSchema}.object_key')::text, true) as key`,
};

/** SQL. */
export const newKey = "current_setting('flaghoist.new_key')::bigint";

/** Inserts one object with the key of `takeNewKey`. */
export function insertObject(type: ObjectType, columns: ReadonlyMap<string, StoredValue>): Statement {
  const given = storedAttributes(type).filter(({ column }) => columns.has(column));
  const names = given.map(({ column }) => `, ${quoteName(column)}`).join('');
  const values = given.map((attribute, index) => `, $${index + 1}::${columnType(attribute)}`).join('');
  return {
    text: `insert into ${tableOf(type)} ("key"${names}) values (${newKey}${values})`,
    values: given.map(({ column }) => columns.get(column)),
  };
}

export function updateObject(type: ObjectType, key: number, columns: Map<string, StoredValue>): Statement {
  const changed = storedAttributes(type).filter(({ column }) => columns.has(column));
  const settings = changed.map(
    (attribute, index) => `${quoteName(attribute.column)} = $${index + 2}::${columnType(attribute)}`,
  );
  return {
    text: `update ${tableOf(type)} set ${settings.join(', ')} where key = $1`,
    values: [key, ...changed.map(({ column }) => columns.get(column))],
  };
}

export function deleteObjects(type: ObjectType, keys: number[]): Statement {
  return { text: `delete from ${tableOf(type)} where key = any($1::bigint[]) returning key`, values: [keys] };
}

export function detachObjects({ of, ownerColumn }: CollectionAttribute, keys: number[]): Statement {
  return {
    text: `update ${tableOf(of)} set ${quoteName(ownerColumn)} = null where key = any($1::bigint[])`,
    values: [keys],
  };
}

/** `delete`: nothing else can start to refer to the object, so no sub-object can be added either. */
export type LockFor = 'change' | 'delete';

const lockClauses: Record<LockFor, string> = { change: 'for no key update', delete: 'for update' };

export interface ObjectLock {
  lockFor: LockFor;
  onlyUser?: number | undefined;
  /** Columns to read as text, under the lock. */
  columns?: readonly string[];
}

/** The object cannot change until COMMIT. The members of its collections are locked by `selectMembers`. */
export function lockObject(type: ObjectType, key: number, { lockFor, onlyUser, columns = [] }: ObjectLock): Statement {
  const read = columns.map((column) => `, ${quoteName(column)}::text as ${quoteName(column)}`).join('');
  const from = `select key${read} from ${tableOf(type)} where key = $1`;
  const lock = lockClauses[lockFor];
  if (onlyUser === undefined) return { text: `${from} ${lock}`, values: [key] };
  return { text: `${from} and ${quoteName(type.ownedBy!.column)} = $2 ${lock}`, values: [key, onlyUser] };
}

export function lockInOrder(type: ObjectType, keys: number[]): Statement {
  return {
    text: `select key from ${tableOf(type)} where key = any($1::bigint[]) order by key for no key update`,
    values: [keys],
  };
}

/**
 * Locks the object with all levels of its sub-objects, owners first. Nothing can join the tree until COMMIT: the
 * foreign key of a new sub-object takes `for key share` on its owner, and only `for update` conflicts with that. Each
 * statement takes its own snapshot after the owners above it are locked, so it finds all members of the tree.
 */
export function lockTree(type: ObjectType, key: number, lockFor: LockFor): Statement[] {
  const strengthOf = (locked: ObjectType): LockFor => (ownedCollections(locked).length > 0 ? 'delete' : lockFor);
  const below = (owner: ObjectType, keys: string): Statement[] =>
    ownedCollections(owner).flatMap(({ of, ownerColumn }) => {
      const members = `select key from ${tableOf(of)} where ${quoteName(ownerColumn)} in (${keys})`;
      return [{ text: `${members} order by key ${lockClauses[strengthOf(of)]}`, values: [key] }, ...below(of, members)];
    });
  return [lockObject(type, key, { lockFor: strengthOf(type) }), ...below(type, 'select $1::bigint')];
}

function ownedCollections({ collections }: ObjectType): CollectionAttribute[] {
  return collections.filter(({ isOwned }) => isOwned);
}

/** The current members of this collection for the given owners, and the owners of the given elements. */
export function selectMembers(
  { of, ownerColumn }: CollectionAttribute,
  ownerKeys: number[],
  elementKeys: number[],
): Statement {
  const owner = quoteName(ownerColumn);
  return {
    text:
      `select key, ${owner} as owner from ${tableOf(of)} where ${owner} = any($1::bigint[]) or key = ` +
      'any($2::bigint[]) order by key for update',
    values: [ownerKeys, elementKeys],
  };
}

/** Which of these keys and codes exist. */
export function selectTargets(type: ObjectType, keys: number[], codes: string[], onlyUser?: number): Statement {
  if (onlyUser !== undefined) return selectOwnTargets(type, keys, onlyUser);
  if (!type.code)
    return { text: `select key, null as code from ${tableOf(type)} where key = any($1::bigint[])`, values: [keys] };
  const code = quoteName(type.code.column);
  return {
    text:
      `select key, ${code}::text as code from ${tableOf(type)} where key = any($1::bigint[]) or ${code} = ` +
      'any($2::text[])',
    values: [keys, codes],
  };
}

/** The same for the objects of one user: a caller cannot refer to an object that it cannot see. These have no codes. */
function selectOwnTargets(type: ObjectType, keys: number[], user: number): Statement {
  const ownedBy = quoteName(type.ownedBy!.column);
  return {
    text: `select key, null as code from ${tableOf(type)} where key = any($1::bigint[]) and ${ownedBy} = $2`,
    values: [keys, user],
  };
}

/** The edition of a user, which also applies to the objects of that user. */
export function selectEdition(type: ObjectType, userKey: number): Statement {
  return { text: `select edition from ${tableOf(type)} where key = $1::bigint`, values: [userKey] };
}

/** Which of these keys belong to an object of any type that makes events. Remarks are about such objects. */
export function selectObjects(model: Model, keys: number[]): Statement {
  const types = [...model.types.values()].filter(({ makesEvents }) => makesEvents);
  const selects = types.map((type) => `select key from ${tableOf(type)} where key = any($1::bigint[])`);
  return { text: selects.join(' union all '), values: [keys] };
}

/** Some of the objects that refer to this object, for the message that says why it cannot be deleted. */
export function selectReferrers(type: ObjectType, reference: ReferenceAttribute, key: number): Statement {
  return {
    text: `select key from ${tableOf(type)} where ${quoteName(reference.column)} = $1 order by key limit 5`,
    values: [key],
  };
}
