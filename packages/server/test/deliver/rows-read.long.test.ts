// The cost of a change does not grow with earlier changes: plans made for empty tables do not scan full ones.

import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { useTestService } from '../support/test-service.ts';
import { startHooks, subscribeTo } from './hooks.ts';

const service = useTestService();
const pool: pg.Pool = service.database.pool;
const timeout = 90_000;
/** An idle connection of PostgreSQL tells its statistics after ten seconds at the latest. */
const idleFlushMs = 11_000;

test('matching and sending 40 changes reads a few rows for each, with thousands done before', { timeout }, async () => {
  const hooks = await startHooks();
  const { body: voyage } = await service.post('/ws/rest/Voyage', { voyageStatus: 'EST' });
  await subscribeTo(service, { eventType: `Voyage.U.${voyage.key}`, url: hooks.url });
  const change = (count: number) =>
    pool.query(`do $$ begin for n in 1..${count} loop
  update flaghoist.voyage set comments = clock_timestamp()::text where key = ${voyage.key}; end loop; end $$`);
  // Plans are made with the first few, and kept.
  for (let n = 1; n <= 8; n += 1) {
    await change(1);
    await expect.poll(() => hooks.received.length, { timeout: 20_000 }).toBe(n);
  }
  await change(3_000);
  await expect.poll(() => hooks.received.length, { timeout: 60_000 }).toBe(3_008);
  const before = await rowsRead();
  await change(40);
  await expect.poll(() => hooks.received.length, { timeout: 20_000 }).toBe(3_048);
  const after = await rowsRead();
  for (const table of ['event', 'webhook_notification', 'notification_body'])
    expect(after.get(table)! - before.get(table)!, table).toBeLessThan(40 * 10);
});

/** By table, with all its days, once every connection has told what it did. */
async function rowsRead(): Promise<Map<string, number>> {
  await sleep(idleFlushMs);
  const { rows } = await pool.query<{ name: string; read: string }>(
    `select regexp_replace(t.relname, '_(\\d{8}|rest)$', '') as name,
  sum(t.seq_tup_read + coalesce((select sum(i.idx_tup_read) from pg_stat_user_indexes i where i.relid = t.relid),
    0)) as read
from pg_stat_user_tables t group by 1`,
  );
  return new Map(rows.map(({ name, read }) => [name, Number(read)]));
}
