// All SQL of the history check: whether events and objects agree. Run it when there are no writes.

import type { Client } from 'pg';
import { tableOf } from '../../packages/server/src/database/tables/identifiers.ts';
import type { Model, ObjectType } from '../../packages/server/src/model/object-type.ts';
import type { Finding } from '../finding.ts';
import type { FoundHistory } from './change-ledger.ts';

/** The event of a mark is the one whose new row has the mark and whose old row has not. */
export async function selectHistory(client: Client): Promise<FoundHistory> {
  const marks = await client.query<{ mark: string; count: string }>(`
    select new_row ->> 'external_object_key' as mark, count(*) from flaghoist_system.event
    where new_row ->> 'external_object_key' is not null
      and (operation = 'C' or old_row ->> 'external_object_key' is distinct from new_row ->> 'external_object_key')
    group by 1`);
  const deleted = await client.query<{ key: string }>(
    `select object_key as key from flaghoist_system.event where operation = 'D'`,
  );
  return {
    marks: new Map(marks.rows.map(({ mark, count }) => [mark, Number(count)])),
    deletedKeys: new Set(deleted.rows.map(({ key }) => Number(key))),
  };
}

/** No event without its change, and no change without its event. */
export async function findBrokenHistories(client: Client, model: Model): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const type of model.types.values()) {
    if (!type.makesEvents) continue;
    const { rows } = await client.query<{ key: string; id: string | null; problem: string }>(brokenSql(type), [
      type.name,
    ]);
    findings.push(
      ...rows.map(({ key, id, problem }) => ({
        kind: 'broken history' as const,
        text: `${type.name} ${key}, event ${id ?? 'none'}: ${problem}`,
      })),
    );
  }
  return findings;
}

export async function countEventsAndObjects(
  client: Client,
  model: Model,
): Promise<{ events: number; objects: number }> {
  const tables = [...model.types.values()].filter(({ makesEvents }) => makesEvents).map(tableOf);
  const objects = tables.map((table) => `(select count(*) from ${table})`).join(' + ');
  const { rows } = await client.query<{ events: string; objects: string }>(
    `select (select count(*) from flaghoist_system.event) as events, ${objects} as objects`,
  );
  return { events: Number(rows[0]!.events), objects: Number(rows[0]!.objects) };
}

export async function selectVersion(client: Client): Promise<string> {
  const { rows } = await client.query<{ server_version: string }>('show server_version');
  return rows[0]!.server_version;
}

/**
 * The events of a key must be C, U, …, D: the old row of each is the new row of the one before, and the last new row is
 * the current row. Events of one key are numbered in the order of the changes, because a row is locked from its change
 * to the commit.
 */
function brokenSql(type: ObjectType): string {
  return `
  with history as (
    select object_key, id, operation, old_row::jsonb, new_row::jsonb, lag(operation) over of_key as operation_before,
      lag(new_row::jsonb) over of_key as row_before, lead(id) over of_key is null as is_last
    from flaghoist_system.event where object_type = $1
    window of_key as (partition by object_key order by id)
  ), problems as (
    select object_key as key, id, case
        when operation = 'C' and operation_before is not null then 'created although it was there before'
        when operation <> 'C' and coalesce(operation_before, 'D') = 'D' then 'changed although it was not there'
        when operation <> 'C' and old_row is distinct
          from row_before then 'does not begin where the event before it ended'
      end as problem
    from history
    union all
    select coalesce(h.object_key, t.key), h.id, case
        when h.id is null then 'an object without an event'
        when h.operation = 'D' and t.key is not null then 'deleted, but still there'
        when h.operation <> 'D' and t.key is null then 'gone without an event'
        when h.operation <> 'D' and h.new_row is distinct
          from to_jsonb(t) then 'the object is not as its last event has it'
      end
    from (select * from history where is_last) h full join ${tableOf(type)} t on t.key = h.object_key
  )
  select key, id, problem from problems where problem is not null order by key limit 20`;
}
