// All SQL for measuring claims: queues of any length, without the records and bodies, which a claim does not read.

import pg from 'pg';
import { onDatabase } from '../rest/fleet-table.ts';

export interface QueuePart {
  lanes: readonly number[];
  firstKey: number;
  count: number;
}

/** The lanes in turn. */
export async function insertPending(url: string, { lanes, firstKey, count }: QueuePart): Promise<void> {
  await onDatabase(url, (client) => client.query(insertPendingText, [firstKey, count, lanes]));
}

const insertPendingText = `
insert into flaghoist_system.pending_notification (notification_key, created_date, subscription_key)
select n, now() at time zone 'utc', ($3::bigint[])[1 + n % cardinality($3::bigint[])]
from generate_series($1::bigint, $1::bigint + $2::bigint - 1) n`;

/** Keeps the statistics of an empty queue, as when a backlog builds up. Autovacuum does not update them. */
export async function fillPending(url: string, part: QueuePart): Promise<void> {
  await onDatabase(url, (client) =>
    client.query('alter table flaghoist_system.pending_notification set (autovacuum_enabled = false)'),
  );
  await insertPending(url, { ...part, count: 5_000 });
  await onDatabase(url, async (client) => {
    await client.query('delete from flaghoist_system.pending_notification');
    await client.query('analyze flaghoist_system.pending_notification');
  });
  await insertPending(url, part);
}

export async function deletePending(url: string, keys: readonly number[]): Promise<void> {
  await onDatabase(url, (client) =>
    client.query('delete from flaghoist_system.pending_notification where notification_key = any($1::bigint[])', [
      keys,
    ]),
  );
}

/** What autovacuum does. */
export async function vacuumPending(url: string): Promise<void> {
  await onDatabase(url, (client) => client.query('vacuum (analyze) flaghoist_system.pending_notification'));
}

/** A transaction that keeps its snapshot until it is released. */
export async function holdSnapshot(url: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('begin isolation level repeatable read');
  await client.query('select count(*) from flaghoist_system.delivery_worker');
  return () => client.end();
}
