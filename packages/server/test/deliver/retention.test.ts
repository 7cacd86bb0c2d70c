// Retention of the log: days are created ahead, every row has a place, and old days are dropped whole, bodies before
// records.

import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { advisoryLocks } from '../../src/database/advisory-locks.ts';
import { Database } from '../../src/database/database.ts';
import { insertContents } from '../../src/deliver/queue/content-table.ts';
import { insertNotifications } from '../../src/deliver/queue/notification-table.ts';
import { countInRange } from '../../src/deliver/resend/replay-table.ts';
import { enforceRetention } from '../../src/deliver/retention/retention-loop.ts';
import type { Observation } from '../../src/observe/observation.ts';
import { Content } from '../../src/render/body.ts';
import { useTestDatabase } from '../support/test-database.ts';
import { allOf } from './resend-jobs.ts';

const { pool, url } = useTestDatabase();
const observations: Observation[] = [];
const observe = (observation: Observation) => observations.push(observation);
let database: Database;

beforeAll(() => {
  database = new Database({ url, observe, connectionsMax: 2, statementTimeoutMs: 30_000, isForQueues: true });
});

afterAll(() => database.close());

beforeEach(() => {
  observations.length = 0;
});

async function keep(bodyDays = 30, notificationDays = 90): Promise<void> {
  await enforceRetention({ database, observe, bodyDays, notificationDays }, { isStopping: false });
}

/** One notification of so many days ago, in every table that knows of it. */
async function plant(key: number, daysAgo: number, status: 'PENDING' | 'FAILED' | 'DELIVERED'): Promise<void> {
  const created = `(now() at time zone 'utc')::date - ${daysAgo}`;
  for (const table of ['flaghoist_service.webhook_notification', 'flaghoist_system.notification_body'])
    await pool.query(`select flaghoist_system.create_day_partition('${table}', ${created})`);
  await pool.query(
    `insert into flaghoist_service.webhook_notification (key, created_date, id, subscription, "user", object_type,
  object_key,
       event_type, subscribed_object_key, occurred_at, status) values ($1::bigint, ${created}, '1-' || $1::text, 1,
         1, 'Voyage', 1, 'U', 1, now(), $2)`,
    [key, status],
  );
  await pool.query(
    'insert into flaghoist_system.notification_body (notification_key, created_date, body, head) values ($1, ' +
      `${created}, '{}', '')`,
    [key],
  );
  if (status === 'PENDING')
    await pool.query(
      'insert into flaghoist_system.pending_notification (notification_key, created_date, subscription_key) ' +
        `values ($1, ${created}, 1)`,
      [key],
    );
  if (status === 'FAILED')
    await pool.query(`insert into flaghoist_system.resendable_notification values (1, $1, ${created})`, [key]);
}

async function found(key: number) {
  const { rows } = await pool.query(
    `select (select status from flaghoist_service.webhook_notification where key = $1) as status,
  flaghoist_system.body($1) as body,
       exists (select from flaghoist_system.pending_notification where notification_key = $1) as pending,
       exists (select from flaghoist_system.resendable_notification where notification_key = $1) as failed`,
    [key],
  );
  return rows[0];
}

async function daysOf(table: string): Promise<number> {
  const { rows } = await pool.query(
    `select count(*)::int from pg_inherits where inhparent = '${table}'::regclass and inhrelid::regclass::text ~ ` +
      "'[0-9]{8}$'",
  );
  return rows[0].count;
}

test('bodies and records are each dropped after their number of days; younger ones stay', async () => {
  await plant(9_000_001, 31, 'DELIVERED');
  await plant(9_000_002, 29, 'DELIVERED');
  await plant(9_000_003, 91, 'DELIVERED');
  await keep();
  expect(await found(9_000_001)).toMatchObject({ status: 'DELIVERED', body: null });
  expect(await found(9_000_002)).toMatchObject({ status: 'DELIVERED', body: '{}' });
  expect(await found(9_000_003)).toMatchObject({ status: null, body: null });
  expect(observations.map(({ kind }) => kind)).toEqual(['log.dayDropped', 'log.dayDropped', 'log.dayDropped']);
});

test('pending notifications fail when their body is dropped, and failed ones cannot be resent', async () => {
  await plant(9_000_011, 40, 'PENDING');
  await plant(9_000_012, 40, 'FAILED');
  await keep();
  expect(await found(9_000_011)).toEqual({ status: 'FAILED', body: null, pending: false, failed: false });
  expect(await found(9_000_012)).toEqual({ status: 'FAILED', body: null, pending: false, failed: false });
});

test('a row that is locked when its body is dropped is waited for, and not left without a body', async () => {
  await plant(9_000_014, 40, 'PENDING');
  const consumer = await pool.connect();
  onTestFinished(() => consumer.release(true));
  await consumer.query('begin');
  await consumer.query('select from flaghoist_system.pending_notification where notification_key = 9000014 for update');
  const keeping = keep();
  const waiting = `select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await pool.query(waiting)).rows[0].n, { interval: 10 }).toBeGreaterThan(0);
  await consumer.query('commit');
  await keeping;
  expect(await found(9_000_014)).toEqual({ status: 'FAILED', body: null, pending: false, failed: false });
});

test('a delivered notification that is being replayed stays delivered when its body is dropped', async () => {
  await plant(9_000_013, 40, 'DELIVERED');
  await pool.query(
    `insert into flaghoist_system.pending_notification (notification_key, created_date, subscription_key, resend_job,
       replay_of) values (9000013, (now() at time zone 'utc')::date - 40, 1, 77, 'DELIVERED')`,
  );
  await keep();
  expect(await found(9_000_013)).toEqual({ status: 'DELIVERED', body: null, pending: false, failed: false });
});

test('what has lost its body is not replayed', async () => {
  await plant(9_000_017, 40, 'DELIVERED');
  await plant(9_000_018, 40, 'FAILED');
  await plant(9_000_019, 2, 'DELIVERED');
  await pool.query(
    `insert into flaghoist_service.api_user (key, user_code, name) values (1, 'owner', 'Owner');
     insert into flaghoist_service.webhook_subscription (key, event_types, event_type, object_type, operation,
       "user", url, channel_info)
     values (1, '{Voyage.U}', 'Voyage.U', 'Voyage', 'U', 1, 'http://127.0.0.1:9', '{}')`,
  );
  const count = async (notifications: number[] | null) => {
    const range = { after: 9_000_016, upTo: 9_000_019 };
    return (await database.run(countInRange({ ...allOf(1), notifications }, range)))[0]!.total;
  };
  expect(await count(null)).toBe(3);
  await keep();
  expect(await count(null)).toBe(1);
  expect(await count([9_000_017, 9_000_018])).toBe(0);
  expect(await count([9_000_017, 9_000_019])).toBe(1);
});

test('a stop in the middle drops no day before its notifications have failed', async () => {
  await plant(9_000_015, 42, 'PENDING');
  await plant(9_000_016, 42, 'FAILED');
  let checks = 0;
  const stopping = {
    get isStopping() {
      checks += 1;
      return checks > 1;
    },
  };
  await enforceRetention({ database, observe, bodyDays: 30, notificationDays: 90 }, stopping);
  expect(await found(9_000_015)).toEqual({ status: 'PENDING', body: '{}', pending: true, failed: false });
  expect(await found(9_000_016)).toMatchObject({ status: 'FAILED', body: '{}', failed: true });
  await keep();
  expect(await found(9_000_015)).toEqual({ status: 'FAILED', body: null, pending: false, failed: false });
});

test('a body is never kept longer than its record', async () => {
  await plant(9_000_021, 50, 'DELIVERED');
  await keep(3650, 45);
  expect(await found(9_000_021)).toMatchObject({ status: null, body: null });
});

test('days are created a week ahead, and a row without a day moves to it when it is created', async () => {
  await keep();
  for (const table of ['flaghoist_service.webhook_notification', 'flaghoist_system.notification_body'])
    expect(await daysOf(table)).toBeGreaterThanOrEqual(8);
  await pool.query(
    `insert into flaghoist_service.webhook_notification (key, created_date, id, subscription, "user", object_type,
  object_key,
       event_type, subscribed_object_key, occurred_at, status)
     values (9000031, '2031-05-05 10:00:00', '1-9000031', 1, 1, 'Voyage', 1, 'U', 1, now(), 'DELIVERED')`,
  );
  const place = async () =>
    (
      await pool.query(
        'select tableoid::regclass::text as place from flaghoist_service.webhook_notification where key = 9000031',
      )
    ).rows[0].place;
  expect(await place()).toContain('_rest');
  await pool.query(
    `select flaghoist_system.create_day_partition('flaghoist_service.webhook_notification', '2031-05-05')`,
  );
  expect(await place()).toContain('_20310505');
});

test('two processes that enforce retention at the same time do not disturb each other', async () => {
  await plant(9_000_041, 60, 'DELIVERED');
  await plant(9_000_042, 61, 'FAILED');
  await Promise.all([keep(), keep(), keep()]);
  expect(await found(9_000_041)).toMatchObject({ status: 'DELIVERED', body: null });
});

test('events are deleted after the same number of days, but never an unmatched one', async () => {
  const insert = (daysAgo: number) =>
    pool.query(
      `insert into flaghoist_system.event (object_type, operation, object_key, new_row, event_time, transaction_id)
       values ('Voyage', 'C', 1, '{}', now() - $1 * interval '1 day', pg_current_xact_id()) returning id`,
      [daysAgo],
    );
  const [old, waiting, young] = [await insert(100), await insert(100), await insert(80)].map(({ rows }) => rows[0].id);
  await pool.query('delete from flaghoist_system.unmatched_event where event_id = any($1)', [[old, young]]);
  await keep();
  const { rows } = await pool.query('select id from flaghoist_system.event where id = any($1) order by id', [
    [old, waiting, young],
  ]);
  expect(rows.map(({ id }) => id)).toEqual([waiting, young]);
});

/** As a backup that reads the tables; until `end`. */
async function startBackup(): Promise<{ end(): Promise<void> }> {
  const client = await pool.connect();
  // With its lock, if the test has failed.
  onTestFinished(() => client.release(true));
  await client.query('select pg_advisory_lock_shared($1)', [advisoryLocks.days]);
  return {
    end: async () => {
      await client.query('select pg_advisory_unlock_shared($1)', [advisoryLocks.days]);
    },
  };
}

async function partitions(): Promise<string[]> {
  const { rows } = await pool.query(
    `select relname from pg_class where relnamespace = 'flaghoist_partition'::regnamespace and relkind = 'r'
     order by 1`,
  );
  return rows.map(({ relname }) => relname);
}

test('a day is neither created nor dropped while a backup reads the tables, but in the next round', async () => {
  await keep();
  await plant(9_801, 60, 'DELIVERED');
  const { rows } = await pool.query(
    `select to_char((now() at time zone 'utc')::date + 7, 'YYYYMMDD') as newest,
       to_char((now() at time zone 'utc')::date - 60, 'YYYYMMDD') as old`,
  );
  const [newest, old] = [`notification_body_${rows[0].newest}`, `notification_body_${rows[0].old}`];
  await pool.query(`drop table flaghoist_partition.${newest}`);
  const before = await partitions();
  expect(before).toContain(old);
  const backup = await startBackup();
  await keep();
  expect(await partitions()).toEqual(before);
  await backup.end();
  await keep();
  const after = await partitions();
  expect(after).toContain(newest);
  expect(after).not.toContain(old);
});

test('contents and records stay as long as their bodies, even if a backup ends while days are dropped', async () => {
  await keep();
  const days = await pool.query(
    `select to_char(d, 'YYYY-MM-DD') as day from unnest(array[(now() at time zone 'utc')::date - 200]) d`,
  );
  const { day } = days.rows[0];
  for (const table of ['service.webhook_notification', 'system.notification_body', 'system.notification_content'])
    await pool.query('select flaghoist_system.create_day_partition($1, $2)', [`flaghoist_${table}`, day]);
  const before = await partitions();
  const backup = await startBackup();
  const ending: Pick<Database, 'run'> = {
    run: async (statement) => {
      const rows = await database.run(statement);
      // It ends when the bodies could not be dropped.
      if (statement.text.includes('drop_day_partition')) await backup.end();
      return rows;
    },
  };
  const parts = { database: ending, observe, bodyDays: 30, notificationDays: 90 };
  await enforceRetention(parts, { isStopping: false });
  expect(await partitions()).toEqual(before);
  await keep();
  expect((await partitions()).length).toBe(before.length - 3);
});

/** What one batch stores of a content that several notifications share. */
async function storeShared(content: Content, createdDate: string, keys: readonly number[]): Promise<void> {
  const rows = keys.map((key) => ({
    key,
    id: `1-${key}`,
    subscriptionKey: 1,
    userKey: 1,
    objectType: 'Voyage',
    objectKey: 1,
    eventType: 'U' as const,
    subscribedObjectKey: 1,
    occurredAt: `${createdDate}.000000Z`,
    contentType: 'application/json',
    subject: null,
    body: { start: `of ${key}: `, content },
    errorMessage: 'Not to be sent.',
    isOrdered: false,
    isStreamed: false,
    isDispatchedDirectly: false,
  }));
  const stored = new WeakMap<Content, number>();
  await database.transaction({ userKey: undefined, client: 'test' }, async ({ run }) => {
    await run(
      insertContents(rows, stored, createdDate)!,
      insertNotifications(rows, { createdDate, workerId: null, stored }),
    );
  });
}

test('a content is dropped with the day of its bodies; the same one of a second after midnight stays', async () => {
  const { rows } = await pool.query(`select to_char(d, 'YYYY-MM-DD') as day
    from generate_series((now() at time zone 'utc')::date - 31, (now() at time zone 'utc')::date - 30, '1 day') d`);
  const [old, young] = rows.map(({ day }) => day as string);
  const tables = ['flaghoist_service.webhook_notification', 'flaghoist_system.notification_body'];
  for (const table of [...tables, 'flaghoist_system.notification_content'])
    for (const day of [old, young])
      await pool.query(`select flaghoist_system.create_day_partition($1, $2)`, [table, day]);
  const content = new Content('shared '.repeat(200));
  await storeShared(content, `${old}T23:59:59`, [9_000_061, 9_000_062]);
  await storeShared(content, `${young}T00:00:00`, [9_000_063, 9_000_064]);
  for (const key of [9_000_061, 9_000_064])
    expect(await found(key)).toMatchObject({ body: `of ${key}: ${content.text}`, failed: true });
  observations.length = 0;
  await keep();
  // While a body is there, so is its content.
  expect(observations).toEqual(
    ['notification_body', 'notification_content'].map((table) => ({
      kind: 'log.dayDropped',
      table: `flaghoist_system.${table}`,
      day: old,
    })),
  );
  for (const key of [9_000_061, 9_000_062]) expect(await found(key)).toMatchObject({ body: null, failed: false });
  for (const key of [9_000_063, 9_000_064])
    expect(await found(key)).toMatchObject({ body: `of ${key}: ${content.text}`, failed: true });
  const kept = await pool.query('select content_key::int from flaghoist_system.notification_content');
  expect(kept.rows).toEqual([{ content_key: 9_000_063 }]);
});
