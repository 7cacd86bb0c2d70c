// After a restore on a server with lower transaction ids: nothing that the ids of the other server say is taken for
// something that has happened here, neither at once nor when this server has reached them.

import type pg from 'pg';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { noteEarlierServer, noteRestored } from '../../src/database/earlier-server.ts';
import { noteTraces, selectTraces } from '../../src/database/traced-transaction-table.ts';
import { type NewsRow, selectNews } from '../../src/live/live-table.ts';
import { changesHeardBy, matched, subscribe } from '../match/heard.ts';
import { createFleet, createVoyage, type Fleet, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService();
const { pool } = service.database;
let fleet: Fleet;
beforeAll(async () => {
  fleet = await createFleet(service);
});

const far = '900000000000';
const subscriptions = 'flaghoist_service.webhook_subscription';

/** Both ways in which a restore is noticed, each in a transaction of its own. */
const ways: [string, (client: pg.PoolClient) => Promise<void>][] = [
  ['a backup', (client) => noteRestored(client, far)],
  ['a dump', noteEarlierServer],
];

/** As a dump or a backup of another server leaves them. */
async function comeFromElsewhere(): Promise<void> {
  await matched(service);
  await pool.query(`update flaghoist_system.event set transaction_id =
    (transaction_id::text::bigint % 1000000 + ${far})::text::xid8`);
  await pool.query('update flaghoist_system.earlier_server set last_event_id = 0');
}

async function inTransaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

const change = (client: pg.PoolClient, voyage: number) =>
  client.query('update flaghoist.port_call set speed = coalesce(speed, 10) + 1 where voyage = $1', [voyage]);

test('an object created there, by a transaction with the same id, is notified of a change in its hierarchy here', async () => {
  const { key, portCalls } = await createVoyage(service, fleet);
  const subscription = await subscribe(service, { eventType: `Voyage.U.${key}` });
  await comeFromElsewhere();
  await inTransaction((client) => noteRestored(client, far));
  await inTransaction(async (client) => {
    await client.query(
      'update flaghoist_system.event set transaction_id = pg_current_xact_id() where object_key = $1',
      [key],
    );
    await change(client, key);
  });
  const heard = portCalls.map((call: Shown) => `PortCall.U.${call.key} of ${key}`);
  expect((await changesHeardBy(service, subscription)).sort()).toEqual(heard.sort());
});

test.each(ways)('restored from %s: subscriptions stay older than new changes, whatever their ids', async (_, note) => {
  const { key, portCalls } = await createVoyage(service, fleet);
  const subscription = await subscribe(service, { eventType: `Voyage.U.${key}` });
  const newer = await subscribe(service, { eventType: `Voyage.D.${key}` });
  const snapshotOf = async (wanted: number) =>
    (await pool.query(`select created_snapshot from ${subscriptions} where key = $1`, [wanted])).rows[0]
      .created_snapshot;
  const kept = await snapshotOf(newer);
  const { rows } = await pool.query('select pg_snapshot_xmax(pg_current_snapshot())::text::bigint + 200 as limit');
  await asReplica(`update ${subscriptions} set created_snapshot = '${rows[0].limit}:${rows[0].limit}:'
    where key = ${subscription}`);
  await comeFromElsewhere();
  const written = async () =>
    (
      await pool.query(
        `select (select max(id) from flaghoist_system.event) as event, r.value from flaghoist_system.revision r
         where r.name = 'subscriptions'`,
      )
    ).rows;
  const before = await written();
  await inTransaction(note);
  expect(await written()).toEqual(before);
  expect([await snapshotOf(subscription), await snapshotOf(newer)]).toEqual(['0:0:', kept]);

  // No event is matched before this server has passed the id.
  const matching = await pool.connect();
  onTestFinished(() => matching.release(true));
  await matching.query('begin; select flaghoist_system.lock_subscriptions()');
  await inTransaction((client) => change(client, key));
  for (let id = 0; id < 220; id += 1) await pool.query('select pg_current_xact_id()');
  // The process reads the subscription again.
  await matching.query(`update ${subscriptions} set name = 'read again' where key = $1`, [subscription]);
  await matching.query('commit');
  const heard = portCalls.map((call: Shown) => `PortCall.U.${call.key} of ${key}`);
  expect((await changesHeardBy(service, subscription)).sort()).toEqual(heard.sort());
  // The triggers are back.
  expect(await written()).not.toEqual(before);
});

test.each(ways)('restored from %s: the live feed shows no old change', async (_, note) => {
  await createVoyage(service, fleet);
  await comeFromElsewhere();
  await pool.query(
    `insert into flaghoist_system.activity (transaction_id, notification_keys) values ('${far}', '{1}')`,
  );
  await inTransaction(note);
  const read = async (...position: Parameters<typeof selectNews>) =>
    (await pool.query(selectNews(...position))).rows[0] as NewsRow;
  const { seen, ...first } = await read(undefined);
  const position = {
    seen,
    activityId: Number(first.activity_id),
    eventId: Number(first.event_id),
    revision: Number(first.revision),
  };
  expect(await read(position)).toMatchObject({ events: '[]', activities: '[]' });
  const { portCalls } = await createVoyage(service, fleet);
  const { rows } = await pool.query('select id::int from flaghoist_system.event where object_key = $1', [
    portCalls[0].key,
  ]);
  expect(JSON.parse((await read(position)).events)).toContain(rows[0].id);
});

test.each(ways)('restored from %s: a new transaction has no trace of another one with its id', async (_, note) => {
  const { key, portCalls } = await createVoyage(service, fleet);
  await comeFromElsewhere();
  const { rows } = await inTransaction(async (client) => {
    const { rows: own } = await client.query('select pg_current_xact_id()::text as id');
    const traceParent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await client.query(noteTraces(new Map([[own[0].id, { traceParent, traceState: undefined }]])));
    await note(client);
    await change(client, key);
    return client.query('select max(id)::int as id from flaghoist_system.event where object_key = $1', [
      portCalls[0].key,
    ]);
  });
  const { rows: traces } = await pool.query(selectTraces([rows[0].id]));
  expect(traces).toMatchObject([{ event_id: String(rows[0].id), trace_parent: null }]);
});

/** A change without triggers. */
async function asReplica(statement: string): Promise<void> {
  await inTransaction(async (client) => {
    await client.query('set local session_replication_role = replica');
    await client.query(statement);
  });
}
