// A claim returns the message of each notification, from whatever day it is.

import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { Database } from '../../src/database/database.ts';
import { parseHead } from '../../src/deliver/queue/message-head.ts';
import { claimPending } from '../../src/deliver/queue/pending-table.ts';
import { readClaim } from '../../src/deliver/queue/ready-notification.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api' });
const { pool } = service.database;
let database: Database;
let workerId: number;

function openDatabase(): Database {
  const { url } = service.database;
  return new Database({
    url,
    observe: () => undefined,
    connectionsMax: 1,
    statementTimeoutMs: 5_000,
    isForQueues: true,
  });
}

beforeAll(async () => {
  database = openDatabase();
  const { rows } = await pool.query(
    `insert into flaghoist_system.delivery_worker (alive_until) values (now() + interval '1 hour') returning id`,
  );
  workerId = Number(rows[0].id);
});

afterAll(() => database.close());

afterEach(() =>
  pool.query(`truncate flaghoist_system.pending_notification, flaghoist_system.notification_body,
    flaghoist_system.notification_content cascade`),
);

interface Planted {
  key: number;
  daysAgo?: number;
  /** The body and what else stands beside it; without it there is none. */
  columns?: Record<string, string>;
}

/** The same second for all, because a content is found by the time of its notifications. */
const plantedAt = new Date().toISOString().slice(0, 19);

async function plant({ key, daysAgo = 0, columns }: Planted): Promise<void> {
  const created = `'${plantedAt}'::timestamp - interval '${daysAgo} days'`;
  await pool.query(
    'insert into flaghoist_system.pending_notification (notification_key, created_date, subscription_key) values ' +
      `(${key}, ${created}, 7)`,
  );
  if (!columns) return;
  const names = ['notification_key', 'created_date', ...Object.keys(columns)];
  const places = Object.keys(columns).map((_, n) => `$${n + 1}`);
  await pool.query(
    `insert into flaghoist_system.notification_body (${names}) values (${[key, created, ...places]})`,
    Object.values(columns),
  );
}

const headOf = (key: number) => `1-${key} Voyage 5 U 5 2026-11-16T10:00:00 application/json`;

async function claimRows(bytesMax = 1_000_000, over = database) {
  const capacities = { named: new Map(), others: 100 };
  return await over.run(claimPending({ workerId, afterLane: 0, lanesMax: 10, rowsMax: 1_000, capacities, bytesMax }));
}

async function claim(bytesMax?: number) {
  const rows = await claimRows(bytesMax);
  const { isEnd, lastLane, ...claimed } = readClaim(rows);
  expect(isEnd).toBe(true);
  return claimed;
}

test('an empty queue gives an empty claim', async () => {
  expect(await claim()).toEqual({ ready: [], withoutBody: [], surplus: [] });
});

test('each notification has its own body, from whatever day, even from a day without a partition', async () => {
  for (const daysAgo of [1, 2]) {
    const day = `(now() at time zone 'utc')::date - ${daysAgo}`;
    await pool.query(`select flaghoist_system.create_day_partition('flaghoist_system.notification_body', ${day})`);
  }
  const days = new Map([[11, 0], [12, 2], [13, 1], [14, 400], [15, 0], [16, 2]]); // biome-ignore format: pairs
  for (const [key, daysAgo] of days) await plant({ key, daysAgo, columns: { body: `of ${key}`, head: headOf(key) } });
  const { ready, withoutBody, surplus } = await claim();
  expect(ready.map(({ key, body, head }) => [key, body.toString(), parseHead(head).id])).toEqual(
    [...days.keys()].map((key) => [key, `of ${key}`, `1-${key}`]),
  );
  expect([withoutBody, surplus]).toEqual([[], []]);
});

test('notifications without a body are named; bodies beyond the limit are left out, except the first', async () => {
  await plant({ key: 21, columns: { body: 'x'.repeat(2_000), head: headOf(21) } });
  await plant({ key: 22, columns: { body: 'y', head: headOf(22) } });
  await plant({ key: 23 });
  const { ready, withoutBody, surplus } = await claim(1_000);
  expect(ready.map(({ key }) => key)).toEqual([21]);
  expect([withoutBody, surplus]).toEqual([[23], [22]]);
});

test('the subject of a mail comes with the body', async () => {
  await plant({ key: 31, columns: { body: '<a/>', head: headOf(31), subject: 'By a script' } });
  await plant({ key: 32, columns: { body: '{}', head: headOf(32) } });
  const { ready } = await claim();
  expect(ready.map(({ subject }) => subject)).toEqual(['By a script', null]);
});

/** A content of so many characters, with the key of the first of these notifications. */
async function plantShared(keys: readonly number[], chars: number): Promise<void> {
  const text = 'é'.repeat(chars / 2);
  const [first] = keys;
  await pool.query('insert into flaghoist_system.notification_content values ($1, $2, $3)', [first, plantedAt, text]);
  for (const key of keys)
    await plant({
      key,
      columns: { body: `of ${key}: `, head: headOf(key), content_key: String(first), content_bytes: String(chars) },
    });
}

test('a content that several share is returned once, and each has its whole body', async () => {
  await plantShared([41, 43, 44], 200);
  await plantShared([42, 45], 400);
  await plant({ key: 46, columns: { body: 'alone', head: headOf(46) } });
  const rows = await claimRows();
  expect(rows.filter(({ content }) => content !== null)).toHaveLength(2);
  const bodies = readClaim(rows).ready.map(({ key, body }) => [key, body.toString()]);
  const [short, long] = ['é'.repeat(100), 'é'.repeat(200)];
  expect(bodies).toEqual([
    [41, `of 41: ${short}`],
    [42, `of 42: ${long}`],
    [43, `of 43: ${short}`],
    [44, `of 44: ${short}`],
    [45, `of 45: ${long}`],
    [46, 'alone'],
  ]);
});

test('the limit counts whole bodies; a body whose content is not kept is named', async () => {
  await plantShared([51, 52, 53], 1_000);
  const { ready, surplus } = await claim(2_100);
  expect([ready.map(({ key }) => key), surplus]).toEqual([[51, 52], [53]]);
  await pool.query('update flaghoist_system.pending_notification set claimed_by = null');
  await pool.query('truncate flaghoist_system.notification_content');
  expect(await claim()).toMatchObject({ ready: [], withoutBody: [51, 52, 53], surplus: [] });
});

test('a content comes with the first body that fits, whatever order the bodies are read in', async () => {
  await plantShared([63, 61, 62], 1_000);
  const bitmaps = openDatabase();
  onTestFinished(() => bitmaps.close());
  // Bodies are then read in the order in which they were stored.
  await bitmaps.run({
    text: `select set_config('enable_indexscan', 'off', false), set_config('enable_bitmapscan', 'on', false)`,
  });
  const { ready, withoutBody, surplus } = readClaim(await claimRows(2_100, bitmaps));
  const content = 'é'.repeat(500);
  expect(ready.map(({ key, body }) => [key, body.toString()])).toEqual([
    [61, `of 61: ${content}`],
    [63, `of 63: ${content}`],
  ]);
  expect([withoutBody, surplus]).toEqual([[], [62]]);
  await pool.query('update flaghoist_system.pending_notification set claimed_by = null');
  const first = readClaim(await claimRows(500, bitmaps));
  expect(first.ready.map(({ key, body }) => [key, body.toString()])).toEqual([[63, `of 63: ${content}`]]);
  expect([first.withoutBody, first.surplus]).toEqual([[], [61, 62]]);
});
