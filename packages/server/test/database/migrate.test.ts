// Migration by any number of processes: one migrates, those that hang lose their locks, and older ones are rejected.

import { expect, onTestFinished, test } from 'vitest';
import { advisoryLocks } from '../../src/database/advisory-locks.ts';
import { migrateServer } from '../../src/database/migrate.ts';
import { buildModel } from '../../src/model/build-model.ts';
import { DatabaseRelay } from '../support/database-relay.ts';
import { ship, shipWith, useMigrations } from './migrations-fixture.ts';

const { url, pool, migrateTo } = useMigrations();

test('a second run has nothing to do', async () => {
  expect(await migrateTo(ship)).not.toEqual([]);
  expect(await migrateTo(ship)).toEqual([]);
});

test('eight processes that start at once leave one valid database', async () => {
  const model = buildModel(ship);
  const steps = await Promise.all(Array.from({ length: 8 }, () => migrateServer(url, model)));
  expect(steps.filter((done) => done.length > 0)).toHaveLength(1);
  await pool.query("insert into flaghoist.ship (name) values ('one')");
});

test('a database that a newer version has migrated is rejected', async () => {
  await migrateTo(ship);
  await pool.query("insert into flaghoist_system.migration (name, digest) values ('9999-future.sql', 'x')");
  await expect(migrateTo(ship)).rejects.toThrow(/newer version of Flaghoist \(9999-future\.sql\)/);
});

test.each([
  ['the model', undefined, shipWith({ flag: { kind: 'text' } })],
  ['a file', 'drop table flaghoist_system.traced_transaction', ship],
])('during a backup, a migration of %s waits without a lock on any table', async (_, before, declarations) => {
  await migrateTo(ship);
  if (before) await pool.query(`${before}; delete from flaghoist_system.migration where name like '0012-%'`);
  const backup = await pool.connect();
  onTestFinished(() => backup.release(true));
  await backup.query('select pg_advisory_lock_shared($1)', [advisoryLocks.days]);
  await backup.query('begin; lock table flaghoist.ship in access share mode');
  const migrating = migrateServer(url, buildModel(declarations));
  const lockOf = async (condition: string) =>
    (
      await pool.query(
        `select distinct locktype from pg_locks l join pg_stat_activity a using (pid)
         where a.application_name = 'flaghoist migrate' and a.datname = current_database() and ${condition}`,
      )
    ).rows.map(({ locktype }) => locktype);
  await expect.poll(() => lockOf('not granted'), { timeout: 10_000 }).toEqual(['advisory']);
  expect(await lockOf("locktype = 'relation' and relation = 'flaghoist.ship'::regclass")).toEqual([]);
  await pool.query("set lock_timeout = '2s'; insert into flaghoist.ship (name) values ('one')");
  await backup.query('commit');
  await backup.query('select pg_advisory_unlock_shared($1)', [advisoryLocks.days]);
  expect(await migrating).not.toEqual([]);
});

async function openRelay(): Promise<DatabaseRelay> {
  const relay = new DatabaseRelay();
  await relay.open();
  onTestFinished(() => relay.close());
  return relay;
}

test('a process that hangs during a migration loses its locks', async () => {
  const relay = await openRelay();
  const locks = `select count(*)::int from pg_locks l join pg_database d on d.oid = l.database
    where locktype = 'advisory' and datname = current_database()`;
  const count = async (condition: string) => (await pool.query(`${locks} and ${condition}`)).rows[0].count;
  const holder = await pool.connect();
  await holder.query('select pg_advisory_lock($1)', [advisoryLocks.migration]);
  const migrating = migrateServer(relay.urlOf(url), buildModel(ship)).catch((error: Error) => error.message);
  await expect.poll(() => count('not granted'), { timeout: 10_000 }).toBe(1);
  // From here on the migration neither reads nor sends, and the lock becomes its own.
  relay.freeze();
  await holder.query('select pg_advisory_unlock($1)', [advisoryLocks.migration]);
  holder.release();
  expect(await count('granted')).toBe(1);
  await expect.poll(() => count('granted'), { timeout: 25_000 }).toBe(0);
  await relay.close();
  expect(await migrating).toMatch(/The database was lost/);
}, 60_000);

test('waiting for a server that accepts the connection but does not answer is limited', async () => {
  const relay = await openRelay();
  relay.freezeNew();
  await expect(migrateServer(relay.urlOf(url), buildModel(ship))).rejects.toThrow(/timeout expired\. Start again/);
});
