// The triggers that write an event for every changed row, in the same transaction and for every writer. At COMMIT,
// `queue_events` (migrations/0003-events.sql) queues the events to be matched.
//
// There is one trigger per operation. New and deleted rows are handled per statement (one insert for 10,000 rows).
// Updated rows are handled one by one, because only then are the old and the new row paired without a search.

import { type RootPath, rootPaths } from '../../model/hierarchy.ts';
import type { Model, ObjectType, ReferenceAttribute } from '../../model/object-type.ts';
import { createTrigger } from './create-trigger.ts';
import { quoteLiteral, quoteName, systemSchema, tableOf } from './identifiers.ts';

/**
 * `current_roots(object_type, image)`: the roots of a row, given as its image in an event, as the tables are now. Null
 * for an object in no hierarchy.
 */
export function currentRoots(model: Model): string[] {
  const types = [...model.types.values()].filter(({ makesEvents }) => makesEvents);
  const branches = types.flatMap((type) => {
    const paths = rootPaths(model, type);
    if (paths.length === 0) return [];
    const row = `json_populate_record(null::${tableOf(type)}, image) ${newRow}`;
    const roots = `select ${rootsOf(paths, newRow, type.owner)} from ${row}`;
    return `    when ${quoteLiteral(type.name)} then return (${roots});\n`;
  });
  const head = `${systemSchema}.current_roots(object_type text, image json)`;
  const cases = branches.length > 0 ? `  case object_type\n${branches.join('')}    else null;\n  end case;\n` : '';
  return [
    `create or replace function ${head} returns jsonb language plpgsql stable strict as $body$
begin
${cases}  return null;
end $body$`,
  ];
}

export function eventTriggers(model: Model, type: ObjectType): string[] {
  const paths = rootPaths(model, type);
  const forStatement = (table: string) => `referencing ${table} for each statement`;
  return [
    ...eventTrigger(type, 'insert', forStatement('new table as new_rows'), insertBody(type, paths)),
    ...eventTrigger(type, 'update', 'for each row', updateBody(type, paths)),
    ...eventTrigger(type, 'delete', forStatement('old table as old_rows'), deleteBody(type, paths)),
  ];
}

function eventTrigger(type: ObjectType, operation: string, manner: string, body: string): string[] {
  const head = `create trigger event_on_${operation} after ${operation} on ${tableOf(type)} ${manner}`;
  return createTrigger(type, `${operation}_event`, `${body}\n  return null;`, head);
}

/** No attribute name contains a space, so `row_to_json` can only mean the row. */
const [newRow, oldRow] = ['"new row"', '"old row"'];

const actor = `${systemSchema}.acting_user(), left(${systemSchema}.acting_client(), 128)`;

function insertBody(type: ObjectType, paths: RootPath[]): string {
  return `  insert into ${systemSchema}.event (object_type, operation, object_key, new_row, roots_after, user_key,
    client, joined)
  select ${quoteLiteral(type.name)}, 'C', ${newRow}.key, ${rowImage(type, newRow)}, ${rootsOf(paths, newRow)},
    ${actor}, ${joinedOnInsert(type)}
  from new_rows ${newRow};`;
}

/**
 * Runs for actual changes only, because `stamp_change` skips updates that change nothing. A row that may exist without
 * its owner is updated when the owner is deleted; the owner no longer exists then. One statement, so that the roots are
 * those of its snapshot, which is stored with them.
 */
function updateBody(type: ObjectType, paths: RootPath[]): string {
  const owner = type.owner && quoteName(type.owner.column);
  const deletedOwner = type.owner?.isRequired ? undefined : type.owner;
  const ifMoved = (moved: string, otherwise: string) =>
    owner ? `case when old.${owner} is not distinct from new.${owner} then ${otherwise} else ${moved} end` : otherwise;
  return `  insert into ${systemSchema}.event (object_type, operation, object_key, old_row, new_row, roots_before,
    roots_after, user_key, client, owner_key, joined)
  select ${quoteLiteral(type.name)}, 'U', new.key, ${rowImage(type, 'old')}, ${rowImage(type, 'new')},
    ${ifMoved(rootsOf(paths, 'old', deletedOwner), '"roots now".roots')}, "roots now".roots,
    ${actor}, ${ifMoved(`old.${owner}`, 'null::bigint')}, ${joinedOnUpdate(type)}
  from (select ${rootsOf(paths, 'new')} as roots offset 0) "roots now";`;
}

/** Remarks refer to an object of any type without a foreign key, so they are deleted here. */
function deleteBody(type: ObjectType, paths: RootPath[]): string {
  const remarks = type.attributes.get('remarks');
  const forgetRemarks =
    remarks?.kind === 'collection'
      ? `\n  delete from ${tableOf(remarks.of)} r using old_rows ${oldRow} where r.source = ${oldRow}.key;`
      : '';
  const owner = type.owner ? `${oldRow}.${quoteName(type.owner.column)}` : 'null::bigint';
  return `  insert into ${systemSchema}.event (object_type, operation, object_key, old_row, roots_before, user_key,
    client, owner_key)
  select ${quoteLiteral(type.name)}, 'D', ${oldRow}.key, ${rowImage(type, oldRow)},
    ${rootsOf(paths, oldRow, type.owner)}, ${actor}, ${owner}
  from old_rows ${oldRow};${forgetRemarks}`;
}

function followedBy({ references }: ObjectType): ReferenceAttribute[] {
  return references.filter(({ isFollowed }) => isFollowed);
}

function joinedOnInsert(type: ObjectType): string {
  return joinedOf(followedBy(type).map(({ column }) => `${newRow}.${quoteName(column)}`));
}

function joinedOnUpdate(type: ObjectType): string {
  const ifNew = ({ column }: ReferenceAttribute, joined: string) =>
    `case when old.${quoteName(column)} is distinct from new.${quoteName(column)} then ${joined} end`;
  const moved = type.owner ? [ifNew(type.owner, 'new.key')] : [];
  return joinedOf([...moved, ...followedBy(type).map((each) => ifNew(each, `new.${quoteName(each.column)}`))]);
}

/** `keys`: SQL, each of which may be null. */
function joinedOf(keys: readonly string[]): string {
  if (keys.length === 0) return 'null::bigint[]';
  return `nullif(array_remove(array[${keys.join(', ')}]::bigint[], null), '{}')`;
}

/** Omits files, which are too large, and hidden columns, which are secret. */
function rowImage(type: ObjectType, alias: string): string {
  const left = [...type.scalars.filter(({ kind }) => kind === 'binary'), ...type.hidden];
  // Leaving out columns requires `to_jsonb`, which costs half as much again.
  if (left.length === 0) return `row_to_json(${alias})`;
  return `(to_jsonb(${alias})${left.map(({ column }) => ` - ${quoteLiteral(column)}`).join('')})::json`;
}

/**
 * `{"Voyage": [1042], "BunkerOrder": [1101, 1102]}`, or null for an object in no hierarchy. `deletedOwner`: the
 * reference to an owner that this transaction may have deleted already.
 */
function rootsOf(paths: RootPath[], alias: string, deletedOwner?: ReferenceAttribute): string {
  const roots = new Set(paths.map(({ root }) => root));
  if (roots.size === 0) return 'null::jsonb';
  const members = [...roots].map((root) => {
    const keys = paths.filter((path) => path.root === root).map((path) => keysAlong(path, alias));
    if (deletedOwner) keys.push(keysOfDeletedOwner(deletedOwner.column, root, alias));
    const aggregated = `select jsonb_agg(distinct k) from (${keys.join(' union all ')}) as keys(k)`;
    return `jsonb_strip_nulls(jsonb_build_object(${quoteLiteral(root.name)}, (${aggregated})))`;
  });
  return members.join(' || ');
}

function keysAlong(path: RootPath, alias: string): string {
  const joins: string[] = [];
  const conditions: string[] = [];
  let row: string | undefined = alias;
  let key = `${alias}.key`;
  path.steps.forEach((step, index) => {
    const joined = `s${index}`;
    if (step.kind === 'back') {
      joins.push(`${tableOf(step.from)} ${joined}`);
      conditions.push(`${joined}.${quoteName(step.reference.column)} = ${key}`);
      row = joined;
      key = `${joined}.key`;
      return;
    }
    const table = previousType(path, index);
    if (row === undefined && table) {
      joins.push(`${tableOf(table)} ${joined}`);
      conditions.push(`${joined}.key = ${key}`);
      row = joined;
    }
    key = `${row}.${quoteName(step.reference.column)}`;
    row = undefined;
  });
  conditions.push(`${key} is not null`);
  return `select ${key}${joins.length > 0 ? ` from ${joins.join(', ')}` : ''} where ${conditions.join(' and ')}`;
}

/** The type at the start of step `index`; undefined for the first step. */
function previousType(path: RootPath, index: number): ObjectType | undefined {
  const before = path.steps[index - 1];
  return before?.kind === 'up' ? before.reference.target : before?.from;
}

/** A cascade deletes owners first. A deleted owner has left its roots in its delete event of this transaction. */
function keysOfDeletedOwner(ownerColumn: string, root: ObjectType, alias: string): string {
  return (
    `select jsonb_array_elements_text(e.roots_before -> ${quoteLiteral(root.name)})::bigint ` +
    `from ${systemSchema}.event e where e.operation = 'D' and e.object_key = ${alias}.${quoteName(ownerColumn)} ` +
    'and e.transaction_id = pg_current_xact_id()'
  );
}
