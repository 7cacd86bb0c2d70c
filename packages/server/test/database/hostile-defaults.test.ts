// A server, database or role may override PostgreSQL's defaults for transactions. Overrides that would change the
// meaning of our statements have no effect; one that forbids writing is respected.

import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { DatabaseAway } from '../../src/database/database-away.ts';
import { migrateServer } from '../../src/database/migrate.ts';
import { buildModel } from '../../src/model/build-model.ts';
import { useTestDatabase } from '../support/test-database.ts';

const { url, connections } = useTestDatabase({ isMigrated: false });
const actor = { userKey: undefined, client: 'test' };
const ship = buildModel({ Ship: { attributes: { name: { kind: 'text' } } } });

/** For connections that are opened from now on. */
async function setDefault(name: string, value: string): Promise<void> {
  await asOperator(`alter database ${new URL(url).pathname.slice(1)} set ${name} = ${value}`);
}

async function asOperator(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`begin read write; ${text}; commit`);
  await client.end();
}

beforeAll(async () => {
  await setDefault('default_transaction_isolation', `'serializable'`);
  await setDefault('default_transaction_deferrable', 'on');
});

test('processes that migrate at the same time see what the previous one has done', async () => {
  const steps = await Promise.all(Array.from({ length: 4 }, () => migrateServer(url, ship)));
  expect(steps.filter((done) => done.length > 0)).toHaveLength(1);
});

test('each statement of a transaction sees what was committed before it began', async () => {
  const count = { text: 'select count(*)::int as count from flaghoist.ship' };
  await connections.transaction(actor, async ({ run }) => {
    expect(await run(count)).toEqual([[{ count: 0 }]]);
    await asOperator(`insert into flaghoist.ship (name) values ('meanwhile')`);
    expect(await run(count)).toEqual([[{ count: 1 }]]);
  });
});

test('a single statement has the same isolation', async () => {
  const text = `select current_setting('transaction_isolation') as isolation,
    current_setting('transaction_deferrable') as deferrable`;
  expect(await connections.run({ text })).toEqual([{ isolation: 'read committed', deferrable: 'off' }]);
});

test('a read-only default is respected: objects can be read, and for changes the database is unavailable', async () => {
  await setDefault('default_transaction_read_only', 'on');
  await asOperator(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await expect.poll(() => connections.ping().then(() => true)).toBe(true);
  expect(await connections.run({ text: 'select name from flaghoist.ship' })).toEqual([{ name: 'meanwhile' }]);
  const change = connections.run({ text: 'delete from flaghoist.ship' });
  await expect(change).rejects.toThrow(DatabaseAway);
});
