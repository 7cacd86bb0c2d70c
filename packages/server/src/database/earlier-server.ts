// Notices that a database was restored from a dump or a backup on a server with lower transaction ids. Those of its
// rows then say nothing about what was committed when, and this server will give out the same ids again.

import type { ClientBase } from 'pg';

/** At the end of a restore. `nextTransaction`: one past the highest completed transaction of the other server. */
export async function noteRestored(client: ClientBase, nextTransaction: string): Promise<void> {
  const { rowCount } = await client.query(
    `update flaghoist_system.earlier_server
set last_event_id = coalesce((select max(id) from flaghoist_system.event), 0)
where $1::xid8 > pg_snapshot_xmax(pg_current_snapshot())`,
    [nextTransaction],
  );
  if (rowCount !== 0) await forgetTransactions(client);
}

/** Looks at the newest events only, because ids of transactions grow with those of events. */
export async function noteEarlierServer(client: ClientBase): Promise<void> {
  const { rowCount } = await client.query(`with newest as (
  select id, transaction_id from flaghoist_system.event order by id desc limit 1000)
update flaghoist_system.earlier_server set last_event_id = n.id
from (select max(id) as id from newest where transaction_id >= pg_snapshot_xmax(pg_current_snapshot())) n
where n.id > last_event_id`);
  if (rowCount !== 0) await forgetTransactions(client);
}

/** Events keep their transaction ids: code that compares those looks at `earlier_server`. */
async function forgetTransactions(client: ClientBase): Promise<void> {
  await client.query(`update flaghoist_system.unmatched_event set snapshot = null
where event_id <= (select last_event_id from flaghoist_system.earlier_server)`);
  await client.query('delete from flaghoist_system.traced_transaction');
  await forgetSnapshots(client);
}

const subscriptions = 'flaghoist_service.webhook_subscription';

const isOfHigherIds = `case when created_snapshot ~ '^\\d{1,18}:\\d{1,18}:'
  then split_part(created_snapshot, ':', 2)::bigint > pg_snapshot_xmax(pg_current_snapshot())::text::bigint end`;

/**
 * Once this server has reached the ids of such a snapshot, new changes would count as older than the subscription. The
 * triggers would write an event for each subscription. Triggers of earlier statements must have run before they can be
 * disabled.
 */
async function forgetSnapshots(client: ClientBase): Promise<void> {
  const { rowCount } = await client.query(`select from ${subscriptions} where ${isOfHigherIds} limit 1`);
  if (rowCount === 0) return;
  await client.query('set constraints all immediate');
  await client.query(`alter table ${subscriptions} disable trigger user`);
  await client.query(`update ${subscriptions} set created_snapshot = '0:0:' where ${isOfHigherIds}`);
  await client.query(`alter table ${subscriptions} enable trigger user`);
  await client.query('set constraints all deferred');
}
