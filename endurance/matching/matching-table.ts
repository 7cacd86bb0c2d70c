// All SQL of the matching endurance: the changes, their notifications, and what matching is doing.

import type { Client } from 'pg';
import { advisoryLocks } from '../../packages/server/src/database/advisory-locks.ts';
import type { FoundChange, Operation } from './matching-subscriptions.ts';

export async function selectLastEvent(client: Client): Promise<number> {
  const { rows } = await client.query<{ id: string }>('select coalesce(max(id), 0) as id from flaghoist_system.event');
  return Number(rows[0]!.id);
}

/** The rows before and after. The hierarchies in the event are deliberately not read. */
export async function selectChanges(client: Client, afterId: number): Promise<FoundChange[]> {
  const { rows } = await client.query<Record<string, string | null>>(
    `select id, object_type, operation, object_key, user_key is not null as is_own,
       coalesce(new_row, old_row) ->> 'external_object_key' as mark,
       ${ownerOf('old_row')} as old_owner, ${ownerOf('new_row')} as new_owner
     from flaghoist_system.event where id > $1 order by id`,
    [afterId],
  );
  return rows.map((row) => ({
    id: Number(row.id),
    type: row.object_type!,
    operation: row.operation as Operation,
    key: Number(row.object_key),
    isOwn: Boolean(row.is_own),
    mark: row.mark ?? null,
    owners: [row.old_owner, row.new_owner].flatMap((owner) => (owner == null ? [] : [Number(owner)])),
  }));
}

function ownerOf(row: string): string {
  return `case object_type when 'EventLog' then ${row} ->> 'port_call' when 'PortCall' then ${row} ->> 'voyage'
    when 'BunkerOrderLine' then ${row} ->> 'bunker_order' end`;
}

export interface FoundNotification {
  id: string;
  eventId: number;
  /** `subscription object`. */
  name: string;
}

export async function selectNotifications(client: Client): Promise<FoundNotification[]> {
  const { rows } = await client.query<{ id: string; name: string }>(
    `select id, subscription || ' ' || subscribed_object_key as name from flaghoist_service.webhook_notification`,
  );
  return rows.map(({ id, name }) => ({ id, name, eventId: Number(id.split('-')[0]) }));
}

/** The changed object has the values of that change, and the body names the event. */
export async function selectWrongBodies(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select n.id from flaghoist_service.webhook_notification n
     join flaghoist_system.event e on e.id = split_part(n.id, '-', 1)::bigint
     cross join lateral (select flaghoist_system.body(n.key)::jsonb as whole) b
     cross join lateral (select coalesce(b.whole -> 'resource', b.whole) as resource) r
     where b.whole is null
       or (b.whole ? 'resource' and b.whole ->> 'id' <> n.id)
       or (n.object_key = n.subscribed_object_key and r.resource ? 'externalObjectKey'
         and r.resource ->> 'externalObjectKey' is distinct
           from coalesce(e.new_row, e.old_row) ->> 'external_object_key')
     limit 20`,
  );
  return rows.map(({ id }) => id);
}

export async function countUnmatched(client: Client): Promise<number> {
  const { rows } = await client.query<{ count: string }>('select count(*) from flaghoist_system.unmatched_event');
  return Number(rows[0]!.count);
}

/**
 * Whether a process is in the middle of a batch, which holds the subscriptions lock, and is not running a statement.
 */
export async function selectIsHolding(client: Client, applicationName: string): Promise<boolean> {
  const { rows } = await client.query<{ is_holding: boolean }>(
    `select exists (select from pg_stat_activity a join pg_locks l on l.pid = a.pid and l.locktype = 'advisory'
  and l.granted
         and (l.classid::bigint << 32) + l.objid::bigint = $2::bigint and l.objsubid = 1
       where a.application_name = $1 and a.state = 'idle in transaction') as is_holding`,
    [applicationName, advisoryLocks.subscriptions],
  );
  return rows[0]!.is_holding;
}

/** Objects that are cheap to render, so that many are matched quickly. */
export async function insertVessels(client: Client, mark: string, count: number): Promise<void> {
  await client.query(
    "insert into flaghoist.vessel (vessel_name, external_object_key) select 'Bulk', $1 || '-' || n from " +
      'generate_series(1, $2::int) n',
    [mark, count],
  );
}

export async function selectVersion(client: Client): Promise<string> {
  const { rows } = await client.query<{ server_version: string }>('show server_version');
  return rows[0]!.server_version;
}
