// All SQL of tests on recent changes: the newest events that event types cover.

import type { Statement } from '../../database/database.ts';
import { eventColumnsWithoutRows } from '../../events/event-table.ts';

/** How many events of each type are scanned for those that are covered. */
const scannedPerType = 2_000;

export interface Coverage {
  /** The types whose events may be covered. */
  changedTypes: readonly string[];
  /** Changes of the subscribed objects themselves: `Voyage.C` or, for one object, `Voyage.C.1042`. */
  changes: readonly string[];
  /** The types whose objects are also updated by a change in their hierarchy. */
  roots: readonly string[];
  /** The same for single objects: `{"Voyage":[1042]}`. */
  rootObjects: readonly string[];
  /** Subscribed objects, whose events are found however old they are. */
  objectKeys: readonly number[];
}

/** Newest first. Of each type, the scan ends as soon as there are enough. */
export function selectCovered(coverage: Coverage, eventsMax: number): Statement {
  const { changedTypes, changes, roots, rootObjects, objectKeys } = coverage;
  return {
    text: `with covered as (
  select recent.id from unnest($1::text[]) as t (object_type) cross join lateral (
    select r.id from (
      select e.id, ${isCovered} as is_covered from flaghoist_system.event e where e.object_type = t.object_type
        order by e.id desc limit $6::int) r
    where r.is_covered order by r.id desc limit $7::int) recent
  union
  select own.id from unnest($5::bigint[]) as k (object_key) cross join lateral (
    select e.id from flaghoist_system.event e where e.object_key = k.object_key
      and e.object_type = any($1::text[]) and ${isCovered} order by e.id desc limit $7::int) own)
select ${eventColumnsWithoutRows} from covered join flaghoist_system.event e on e.id = covered.id
order by e.id desc limit $7::int`,
    values: [changedTypes, changes, roots, rootObjects, objectKeys, scannedPerType, eventsMax],
  };
}

const change = "e.object_type || '.' || e.operation";

const isCovered = `coalesce(${change} = any($2::text[]) or ${change} || '.' || e.object_key = any($2::text[])
    or e.roots_before ?| $3::text[] or e.roots_after ?| $3::text[]
    or e.roots_before @> any($4::jsonb[]) or e.roots_after @> any($4::jsonb[]), false)`;
