// A closed database leaves no connection open, because a server that is stopped next would report it.

import { expect, test } from 'vitest';
import { Database } from '../../src/database/database.ts';
import { DatabaseRelay } from '../support/database-relay.ts';
import { useTestDatabase } from '../support/test-database.ts';

const { url, pool } = useTestDatabase({ isMigrated: false });
const connectionsMax = 20;

function open(databaseUrl: string): Database {
  return new Database({ url: databaseUrl, observe: () => undefined, connectionsMax, statementTimeoutMs: 5_000 });
}

async function useAll(database: Database): Promise<void> {
  await Promise.all(Array.from({ length: connectionsMax }, () => database.run({ text: 'select pg_sleep(0.1)' })));
}

async function countConnections(): Promise<number> {
  const { rows } = await pool.query(`select count(*)::int as count from pg_stat_activity
where datname = current_database() and application_name = 'flaghoist'`);
  return rows[0].count;
}

test('closing the database closes its connections', async () => {
  for (let n = 0; n < 5; n += 1) {
    const database = open(url);
    await useAll(database);
    expect(await countConnections()).toBe(connectionsMax);
    await database.close();
    expect(await countConnections()).toBe(0);
  }
});

test('the database is closed in time even if the server no longer responds', async () => {
  const relay = new DatabaseRelay();
  await relay.open();
  const database = open(relay.urlOf(url));
  await useAll(database);
  relay.freeze();
  const began = performance.now();
  await database.close();
  // A shorter time would mean that the server had responded.
  expect(performance.now() - began).toBeGreaterThan(900);
  await relay.close();
});
