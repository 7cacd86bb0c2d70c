// The SQL that finds what rows were like in a state, from the events that the state does not include.

import { numberArray, textArray } from '../database/array-parameter.ts';
import type { Statement } from '../database/database.ts';
import type { EventState } from './event-state.ts';

export interface StateAndKey {
  state: EventState;
  key: number;
}

export interface PastRowFound {
  /** Position in the list of what was wanted, from 1. */
  no: number;
  object_type: string;
  object_key: string;
  /** Null: the object did not exist. */
  row: string | null;
}

/**
 * For each state and object: the old row of the first event that the state does not include; no row if it includes all
 * of them.
 */
export function selectPast(wanted: readonly StateAndKey[]): Statement {
  return {
    text: `select w.no::int as no, w."key"::text as object_key, e.object_type, e.old_row::text as "row"
from ${wantedRows} cross join lateral ${firstExcluded('w."key"')} e`,
    values: valuesOf(wanted),
  };
}

/** The same for the objects that have left an owner in events that the state does not include. */
export function selectLeft(wanted: readonly StateAndKey[]): Statement {
  return {
    text: `select w.no::int as no, l.object_key::text as object_key, e.object_type, e.old_row::text as "row"
from ${wantedRows} cross join lateral (
  select distinct l.object_key from flaghoist_system.event l
  where l.owner_key = w."key" and l.transaction_id >= coalesce(pg_snapshot_xmin(w.snapshot), w.own)
    and ${isExcluded('l')} offset 0) l
cross join lateral ${firstExcluded('l.object_key')} e`,
    values: valuesOf(wanted),
  };
}

/**
 * Events of one object are in the order of their commits. So the state includes the first ones up to some id, and none
 * after it. The search begins at the event of the state, which is close to that id, and goes back to an event that the
 * state includes; then forward to the first that it does not include. Lateral joins force index lookups, whatever table
 * size the planner assumes.
 */
function firstExcluded(key: string): string {
  return `(
  select e.object_type, e.old_row from flaghoist_system.event e
  where e.object_key = ${key} and ${isExcluded('e')} and e.id > coalesce((
    select v.id from flaghoist_system.event v
    where v.object_key = ${key} and v.id <= w.event_id and not ${isExcluded('v')} order by v.id desc limit 1), 0)
  order by e.id limit 1)`;
}

const wantedRows = `(
  select w."key", w.event_id, w.snapshot::pg_snapshot as snapshot, w.own::xid8 as own, w.includes_own, w.no
  from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::boolean[])
    with ordinality as w ("key", event_id, snapshot, own, includes_own, no) offset 0) w`;

/** Whether a state does not include an event. Events of an earlier server are included, whatever their numbers say. */
function isExcluded(event: string): string {
  return `case when ${event}.id <= (select last_event_id from flaghoist_system.earlier_server) then false
    when ${event}.transaction_id = w.own then not w.includes_own
    else not coalesce(pg_visible_in_snapshot(${event}.transaction_id, w.snapshot), true) end`;
}

function valuesOf(wanted: readonly StateAndKey[]): unknown[] {
  return [
    numberArray(wanted.map(({ key }) => key)),
    numberArray(wanted.map(({ state: { event } }) => event.id)),
    textArray(wanted.map(({ state: { event } }) => event.snapshot?.text ?? null)),
    numberArray(wanted.map(({ state: { event } }) => event.transactionId)),
    `{${wanted.map(({ state }) => state.side === 'after').join(',')}}`,
  ];
}
