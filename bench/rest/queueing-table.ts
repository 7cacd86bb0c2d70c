// The SQL of the measurement of queueing: another trigger, changes of voyages over several connections, and their
// events in the queue.

import pg from 'pg';
import { onDatabase } from './fleet-table.ts';

/** Events are queued as soon as they are written, without locks and without an order. */
export async function queuePlainly(url: string): Promise<void> {
  await onDatabase(url, (client) => client.query(replaceTrigger));
}

const replaceTrigger = `
  create function flaghoist_system.queue_plainly() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
  begin
    insert into flaghoist_system.unmatched_event (event_id, snapshot) select id, pg_current_snapshot() from new_events;
    return null;
  end $$;
  drop trigger queue_events on flaghoist_system.event;
  create trigger queue_events after insert on flaghoist_system.event
    referencing new table as new_events for each statement execute function flaghoist_system.queue_plainly()`;

/** Of the changes whose comments begin with the mark. */
export async function countQueued(url: string, mark: string): Promise<number> {
  const { rows } = await onDatabase(url, (client) =>
    client.query<{ count: string }>(
      `select count(*) from flaghoist_system.event e join flaghoist_system.unmatched_event u on u.event_id = e.id
       where e.object_type = 'Voyage' and e.operation = 'U' and starts_with(e.new_row ->> 'comments', $1)
         and u.snapshot is not null`,
      [mark],
    ),
  );
  return Number(rows[0]!.count);
}

export interface SqlClient {
  client: pg.Client;
  /** Of its process in PostgreSQL. */
  pid: number;
}

export async function openClients(url: string, count: number): Promise<SqlClient[]> {
  return await Promise.all(
    Array.from({ length: count }, async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      return { client, pid: rows[0]!.pid };
    }),
  );
}

export interface SqlChanges {
  /** Shared out among the clients, so that no two change the same voyage. */
  voyageKeys: readonly number[];
  /** The start of the comments of every change. */
  mark: string;
  durationMs: number;
}

/** Returns how many were changed. Each client changes one voyage after the other. */
export async function changeVoyages(clients: readonly SqlClient[], changes: SqlChanges): Promise<number> {
  const { voyageKeys, mark, durationMs } = changes;
  const deadline = performance.now() + durationMs;
  const counts = clients.map(async ({ client }, own) => {
    const keys = voyageKeys.filter((_, index) => index % clients.length === own);
    let count = 0;
    for (; performance.now() < deadline; count += 1)
      await client.query({
        name: 'change',
        text: 'update flaghoist.voyage set comments = $2 where key = $1::bigint',
        values: [keys[count % keys.length], `${mark} ${own} ${count}`],
      });
    return count;
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}
