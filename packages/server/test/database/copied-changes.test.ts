// Rows that are copied (`session_replication_role = replica`) are stored unchanged. Their events were written with the
// original change, and are copied as rows.

import type pg from 'pg';
import { expect, test } from 'vitest';
import { waitForServer } from '../../src/database/wait-for-server.ts';
import { useTestDatabase } from '../support/test-database.ts';

const { url, pool } = useTestDatabase();

async function asReplica(work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('set session_replication_role = replica');
    await work(client);
  } finally {
    await client.query('reset session_replication_role');
    client.release();
  }
}

async function eventNames(): Promise<string[]> {
  const { rows } = await pool.query(
    `select object_type, operation, object_key
     from flaghoist_system.event join flaghoist_system.unmatched_event on event_id = id order by id`,
  );
  return rows.map(({ object_type, operation, object_key }) => `${object_type}.${operation}.${object_key}`);
}

test('a copy of objects and of their events has each event once, and the dates of the original', async () => {
  await pool.query(`insert into flaghoist.vessel (key, vessel_name) values (1001, 'First'), (1002, 'Second')`);
  await pool.query(`update flaghoist.vessel set vessel_name = 'Renamed' where key = 1001`);
  const names = ['Vessel.C.1001', 'Vessel.C.1002', 'Vessel.U.1001'];
  expect(await eventNames()).toEqual(names);
  await asReplica(async (client) => {
    await client.query('create temp table vessels as table flaghoist.vessel');
    await client.query('delete from flaghoist.vessel');
    await client.query(`insert into flaghoist.vessel select * from vessels`);
    await client.query(`update flaghoist.vessel set modified_date = '2001-02-03 04:05:06' where key = 1001`);
  });
  expect(await eventNames()).toEqual(names);
  const { rows } = await pool.query('select modified_date::text as date from flaghoist.vessel where key = 1001');
  expect(rows).toEqual([{ date: '2001-02-03 04:05:06' }]);
});

test('a change after the copy writes its event', async () => {
  await pool.query(`update flaghoist.vessel set vessel_name = 'Ours' where key = 1002`);
  expect(await eventNames()).toContain('Vessel.U.1002');
});

test('the service does not start if its connections are replicas: changes would write no events', async () => {
  const asReplicas = new URL(url);
  asReplicas.searchParams.set('options', '-c session_replication_role=replica');
  await expect(waitForServer(asReplicas.href, () => undefined)).rejects.toThrow(
    /^session_replication_role is replica for our connections/,
  );
  const name = new URL(url).pathname.slice(1);
  await pool.query(`alter database ${name} set session_replication_role = replica`);
  await expect(waitForServer(url, () => undefined)).rejects.toThrow('ALTER ROLE … RESET session_replication_role');
});
