// The SQL of the measurement of snapshots: changes in transactions of their own, which the worker matches all at once,
// and what it has looked up and written.

import pg from 'pg';
import { onDatabase } from '../rest/fleet-table.ts';

export interface ChangedObjects {
  voyageKeys: readonly number[];
  orderKeys: readonly number[];
}

/** A procedure, because thousands of transactions must end within the `lock_timeout` of the worker. */
export async function createChanging(url: string): Promise<void> {
  await onDatabase(url, (client) =>
    client.query(`create procedure change_one_by_one(voyage_keys bigint[], order_keys bigint[]) language plpgsql as $$
begin
  for n in 1..cardinality(voyage_keys) loop
    update flaghoist.voyage set freight = freight + 1 where key = voyage_keys[n];
    commit;
    update flaghoist.bunker_order set extra_cost = extra_cost + 1 where key = order_keys[n];
    commit;
  end loop;
end $$`),
  );
}

/** Voyages and orders in turn, each in a transaction of its own. */
export async function changeOneByOne(url: string, { voyageKeys, orderKeys }: ChangedObjects): Promise<void> {
  await onDatabase(url, async (client) => {
    await client.query('set synchronous_commit = off');
    await client.query('call change_one_by_one($1::bigint[], $2::bigint[])', [voyageKeys, orderKeys]);
  });
}

/** No events are matched until the returned function is called. */
export async function holdMatching(url: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('begin');
  await client.query('select flaghoist_system.lock_subscriptions()');
  return async () => {
    await client.query('commit');
    await client.end();
  };
}

/** How often the worker has used the indexes that only snapshots need, if nothing else has. */
export interface Lookups {
  /** Whether rows have left their owners. */
  left: number;
  /** What a row was like. */
  past: number;
}

export async function selectLookups(url: string): Promise<Lookups> {
  const { rows } = await onDatabase(url, (client) =>
    client.query<{ name: string; scans: string }>(
      `select indexrelname as name, idx_scan as scans from pg_stat_user_indexes
       where schemaname = 'flaghoist_system' and indexrelname in ('event_left', 'event_object_recent')`,
    ),
  );
  const scansOf = (name: string) => Number(rows.find((row) => row.name === name)!.scans);
  return { left: scansOf('event_left'), past: scansOf('event_object_recent') };
}

/** A digest of the objects in all bodies, without the times of the changes, which differ between databases. */
export async function selectBodyDigest(url: string): Promise<string> {
  const { rows } = await onDatabase(url, (client) =>
    client.query<{ digest: string }>(
      `select md5(string_agg(regexp_replace(o.text, '"modifiedDate":"[^"]*"', '', 'g'), ','
         order by split_part(n.id, '-', 1)::bigint, n.subscription)) as digest
       from flaghoist_service.webhook_notification n
         cross join lateral (select substring(flaghoist_system.body(n.key) from '"resource":(.*),"sequence":'))
           as o (text)`,
    ),
  );
  return rows[0]!.digest;
}
