// Events: one for every changed row, in the transaction of the change, for every writer.

import { expect, test } from 'vitest';
import { useTestDatabase } from '../support/test-database.ts';

const { pool } = useTestDatabase();

async function eventsAfter(id: string): Promise<Record<string, unknown>[]> {
  const { rows } = await pool.query(
    'select object_type, operation, object_key::int, old_row, new_row, roots_before, roots_after, user_key from ' +
      'flaghoist_system.event where id > $1 order by id',
    [id],
  );
  return rows;
}

async function lastEvent(): Promise<string> {
  const { rows } = await pool.query('select coalesce(max(id), 0) as id from flaghoist_system.event');
  return rows[0].id;
}

async function insert(sql: string): Promise<number> {
  const { rows } = await pool.query(`${sql} returning key::int`);
  return rows[0].key;
}

test('an insert, an update and a delete by SQL each write an event with the old and the new row', async () => {
  const before = await lastEvent();
  const key = await insert("insert into flaghoist.voyage (comments) values ('one')");
  await pool.query("update flaghoist.voyage set comments = 'two' where key = $1", [key]);
  await pool.query('delete from flaghoist.voyage where key = $1', [key]);
  const events = await eventsAfter(before);
  expect(events.map(({ operation, object_key }) => [operation, object_key])).toEqual([
    ['C', key],
    ['U', key],
    ['D', key],
  ]);
  expect(events[1]).toMatchObject({ old_row: { comments: 'one' }, new_row: { comments: 'two' } });
  expect(events[2]).toMatchObject({ old_row: { comments: 'two' }, new_row: null });
});

test('an update that changes nothing, or only the stamp, writes no event and leaves the row unchanged', async () => {
  const key = await insert("insert into flaghoist.voyage (comments) values ('same')");
  const version = async () =>
    (await pool.query('select xmin::text from flaghoist.voyage where key = $1', [key])).rows[0].xmin;
  const [before, xmin] = [await lastEvent(), await version()];
  for (const change of ["comments = 'same'", "modified_date = '2001-01-01'", 'changed_by_id = 5'])
    await pool.query(`update flaghoist.voyage set ${change} where key = $1`, [key]);
  expect(await eventsAfter(before)).toEqual([]);
  expect(await version()).toBe(xmin);
});

test('a trigger of the operator runs first: its changes count, and what it undoes is not a change', async () => {
  await pool.query(`create function public.tidy() returns trigger language plpgsql as
    $$ begin new.vessel_name := upper(new.vessel_name); return new; end $$;
    create trigger tidy before update on flaghoist.vessel for each row execute function public.tidy()`);
  const key = await insert("insert into flaghoist.vessel (vessel_name) values ('small')");
  const before = await lastEvent();
  for (const name of ['vessel_name', "'sMaLl'"])
    await pool.query(`update flaghoist.vessel set vessel_name = ${name} where key = $1`, [key]);
  expect(await eventsAfter(before)).toMatchObject([
    { old_row: { vessel_name: 'small' }, new_row: { vessel_name: 'SMALL' } },
  ]);
  await pool.query('drop function public.tidy() cascade');
});

test('the acting user is stored with the event and the row, and is reset with the transaction', async () => {
  const client = await pool.connect();
  const before = await lastEvent();
  await client.query(
    "begin; select set_config('flaghoist.user_key', '77', true); insert into flaghoist.voyage (comments) values " +
      "('mine'); commit",
  );
  await client.query("insert into flaghoist.voyage (comments) values ('nobody')");
  client.release();
  expect((await eventsAfter(before)).map(({ user_key }) => user_key)).toEqual(['77', null]);
});

test('an event names the hierarchies of its row: all owners, and the orders at a port call', async () => {
  const port = await insert("insert into flaghoist.port (un_lo_code) values ('AAAAA')");
  const vessel = await insert("insert into flaghoist.vessel (vessel_name) values ('A')");
  const voyage = await insert('insert into flaghoist.voyage default values');
  const other = await insert('insert into flaghoist.voyage default values');
  const call = await insert(
    `insert into flaghoist.port_call (voyage, port, reason_for_call) values (${voyage}, ${port}, 'L')`,
  );
  const type = await insert("insert into flaghoist.bunker_type (bunker_type_code) values ('T')");
  const client = await pool.connect();
  await client.query('begin');
  const order = (
    await client.query(
      `insert into flaghoist.bunker_order (port_call, vessel, bunker_order_status) values (${call}, ${vessel}, ` +
        "'PLN') returning key::int",
    )
  ).rows[0].key;
  await client.query(
    'insert into flaghoist.bunker_order_line (bunker_order, min_quantity, max_quantity, unit_price, bunker_type) ' +
      `values (${order}, 1, 2, 3, ${type})`,
  );
  await client.query('commit');
  client.release();
  let before = await lastEvent();
  const log = await insert(`insert into flaghoist.event_log (port_call, event) values (${call}, 'ARR')`);
  expect((await eventsAfter(before))[0]).toMatchObject({
    roots_before: null,
    roots_after: { PortCall: [call], Voyage: [voyage], BunkerOrder: [order] },
  });
  before = await lastEvent();
  await pool.query('update flaghoist.port_call set voyage = $1 where key = $2', [other, call]);
  expect((await eventsAfter(before))[0]).toMatchObject({
    roots_before: { Voyage: [voyage], BunkerOrder: [order] },
    roots_after: { Voyage: [other], BunkerOrder: [order] },
  });
  before = await lastEvent();
  const cleaner = await pool.connect();
  await cleaner.query(
    `begin; delete from flaghoist.bunker_order where key = ${order}; delete from flaghoist.voyage where key = ` +
      `${other}; commit`,
  );
  cleaner.release();
  const deleted = await eventsAfter(before);
  expect(deleted.map(({ object_type }) => object_type).sort()).toEqual([
    'BunkerOrder',
    'BunkerOrderLine',
    'EventLog',
    'PortCall',
    'Voyage',
  ]);
  expect(deleted.find(({ object_key }) => object_key === log)).toMatchObject({
    roots_before: { PortCall: [call], Voyage: [other] },
  });
});

test('an UPDATE of 10,000 rows writes 10,000 events in its transaction, and none after a rollback', async () => {
  await pool.query(
    "insert into flaghoist.commodity (commodity_code, commodity_name) select 'BULK' || n, 'before ' || n from " +
      'generate_series(1, 10000) n',
  );
  const before = await lastEvent();
  const update =
    "update flaghoist.commodity set commodity_name = replace(commodity_name, 'before', 'after') where " +
    "commodity_code like 'BULK%'";
  await pool.query(`begin; ${update}; rollback`);
  expect(await eventsAfter(before)).toEqual([]);
  const client = await pool.connect();
  const { rows } = await client.query(
    `with done as (${update} returning 1) select count(*)::int as n, pg_current_xact_id()::text as id from done`,
  );
  client.release();
  expect(rows[0].n).toBe(10_000);
  const check = await pool.query(
    `select count(*)::int as events, count(distinct object_key)::int as objects,
            count(*) filter (where transaction_id = $2::xid8)::int as in_transaction,
            count(*) filter (where old_row ->> 'commodity_name' like 'before %'
              and new_row ->> 'commodity_name' = replace(old_row ->> 'commodity_name', 'before', 'after')
              and new_row ->> 'commodity_name' = c.commodity_name)::int as right
     from flaghoist_system.event e join flaghoist.commodity c on c.key = e.object_key where id > $1
       and operation = 'U'`,
    [before, rows[0].id],
  );
  expect(check.rows).toEqual([{ events: 10_000, objects: 10_000, in_transaction: 10_000, right: 10_000 }]);
});

test('the triggers cannot be bypassed: key changes and TRUNCATE are rejected', async () => {
  const key = await insert("insert into flaghoist.commodity (commodity_code) values ('KEEP')");
  await expect(pool.query('update flaghoist.commodity set key = key + 1 where key = $1', [key])).rejects.toThrow(
    /key of an object cannot be changed/,
  );
  await expect(pool.query('truncate flaghoist.commodity cascade')).rejects.toThrow(
    /would create no events: use DELETE/,
  );
});

test('a change by SQL has a date and no user', async () => {
  const key = await insert(
    "insert into flaghoist.commodity (commodity_code, modified_date, changed_by_id) values ('DATED', '2001-01-01', 5)",
  );
  await pool.query("update flaghoist.commodity set commodity_name = 'x' where key = $1", [key]);
  const { rows } = await pool.query(
    "select modified_date > '2020-01-01' as is_dated, changed_by_id from flaghoist.commodity where key = $1",
    [key],
  );
  expect(rows).toEqual([{ is_dated: true, changed_by_id: null }]);
});

test('Remarks and attachments write no events', async () => {
  const key = await insert("insert into flaghoist.commodity (commodity_code) values ('REMARKED')");
  const before = await lastEvent();
  const remark = await insert(`insert into flaghoist.remarks (source, remark_text) values (${key}, 'x')`);
  await insert(`insert into flaghoist.attachment (remarks, file_name, file) values (${remark}, 'a.txt', 'x')`);
  await pool.query('update flaghoist.remarks set remark_text = null where key = $1', [remark]);
  await pool.query('delete from flaghoist.remarks where key = $1', [remark]);
  expect(await eventsAfter(before)).toEqual([]);
});

test('a role that may change only objects writes events by doing so', async () => {
  const role = `loader_${process.pid}`;
  const client = await pool.connect();
  try {
    await client.query(`create role ${role}; grant usage on schema flaghoist, flaghoist_system to ${role};
      grant select, insert, update, delete on all tables in schema flaghoist to ${role};
      grant usage on all sequences in schema flaghoist to ${role}`);
    const before = await lastEvent();
    await client.query(`set role ${role}`);
    await client.query('with v as (insert into flaghoist.voyage default values returning key) select key from v');
    await client.query(
      "insert into flaghoist.port_call (voyage, port, reason_for_call) select v.key, p.key, 'L' from (select " +
        'max(key) as key from flaghoist.voyage) v, (select max(key) as key from flaghoist.port) p',
    );
    await expect(client.query('delete from flaghoist_system.event')).rejects.toThrow(/permission denied/);
    await client.query('reset role');
    expect((await eventsAfter(before)).map(({ object_type, operation }) => `${object_type}.${operation}`)).toEqual([
      'Voyage.C',
      'PortCall.C',
    ]);
  } finally {
    await client.query(`reset role; drop owned by ${role}; drop role ${role}`);
    client.release();
  }
});

test('the trigger functions cannot be attached to other tables to forge events', async () => {
  const role = `forger_${process.pid}`;
  const client = await pool.connect();
  try {
    await client.query(
      `create role ${role}; grant usage on schema flaghoist, flaghoist_system to ${role}; set role ${role}`,
    );
    await client.query('create temp table fake (key bigint)');
    await expect(
      client.query(
        'create trigger x after insert on fake referencing new table as new_rows for each statement execute ' +
          'function flaghoist_system.document__insert_event()',
      ),
    ).rejects.toThrow(/permission denied/);
  } finally {
    await client.query(`reset role; drop table if exists fake; drop owned by ${role}; drop role ${role}`);
    client.release();
  }
});
