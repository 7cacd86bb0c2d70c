// A full disk of the server is remembered until a write succeeds.

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { DatabaseFull } from '../../src/database/database-away.ts';
import { ServerHosts } from '../../src/database/server-hosts.ts';
import { ServerWatch } from '../../src/database/server-watch.ts';
import { DatabaseRelay } from '../support/database-relay.ts';
import { useTestDatabase } from '../support/test-database.ts';

const { url, pool } = useTestDatabase();
const role = `flaghoist_test_${randomBytes(6).toString('hex')}`;
const database = new URL(url).pathname.slice(1);

/** A role that owns what a service needs, and may not create temporary tables. */
beforeAll(async () => {
  await pool.query(`
    create role ${role} login password '${role}';
    revoke temporary on database ${database} from public;
    alter schema flaghoist_system owner to ${role}`);
});
afterAll(async () => {
  await pool.query(`drop owned by ${role} cascade; drop role ${role}`);
});

/** As on a full disk, CREATE TABLE fails. `nextval` is not rolled back, so it counts the attempts. */
async function fillDisk(): Promise<void> {
  await pool.query(`
    create sequence public.table_refused;
    grant usage on sequence public.table_refused to ${role};
    create function public.refuse_table() returns event_trigger language plpgsql as $$
      begin
        perform nextval('public.table_refused');
        raise 'No space left on device' using errcode = 'disk_full';
      end $$;
    create event trigger full_disk on ddl_command_end when tag in ('CREATE TABLE AS')
      execute function public.refuse_table()`);
}

test('a full disk ends when a write succeeds, with a role that may not create temporary tables', async () => {
  await fillDisk();
  const asRole = new URL(url);
  asRole.username = role;
  asRole.password = role;
  const watch = openWatch(asRole.href);
  onTestFinished(() => watch.stop());
  watch.failed(new DatabaseFull(new Error('No space left on device')));
  const refused = async () => (await pool.query('select is_called from public.table_refused')).rows[0].is_called;
  await expect.poll(refused, { timeout: 15_000 }).toBe(true);
  expect(() => watch.checkDisk()).toThrow(DatabaseFull);

  await pool.query('drop event trigger full_disk');
  await expect.poll(() => attempt(() => watch.checkDisk()), { timeout: 15_000 }).toBeUndefined();
  const { rows } = await pool.query(`select to_regclass('flaghoist_system.space_probe') as left_over`);
  expect(rows).toEqual([{ left_over: null }]);
});

test('a disk check that is due does not end the probe of a slow server, which would then count as frozen', async () => {
  const relay = new DatabaseRelay();
  await relay.open();
  relay.freezeNew();
  const watch = openWatch(relay.urlOf(url));
  onTestFinished(async () => {
    await watch.stop();
    await relay.close();
  });
  watch.failed(new DatabaseFull(new Error('No space left on device')));
  watch.suspect();
  // Long enough for the watch to find that the disk check is due, and shorter than the probe may take.
  await sleep(1_200);
  watch.suspect();
  await sleep(100);
  expect(() => watch.check()).not.toThrow();
});

function openWatch(watched: string): ServerWatch {
  const observe = () => undefined;
  return new ServerWatch(new ServerHosts(watched, observe), observe);
}

function attempt(check: () => void): unknown {
  try {
    check();
    return undefined;
  } catch (error) {
    return error;
  }
}
