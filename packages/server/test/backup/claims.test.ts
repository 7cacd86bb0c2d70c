// No process of the backup is one of the restored installation, so nothing in it is claimed by one that is alive.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { queue, subscribeTo } from '../deliver/queued.ts';
import { useTestDatabase } from '../support/test-database.ts';
import { useTestService } from '../support/test-service.ts';
import { settingsOf, succeed, useFolder } from './installations.ts';

const original = useTestService({ FLAGHOIST_ROLES: 'api' });
const target = useTestDatabase({ isMigrated: false });
const folder = useFolder();

test('right after the restore, all workers are dead, and no unshaped match is claimed', async () => {
  const { pool } = original.database;
  await pool.query(
    `insert into flaghoist_system.delivery_worker (id, alive_until) overriding system value
     values (4711, now() + interval '1 day'), (4712, now() + interval '1 day')`,
  );
  const key = await subscribeTo(original, 'http://127.0.0.1:9/');
  await queue(pool, key, 1, 4711);
  await pool.query(
    `insert into flaghoist_system.unshaped_match (notification_key, lane, event_id, subscription_key, user_key,
       object_type, object_key, event_type, subscribed_object_key, occurred_at, bytes, claim, claimed_until)
     values (1, $1, 1, $1, 1, 'Vessel', 1, 'U', 1, '2026-11-15T00:00:00.000000Z', 1, 17, now() + interval '1 day')`,
    [key],
  );
  const file = join(folder, 'claims.gz');
  await succeed(['backup', file], settingsOf(original.database.url));
  await succeed(['restore', file], settingsOf(target.url));

  const read = async (sql: string) => (await target.pool.query(sql)).rows;
  expect(
    await read('select id::int, alive_until::text as until from flaghoist_system.delivery_worker order by id'),
  ).toEqual([
    { id: 4711, until: '-infinity' },
    { id: 4712, until: '-infinity' },
  ]);
  // Released by the first process that finds the worker dead.
  expect(await read('select claimed_by::int as worker from flaghoist_system.pending_notification')).toEqual([
    { worker: 4711 },
  ]);
  expect(await read('select claim, claimed_until as until from flaghoist_system.unshaped_match')).toEqual([
    { claim: null, until: null },
  ]);
}, 60_000);
