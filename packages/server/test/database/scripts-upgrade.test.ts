// Databases of the versions with scripts, and before: afterwards the subscriptions of a script are found by an index, and what was left of
// those that have ended is gone.

import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate } from '../../src/database/migrate.ts';
import { loadModel } from '../../src/model/model-file/read-model-file.ts';
import { useTestDatabase } from '../support/test-database.ts';

const { url } = useTestDatabase({ isMigrated: true });
let client: pg.Client;

beforeEach(async () => {
  client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`delete from flaghoist_system.migration where name = '0008-script-uses.sql';
    alter table flaghoist_system.held_back drop constraint held_back_reason_check;
    alter table flaghoist_system.held_back add constraint held_back_reason_check check (reason <> '') not valid;
    insert into flaghoist_system.shaping_health (subscription_key, failures, message) values (999999, 3, 'of one that is gone') on conflict do nothing`);
});

afterEach(() => client.end());

async function expectUpgraded(): Promise<void> {
  await migrate(client, await loadModel(undefined));
  const indexes = await client.query(
    "select from pg_indexes where indexdef like '%webhook_subscription %(alert_script_key)%'",
  );
  expect(indexes.rowCount).toBe(1);
  expect((await client.query('select from flaghoist_system.shaping_health')).rowCount).toBe(0);
  const { rows } = await client.query(
    "select convalidated from pg_constraint where conname = 'held_back_reason_check'",
  );
  expect(rows).toEqual([{ convalidated: true }]);
}

test('with scripts, and without the index', async () => {
  await client.query('drop index flaghoist_service.webhook_subscription__alert_script_key__index');
  await expectUpgraded();
});

test('from before scripts', async () => {
  await client.query(`alter table flaghoist_service.webhook_subscription drop column alert_script_key cascade;
    delete from flaghoist_system.applied_model`);
  await expectUpgraded();
});
