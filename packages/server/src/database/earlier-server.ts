// Notices that a database was restored from a dump on a server with lower transaction ids. Those of its events then say
// nothing about what was committed when.

import type { ClientBase } from 'pg';

/** At the end of a restore. `nextTransaction`: one past the highest completed transaction of the other server. */
export async function noteRestored(client: ClientBase, nextTransaction: string): Promise<void> {
  await client.query(
    `with earlier as (
  update flaghoist_system.earlier_server
  set last_event_id = coalesce((select max(id) from flaghoist_system.event), 0)
  where $1::xid8 > pg_snapshot_xmax(pg_current_snapshot()) returning last_event_id)
update flaghoist_system.unmatched_event u set snapshot = null from earlier`,
    [nextTransaction],
  );
}

/** Looks at the newest events only, because ids of transactions grow with those of events. */
export async function noteEarlierServer(client: ClientBase): Promise<void> {
  await client.query(`with newest as (
  select id, transaction_id from flaghoist_system.event order by id desc limit 1000),
earlier as (
  update flaghoist_system.earlier_server set last_event_id = n.id
  from (select max(id) as id from newest where transaction_id >= pg_snapshot_xmax(pg_current_snapshot())) n
  where n.id > last_event_id returning last_event_id)
update flaghoist_system.unmatched_event u set snapshot = null from earlier where u.event_id <= earlier.last_event_id`);
}
