// The audit log and the access revision: the database itself writes them, for every writer.

import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '../../src/database/migrate.ts';
import { buildModel } from '../../src/model/build-model.ts';
import { catalogue } from '../../src/model/catalogue/catalogue.ts';
import { useTestDatabase } from '../support/test-database.ts';

const { pool, url } = useTestDatabase();
let admin: number;

beforeAll(async () => {
  admin = await insert("insert into flaghoist_service.api_user (user_code, name) values ('boss', 'The boss')");
});

interface AuditRow {
  action: string;
  object_type: string;
  object_key: number;
  object_name: string | null;
  user_code: string | null;
  client_id: string | null;
  created_by_id: number | null;
  changes: Record<string, [unknown, unknown]>;
}

async function insert(sql: string): Promise<number> {
  return (await pool.query(`${sql} returning key::int`)).rows[0].key;
}

async function addUser(code: string): Promise<number> {
  return insert(`insert into flaghoist_service.api_user (user_code, name) values ('${code}', 'User ${code}')`);
}

async function addClient(id: string, user: number): Promise<number> {
  return insert(
    `insert into flaghoist_service.api_client (client_id, "user", scopes, audiences, secret_hash) values ('${id}', ` +
      `${user}, '{read}', '{https://flaghoist.dev}', 'hash of ${id}')`,
  );
}

async function lastRecord(): Promise<number> {
  return (await pool.query('select coalesce(max(key), 0)::int as last from flaghoist_service.audit_log')).rows[0].last;
}

async function recordsDuring(work: () => Promise<unknown>): Promise<AuditRow[]> {
  const before = await lastRecord();
  await work();
  const { rows } = await pool.query(
    'select action, object_type, object_key::int, object_name, user_code, client_id, created_by_id::int, changes ' +
      'from flaghoist_service.audit_log where key > $1 order by key',
    [before],
  );
  return rows;
}

async function revision(): Promise<number> {
  return (await pool.query("select value::int from flaghoist_system.revision where name = 'access'")).rows[0].value;
}

/** In one transaction, as the service does it. */
async function as(user: number, client: string, sql: string, end = 'commit'): Promise<void> {
  const connection = await pool.connect();
  try {
    await connection.query('begin');
    await connection.query(
      "select set_config('flaghoist.user_key', $1, true), set_config('flaghoist.client_id', $2, true)",
      [String(user), client],
    );
    await connection.query(sql);
    await connection.query(end);
  } catch (error) {
    await connection.query('rollback');
    throw error;
  } finally {
    connection.release();
  }
}

describe('a record', () => {
  test('of a new object has its values and defaults', async () => {
    let key = 0;
    const records = await recordsDuring(async () => {
      key = await addUser('new');
    });
    expect(records).toEqual([
      {
        action: 'CREATE',
        object_type: 'ApiUser',
        object_key: key,
        object_name: 'new',
        user_code: null,
        client_id: null,
        created_by_id: null,
        changes: {
          userCode: [null, 'new'],
          name: [null, 'User new'],
          edition: [null, 'ENTERPRISE'],
          active: [null, true],
        },
      },
    ]);
  });

  test('of a change has the changed attributes, before and after, by their API names', async () => {
    const user = await addUser('changed');
    const key = await addClient('changed-client', user);
    const other = await addUser('changed-2');
    const records = await recordsDuring(() =>
      pool.query(
        `update flaghoist_service.api_client set "user" = $2, scopes = '{read,write}', active = false,
  external_object_key = 'x',
           previous_secret_expires_date = '2026-05-01T10:00:00' where key = $1`,
        [key, other],
      ),
    );
    expect(records).toMatchObject([{ action: 'CHANGE', object_type: 'ApiClient', object_name: 'changed-client' }]);
    expect(records[0]!.changes).toEqual({
      user: [user, other],
      scopes: [['read'], ['read', 'write']],
      active: [true, false],
      externalObjectKey: [null, 'x'],
      previousSecretExpiresDate: [null, '2026-05-01T10:00:00'],
    });
  });

  test('of a delete has the deleted values', async () => {
    const user = await addUser('deleted');
    const key = await addClient('deleted-client', user);
    const records = await recordsDuring(() =>
      pool.query('delete from flaghoist_service.api_client where key = $1', [key]),
    );
    expect(records).toMatchObject([{ action: 'DELETE', object_key: key, object_name: 'deleted-client' }]);
    expect(records[0]!.changes).toEqual({
      clientId: ['deleted-client', null],
      user: [user, null],
      scopes: [['read'], null],
      audiences: [['https://flaghoist.dev'], null],
      active: [true, null],
    });
  });

  test('names the user and the client', async () => {
    const key = await addUser('named');
    const records = await recordsDuring(() =>
      as(admin, 'console', `update flaghoist_service.api_user set name = 'Other' where key = ${key}`),
    );
    expect(records).toMatchObject([
      { user_code: 'boss', client_id: 'console', created_by_id: admin, changes: { name: ['User named', 'Other'] } },
    ]);
  });

  test('cuts off a client name that is too long', async () => {
    const records = await recordsDuring(() =>
      as(admin, 'x'.repeat(500), "insert into flaghoist_service.api_user (user_code, name) values ('long', 'x')"),
    );
    expect(records[0]!.client_id).toBe('x'.repeat(128));
  });

  test('is written for each of many rows', async () => {
    const records = await recordsDuring(() =>
      pool.query(
        "insert into flaghoist_service.api_user (user_code, name) select 'many-' || n, 'x' from " +
          'generate_series(1, 500) n',
      ),
    );
    expect(records).toHaveLength(500);
    expect(new Set(records.map(({ object_name }) => object_name)).size).toBe(500);
  });

  test('is not written for an update that changes nothing', async () => {
    for (const change of ['name = name', "modified_date = '2001-01-01'", 'changed_by_id = 5'])
      expect(await recordsDuring(() => pool.query(`update flaghoist_service.api_user set ${change}`))).toEqual([]);
  });

  test('is not written for objects that are not audited', async () => {
    const sql = "insert into flaghoist.commodity (commodity_code) values ('AUDIT')";
    expect(await recordsDuring(() => pool.query(sql))).toEqual([]);
  });

  test('writes no event', async () => {
    const count = async () => (await pool.query('select count(*)::int as n from flaghoist_system.event')).rows[0].n;
    const before = await count();
    await addUser('silent');
    expect(await count()).toBe(before);
  });
});

describe('a secret', () => {
  test('is in no record, but its change is recorded', async () => {
    const key = await addClient('secret-client', await addUser('secret'));
    const records = await recordsDuring(async () => {
      await pool.query(
        `update flaghoist_service.api_client set previous_secret_hash = secret_hash, secret_hash = 'hash two',
           secret_date = '2026-05-01T10:00:00' where key = $1`,
        [key],
      );
      await pool.query("update flaghoist_service.api_client set secret_hash = 'hash three' where key = $1", [key]);
    });
    expect(records.map(({ action, changes }) => ({ action, changes }))).toEqual([
      { action: 'CHANGE', changes: { secretDate: [null, '2026-05-01T10:00:00'] } },
      { action: 'CHANGE', changes: {} },
    ]);
    await pool.query('delete from flaghoist_service.api_client where key = $1', [key]);
    const { rows } = await pool.query('select a::text as text from flaghoist_service.audit_log a');
    expect(rows.filter(({ text }) => /hash/i.test(text))).toEqual([]);
  });
});

describe('a transaction that is rolled back', () => {
  test('leaves no record and no revision', async () => {
    const before = await revision();
    const records = await recordsDuring(() =>
      as(admin, 'x', "insert into flaghoist_service.api_user (user_code, name) values ('gone', 'x')", 'rollback'),
    );
    expect(records).toEqual([]);
    expect(await revision()).toBe(before);
  });

  test('leaves none if COMMIT itself fails', async () => {
    const user = await addUser('referred');
    await addClient('referring-client', user);
    const before = await revision();
    const records = await recordsDuring(() =>
      expect(as(admin, 'x', `delete from flaghoist_service.api_user where key = ${user}`)).rejects.toThrow(
        /api_client__user__fkey/,
      ),
    );
    expect(records).toEqual([]);
    expect(await revision()).toBe(before);
  });
});

describe('the log', () => {
  test.each([
    ['UPDATE', "update flaghoist_service.audit_log set user_code = 'nobody'"],
    ['DELETE', 'delete from flaghoist_service.audit_log'],
    ['UPDATE of nothing', 'update flaghoist_service.audit_log set user_code = null where false'],
    ['MERGE', 'merge into flaghoist_service.audit_log a using (select 1) s on true when matched then delete'],
    [
      'INSERT … ON CONFLICT DO UPDATE',
      `insert into flaghoist_service.audit_log (key, action, object_type) select key, 'CREATE', 'x'
  from flaghoist_service.audit_log limit 1
         on conflict (key) do update set user_code = 'nobody'`,
    ],
  ])('can only be appended to: %s is rejected', async (_, sql) => {
    await expect(pool.query(sql)).rejects.toThrow(/AuditLog is append-only/);
  });

  test('cannot be emptied by TRUNCATE', async () => {
    await expect(pool.query('truncate flaghoist_service.audit_log')).rejects.toThrow(/TRUNCATE/);
  });

  test('is written by a role that may change only users', async () => {
    const role = `keeper_${process.pid}`;
    const client = await pool.connect();
    try {
      await client.query(`create role ${role}; grant usage on schema flaghoist, flaghoist_service,
  flaghoist_system to ${role};
        grant select, insert, update on flaghoist_service.api_user to ${role}; grant usage on sequence
          flaghoist.object_key to ${role}`);
      const before = await revision();
      const records = await recordsDuring(async () => {
        await client.query(`set role ${role}`);
        await client.query("insert into flaghoist_service.api_user (user_code, name) values ('kept', 'x')");
        await expect(client.query('select * from flaghoist_service.audit_log')).rejects.toThrow(/permission denied/);
        await client.query('reset role');
      });
      expect(records).toMatchObject([{ action: 'CREATE', object_name: 'kept' }]);
      expect(await revision()).toBe(before + 1);
    } finally {
      await client.query(`reset role; drop owned by ${role}; drop role ${role}`);
      client.release();
    }
  });

  test('continues after the model has changed', async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const model = buildModel({ ...catalogue, Buoy: { isAudited: true, attributes: { light: { kind: 'decimal' } } } });
    await migrate(client, model);
    await client.end();
    const records = await recordsDuring(async () => {
      const key = await insert('insert into flaghoist.buoy (light) values (1.50)');
      await pool.query('update flaghoist.buoy set light = null where key = $1', [key]);
      await addUser('later');
    });
    expect(records.map(({ object_type, object_name, changes }) => [object_type, object_name, changes])).toEqual([
      ['Buoy', null, { light: [null, 1.5] }],
      ['Buoy', null, { light: [1.5, null] }],
      ['ApiUser', 'later', expect.objectContaining({ name: [null, 'User later'] })],
    ]);
    await expect(pool.query('delete from flaghoist_service.audit_log')).rejects.toThrow(/AuditLog is append-only/);
    const { rows } = await pool.query(
      "select changes::text from flaghoist_service.audit_log where object_type = 'Buoy' limit 1",
    );
    expect(rows).toEqual([{ changes: '{"light": [null, 1.5]}' }]);
  });
});

describe('the revision', () => {
  test('is incremented once by every transaction that changes something', async () => {
    const before = await revision();
    await as(
      admin,
      'x',
      `insert into flaghoist_service.api_user (user_code, name) select 'raise-' || n, 'x'
  from generate_series(1, 300) n;
       update flaghoist_service.api_user set active = false where user_code like 'raise-%';
       delete from flaghoist_service.api_user where user_code like 'raise-1%'`,
    );
    expect(await revision()).toBe(before + 1);
    await pool.query('update flaghoist_service.api_user set name = name');
    expect(await revision()).toBe(before + 1);
    const key = await addClient('raising-client', admin);
    await pool.query('delete from flaghoist_service.api_client where key = $1', [key]);
    expect(await revision()).toBe(before + 3);
  });

  test('is incremented by concurrent transactions, which wait for each other only during COMMIT', async () => {
    const before = await revision();
    const holder = await pool.connect();
    await holder.query("begin; insert into flaghoist_service.api_user (user_code, name) values ('open', 'x')");
    await Promise.all(Array.from({ length: 6 }, (_, index) => addUser(`at-once-${index}`)));
    expect(await revision()).toBe(before + 6);
    await holder.query('commit');
    holder.release();
    expect(await revision()).toBe(before + 7);
  });
});
