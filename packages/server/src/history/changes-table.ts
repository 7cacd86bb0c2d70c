// All SQL of the list of changes. Each statement reads a bounded number of rows, however many there are.

import { numberArray } from '../database/array-parameter.ts';
import type { Statement } from '../database/database.ts';
import type { Operation } from '../events/change-event.ts';
import { type EventRow, eventColumns } from '../events/event-table.ts';

/** How many events are examined for one page, if not all of them belong to it. */
const examinedMax = 10_000;

/** How many of them at least for each type or object. */
const examinedMin = 200;

/** Where the events are found: each kind has an index. */
export type Source =
  | { kind: 'all' }
  | { kind: 'types'; names: readonly string[] }
  | { kind: 'objects'; keys: readonly number[] };

export interface WantedChanges {
  source: Source;
  /** Of the changed object; null: any. */
  objectType: string | null;
  operation: Operation | null;
  /** The object, or the type, that has the changed object in its hierarchy, or is the changed object. */
  root: Root | null;
  /** Only events with a lower id. */
  before: number | null;
  limit: number;
}

export interface Root {
  type: string;
  /** Null: any object of the type. */
  key: number | null;
}

export interface ChangesFound {
  /** Newest first, one more than the limit if there are more. */
  ids: string[];
  /** The events below this id were not all examined. 0: all were. */
  examined_from: string;
}

/** Returns one `ChangesFound`. */
export function selectChangeIds({ source, objectType, operation, root, before, limit }: WantedChanges): Statement {
  const values: unknown[] = [];
  const place = (value: unknown, type: string) => `$${values.push(value)}::${type}`;
  const conditions = [
    ...(objectType === null ? [] : [`e.object_type = ${place(objectType, 'text')}`]),
    ...(operation === null ? [] : [`e.operation = ${place(operation, 'text')}`]),
    ...(root === null ? [] : [isBelow(root, place)]),
  ];
  const perPart = place(conditions.length === 0 ? limit + 1 : examinedPerPart(source), 'int');
  const isBefore = `e.id < ${place(before ?? Number.MAX_SAFE_INTEGER, 'bigint')}`;
  const newest = (isOfPart: string) =>
    `select e.id, ${conditions.join(' and ') || 'true'} as is_wanted from flaghoist_system.event e
    where ${isOfPart}${isBefore} order by e.id desc limit ${perPart}`;
  return {
    text: `with examined as materialized (
  ${examined(source, newest, place)}),
bound as materialized (select coalesce(max(p.lowest), 0) as id
  from (select min(x.id) as lowest from examined x group by x.part having count(*) >= ${perPart}) p)
select array(select x.id::text from (select distinct x.id from examined x where x.is_wanted) x
    where x.id >= (select id from bound) order by x.id desc limit ${place(limit + 1, 'int')}) as ids,
  (select id::text from bound) as examined_from`,
    values,
  };
}

type Place = (value: unknown, type: string) => string;

/** The newest events of each part. `newest`: those that meet a condition, if one is given. */
function examined(source: Source, newest: (isOfPart: string) => string, place: Place): string {
  const parts = (values: string, column: string) =>
    `select p.part::text, e.* from unnest(${values}) as p (part) cross join lateral (
    ${newest(`${column} = p.part and `)}) e`;
  switch (source.kind) {
    case 'all':
      return `select '' as part, e.* from (${newest('')}) e`;
    case 'types':
      return parts(place(source.names, 'text[]'), 'e.object_type');
    case 'objects':
      return parts(place(numberArray(source.keys), 'bigint[]'), 'e.object_key');
  }
}

function examinedPerPart(source: Source): number {
  const parts = source.kind === 'all' ? 1 : source.kind === 'types' ? source.names.length : source.keys.length;
  return Math.max(examinedMin, Math.floor(examinedMax / Math.max(1, parts)));
}

/** With `@>`, a JSON array contains every array of some of its elements, and the empty array. */
function isBelow({ type, key }: Root, place: Place): string {
  const roots = place(JSON.stringify({ [type]: key === null ? [] : [key] }), 'jsonb');
  const isRoot = `e.object_type = ${place(type, 'text')}${key === null ? '' : ` and e.object_key = ${place(key, 'bigint')}`}`;
  return `((${isRoot}) or e.roots_before @> ${roots} or e.roots_after @> ${roots})`;
}

export interface ChangeRow extends EventRow {
  client: string | null;
}

/** Newest first. Omits the oldest if the objects together are too large, but never the first. */
export function selectChanges(ids: readonly number[], rowBytesMax: number): Statement {
  const bytes = (image: string) => `coalesce(octet_length(e.${image}::text), 0)`;
  return {
    text: `select ${eventColumns}, null as snapshot, false as is_repeated, e.client
from (select e.*, row_number() over (order by e.id desc) as no,
    sum(${bytes('old_row')} + ${bytes('new_row')}) over (order by e.id desc) as bytes
  from flaghoist_system.event e where e.id = any($1::bigint[])) e
where e.no = 1 or e.bytes <= $2::bigint order by e.id desc`,
    values: [numberArray(ids), rowBytesMax],
  };
}

export interface NotificationsCounted {
  event_id: string;
  count: number;
}

/** `userKey` null: of all users. */
export function countNotifications(ids: readonly number[], userKey: number | null, countedMax: number): Statement {
  return {
    text: `select w.id::text as event_id, (select count(*) from (
  select from flaghoist_service.webhook_notification n
  where n.sequence = w.id and ($2::bigint is null or n."user" = $2::bigint) limit $3::int) n)::int as count
from unnest($1::bigint[]) as w (id)`,
    values: [numberArray(ids), userKey, countedMax],
  };
}
