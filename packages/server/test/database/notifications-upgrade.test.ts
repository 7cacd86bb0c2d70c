// A database of the version before delivery: its notifications, which nobody sent, are there afterwards, and are sent.

import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { migrate } from '../../src/database/migrate.ts';
import { createTable } from '../../src/database/tables/object-table-ddl.ts';
import { loadModel } from '../../src/model/model-file/read-model-file.ts';
import type { ObjectType, ScalarAttribute } from '../../src/model/object-type.ts';
import { useTestDatabase } from '../support/test-database.ts';

const { url } = useTestDatabase({ isMigrated: false });

async function applyFilesBeforeDelivery(client: pg.Client): Promise<void> {
  const folder = new URL('../../migrations/', import.meta.url);
  await client.query(`create schema flaghoist_system; create table flaghoist_system.migration (
    name text primary key, digest text not null, applied_at timestamptz not null default now())`);
  for (const name of (await readdir(folder)).sort().filter((each) => each < '0004')) {
    const sql = await readFile(new URL(name, folder), 'utf8');
    await client.query(sql);
    const digest = createHash('sha256').update(sql).digest('hex');
    await client.query('insert into flaghoist_system.migration (name, digest) values ($1, $2)', [name, digest]);
  }
}

/** One plain table, with the bodies in it. */
function before(type: ObjectType): ObjectType {
  const scalars = type.scalars
    .filter(({ name }) => name !== 'attemptLog')
    .map((attribute): ScalarAttribute => ({ ...attribute, isMade: false }));
  return { ...type, isKeptInDays: false, scalars };
}

test('what was pending is pending, what had failed can be sent again, bodies are kept', async () => {
  const model = await loadModel(undefined);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await applyFilesBeforeDelivery(client);
    for (const statement of createTable(before(model.types.get('WebhookNotification')!))) await client.query(statement);
    await client.query(
      `insert into flaghoist_service.webhook_notification (key, created_date, id, subscription, "user", object_type, object_key, event_type,
         subscribed_object_key, event_time, status, is_failed, body, content_type)
       values (11, '2026-10-01 10:00', '1-11', 5, 2, 'Voyage', 7, 'U', 7, '2026-10-01', 'PENDING', false, '{"a":1}', 'application/json'),
         (12, '2026-11-01 10:00', '1-12', 5, 2, 'Voyage', 7, 'U', 7, '2026-11-01', 'FAILED', true, '{"b":1}', 'application/json'),
         (13, '2026-11-01 11:00', '1-13', 5, 2, 'Voyage', 7, 'U', 7, '2026-11-01', 'FAILED', true, null, 'application/json')`,
    );
    await migrate(client, model);
    const { rows } = await client.query(
      `select n.key::int, n.status, flaghoist_system.body(n.key) as body, n.tableoid::regclass::text as place,
         (select count(*)::int from flaghoist_system.pending_notification p where p.notification_key = n.key) as pending,
         (select count(*)::int from flaghoist_system.failed_notification f where f.notification_key = n.key) as failed
       from flaghoist_service.webhook_notification n order by n.key`,
    );
    const place = (day: string) => `flaghoist_partition.webhook_notification_${day}`;
    expect(rows).toEqual([
      { key: 11, status: 'PENDING', body: '{"a":1}', place: place('20261001'), pending: 1, failed: 0 },
      { key: 12, status: 'FAILED', body: '{"b":1}', place: place('20261101'), pending: 0, failed: 1 },
      { key: 13, status: 'FAILED', body: null, place: place('20261101'), pending: 0, failed: 0 },
    ]);
    expect(await migrate(client, model)).toEqual([]);
  } finally {
    await client.end();
  }
});
