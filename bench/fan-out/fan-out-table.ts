// All SQL of the fan-out benchmark: changes objects, and reads what the notifications of them take.

import { inBulk } from '../matching/matching-table.ts';
import { onDatabase } from '../rest/fleet-table.ts';

export type Changed = 'vessel' | 'voyage';

const columns = { vessel: 'flag', voyage: 'comments' };

export async function selectKeys(url: string, changed: Changed, count: number): Promise<number[]> {
  const { rows } = await onDatabase(url, (client) =>
    client.query<{ key: string }>(`select key from flaghoist.${changed} order by key limit $1`, [count]),
  );
  return rows.map(({ key }) => Number(key));
}

/** Voyages with ten port calls: their bodies have about 10 kB. */
export async function addPortCalls(url: string): Promise<void> {
  await onDatabase(url, (client) => inBulk(client, () => client.query(insertPortCalls)));
}

const insertPortCalls = `
insert into flaghoist.port_call (port_call_sequence, reason_for_call, eta, etd, arrival_fixed, speed, days_at_sea,
  voyage, port, agent, currency)
select 4 + n, c.reason_for_call, c.eta + n * interval '20 days', c.etd + n * interval '20 days', false, c.speed,
  c.days_at_sea, c.voyage, c.port, c.agent, c.currency
from flaghoist.port_call c, generate_series(1, 6) n where c.port_call_sequence = 1`;

/** One transaction for each change. The objects take turns. */
export async function makeChanges(url: string, changed: Changed, keys: readonly number[], count: number) {
  await onDatabase(url, async (client) => {
    for (let n = 0; n < count; n += 1)
      await client.query(`update flaghoist.${changed} set ${columns[changed]} = $2 where key = $1`, [
        keys[n % keys.length],
        `C${process.hrtime.bigint() % 1_000_000_000n}`,
      ]);
  });
}

/** The tables of notifications; a partitioned one with its days. */
export const tables = [
  'webhook_notification',
  'notification_body',
  'notification_content',
  'pending_notification',
  'activity',
] as const;

export type TableSizes = Record<(typeof tables)[number], { rows: number; indexes: number }>;

export interface Stored {
  sizes: TableSizes;
  notifications: number;
  contents: number;
  pending: number;
  delivered: number;
  /** Of an average body. */
  bodyBytes: number;
}

export async function selectStored(url: string): Promise<Stored> {
  return await onDatabase(url, async (client) => {
    const sizes = {} as TableSizes;
    for (const table of tables) {
      const { rows } = await client.query<{ rows: string; indexes: string }>(selectSize, [table]);
      sizes[table] = { rows: Number(rows[0]!.rows), indexes: Number(rows[0]!.indexes) };
    }
    const { rows } = await client.query<Omit<Stored, 'sizes'>>(selectCounts);
    return { sizes, ...rows[0]! };
  });
}

/** With what is stored out of line, and its index. */
const selectSize = `
select coalesce(sum(pg_table_size(c.oid)), 0) as rows, coalesce(sum(pg_indexes_size(c.oid)), 0) as indexes
from pg_class c join pg_namespace s on s.oid = c.relnamespace
where c.relkind = 'r' and s.nspname like 'flaghoist%' and c.relname ~ ('^' || $1 || '(_[0-9]{8}|_rest)?$')`;

const selectCounts = `
select (select count(*)::int from flaghoist_service.webhook_notification) as "notifications",
  (select count(*)::int from flaghoist_system.notification_content) as "contents",
  (select count(*)::int from flaghoist_system.pending_notification) as "pending",
  (select count(*)::int from flaghoist_service.webhook_notification where status = 'DELIVERED' and attempts = 1)
    as "delivered",
  (select avg(octet_length(body) + coalesce(content_bytes, 0))::int from flaghoist_system.notification_body)
    as "bodyBytes"`;

/** The bytes of log that the server has written so far. */
export async function readLogPosition(url: string): Promise<number> {
  const { rows } = await onDatabase(url, (client) =>
    client.query<{ bytes: string }>(`select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes`),
  );
  return Number(rows[0]!.bytes);
}

/** Every round starts with empty tables, and with pages that the log does not have to repeat. */
export async function beginRound(url: string): Promise<void> {
  await onDatabase(url, async (client) => {
    await inBulk(client, () =>
      client.query(`truncate flaghoist_service.webhook_notification, flaghoist_system.notification_body,
        flaghoist_system.notification_content, flaghoist_system.pending_notification,
        flaghoist_system.activity`),
    );
    await client.query('checkpoint');
  });
}

/** The body of a notification, by its id. */
export async function selectBody(url: string, id: string): Promise<string> {
  const { rows } = await onDatabase(url, (client) =>
    client.query<{ body: string }>(
      'select flaghoist_system.body(key) as body from flaghoist_service.webhook_notification where id = $1',
      [id],
    ),
  );
  return rows[0]?.body ?? '';
}
