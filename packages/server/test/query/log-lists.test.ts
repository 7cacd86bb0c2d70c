// Lists of the log of notifications, which is stored by day: the order over days, what is found by an index, and that
// days which a page does not need are not read.

import { beforeAll, describe, expect, test } from 'vitest';
import { DaysOfTypes } from '../../src/objects/days-of-types.ts';
import { isByDay, type KeptDays } from '../../src/query/kept-days.ts';
import { parseListRequest } from '../../src/query/list-request.ts';
import { compileList } from '../../src/query/list-statement.ts';
import type { QueryParameter } from '../../src/query/query-parameter.ts';
import { useTestDatabase } from '../support/test-database.ts';
import { find, type Json, links, list, runList, typeOf } from './query-fixture.ts';

const { pool, connections } = useTestDatabase();
const log = 'WebhookNotification';
const type = typeOf(log);
let days: KeptDays;
let voyage: { key: number; referenceNo: number };

/** 100 notifications over four days and one that has no partition, of every status, with some in the same second. */
beforeAll(async () => {
  await pool.query(`
    select flaghoist_system.create_day_partition('flaghoist_service.webhook_notification', current_date - ago)
      from generate_series(1, 3) ago;
    insert into flaghoist_service.api_user (key, user_code, name) values (1, 'owner', 'Owner');
    insert into flaghoist_service.webhook_subscription (key, event_types, event_type, object_type, operation, "user",
      url, channel_info, name)
    select k, '{Voyage.U}', 'Voyage.U', 'Voyage', 'U', 1, 'http://127.0.0.1:9', '{}', 'Number ' || k
      from generate_series(2, 4) k;
    insert into flaghoist.voyage (key, external_object_key) values (10, 'VOY/10'), (11, null);
    insert into flaghoist.currency (key, currency_code) values (12, 'XTS');
    select setval('flaghoist.object_key', 1000);
    insert into flaghoist_service.webhook_notification (key, created_date, id, subscription, "user", object_type,
      object_key, event_type, subscribed_object_key, occurred_at, status, error_message)
    select 100 + n, (now() at time zone 'utc')::date + interval '1 hour' - case when n < 10 then 20 else (100 - n) / 25 end
        * interval '1 day' - n % 7 * interval '1 second',
      n || '-' || 100 + n, 2 + n % 3, 1, case when n % 9 = 0 then 'Cargo' else 'Voyage' end, 10 + n % 2, 'U', 10 + n % 3,
      '2026-11-01', case n % 4 when 0 then 'PENDING' when 1 then 'FAILED' else 'DELIVERED' end,
      case when n % 4 = 1 then 'It failed: ' || n when n % 8 = 0 then 'To be tried again.' end
    from generate_series(1, 100) n;
    insert into flaghoist_system.pending_notification (notification_key, created_date, subscription_key)
    select key, created_date, subscription from flaghoist_service.webhook_notification where status = 'PENDING'`);
  days = (await new DaysOfTypes(connections).of(type))!;
  const { rows } = await pool.query('select reference_no from flaghoist.voyage where key = 11');
  voyage = { key: 11, referenceNo: rows[0].reference_no };
});

function parse(name: string, query: readonly QueryParameter[] = []) {
  return parseListRequest(typeOf(name), query, {});
}

async function keysBy(order: string, where = 'true'): Promise<number[]> {
  const { rows } = await pool.query(
    `select key::int from flaghoist_service.webhook_notification where ${where} order by ${order}`,
  );
  return rows.map(({ key }) => key);
}

/** All pages, each with the keys of `limit` notifications. */
async function pagesOf(sorts: string[], filters: string[], limit: number, known: KeptDays | undefined) {
  const pages: number[][] = [];
  for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
    const listed = await list(
      pool,
      log,
      [
        ...sorts.map((sort): QueryParameter => ['sort', sort]),
        ...filters.map((filter): QueryParameter => ['filter', filter]),
        ['limit', String(limit)],
        ...(after === undefined ? [] : [['after', after] as const]),
      ],
      {},
      known,
    );
    pages.push(listed.keys);
    after = listed.next;
  }
  return pages;
}

describe('in the order of createdDate', () => {
  test.each([
    ['newest first', ['createdDate(DS)', 'key(DS)'], 'created_date desc, key desc'],
    ['oldest first', ['createdDate(AS)'], 'created_date, key'],
    ['newest first, by subscription within a second', ['createdDate(DS)', 'subscription(AS)'], undefined],
  ])('%s: the pages are the whole list, with days that are known, outdated or unknown', async (_, sorts, order) => {
    const whole = await keysBy(order ?? 'created_date desc, subscription, key');
    const outdated = { from: '2026-01-01', to: days.from };
    for (const known of [days, outdated, { from: days.to, to: days.from }, undefined])
      for (const limit of [9, 100]) {
        const pages = await pagesOf(sorts, [], limit, known);
        expect(pages.flat(), `${limit} of ${JSON.stringify(known)}`).toEqual(whole);
        expect(pages.every((page, index) => page.length === limit || index === pages.length - 1)).toBe(true);
      }
  });

  test('with filters, also over references, and with alternatives', async () => {
    const filters = ['subscription.name(EQ)Number 3', 'status(EQ)FAILED', '(OR)', 'errorMessage(LIKE)%tried%'];
    const where = "subscription = 3 and status = 'FAILED' or error_message like '%tried%'";
    expect((await pagesOf(['createdDate(DS)', 'key(DS)'], filters, 4, days)).flat()).toEqual(
      await keysBy('created_date desc, key desc', where),
    );
  });

  test('days that the page does not need are not read, however few match', async () => {
    const request = parse(log, [
      ['filter', 'status(EQ)PENDING'],
      ['sort', 'createdDate(DS)'],
      ['sort', 'key(DS)'],
      ['limit', '2'],
    ]);
    expect(isByDay(request)).toBe(true);
    const { text, values } = compileList(request, links, days);
    const client = await pool.connect();
    try {
      // As for a full table, whose order only an index gives.
      await client.query('begin; set local enable_sort = off; set local enable_seqscan = off');
      const { rows } = await client.query({ text: `explain (analyze, format text) ${text}`, values });
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      const oldest = days.from.replaceAll('-', '');
      expect(plan).toMatch(new RegExp(`on webhook_notification_${oldest} .*never executed`));
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  test('other orders, offsets and types are read as a whole', () => {
    const isSplit = (name: string, ...query: [string, string][]) => isByDay(parse(name, query));
    expect(isSplit(log, ['sort', 'key(DS)'])).toBe(false);
    expect(isSplit(log, ['sort', 'createdDate(DS)'], ['pageNumber', '2'])).toBe(false);
    expect(isSplit(log, ['sort', 'subscription.createdDate(DS)'])).toBe(false);
    expect(isSplit('Voyage', ['sort', 'createdDate(DS)'])).toBe(false);
  });

  test('a plan for a filter of the log is made with its value, and others are kept', () => {
    const isSeldom = (name: string, ...query: [string, string][]) => compileList(parse(name, query), links).isSeldom;
    expect(isSeldom(log, ['filter', 'objectType(EQ)Cargo'])).toBe(true);
    expect(isSeldom(log)).toBe(false);
    expect(isSeldom('Voyage', ['filter', 'voyageStatus(EQ)EST'])).toBe(false);
  });
});

describe('a filter that has an index finds what it would find without', () => {
  test.each([
    ['status(EQ)PENDING', "status = 'PENDING'"],
    ['status(EQ)FAILED', "status = 'FAILED'"],
    ['status(EQ)DELIVERED', "status = 'DELIVERED'"],
    ['status(IN)(FAILED,FAILED)', "status = 'FAILED'"],
    ['status(IN)(PENDING,FAILED)', "status in ('PENDING', 'FAILED')"],
    ['status(NE)FAILED', "status <> 'FAILED'"],
    ['status(LIKE)%ED', "status in ('DELIVERED', 'FAILED')"],
    ['id(EQ)8-108', "id = '8-108'"],
    ['id(EQ)9-108', 'false'],
    ['id(EQ)108', 'false'],
    ['id(EQ)8-99999999999999999999', 'false'],
    ['id(IN)(8-108,9-109,nonsense)', "id in ('8-108', '9-109')"],
    ['id(LIKE)%-108', "id = '8-108'"],
    ['id(NE)8-108', "id <> '8-108'"],
    ['objectKey(EQ)10', 'object_key = 10'],
    ['objectType(EQ)Cargo', "object_type = 'Cargo'"],
    ['errorMessage(ILIKE)%FAILED: 5%', "error_message ilike '%failed: 5%'"],
  ])('%s', async (filter, where) => {
    expect(await find(pool, log, filter)).toEqual(await keysBy('key', where));
  });

  test('an object is found by its number, its code or its external key, and by nothing else', async () => {
    const about = (key: number) => keysBy('key', `subscribed_object_key = ${key}`);
    expect(await find(pool, log, `subscribedObjectCode(EQ)${voyage.referenceNo}`)).toEqual(await about(voyage.key));
    expect(await find(pool, log, 'subscribedObjectCode(EQ)VOY/10')).toEqual(await about(10));
    expect(await find(pool, log, 'subscribedObjectCode(EQ)XTS')).toEqual(await about(12));
    expect(await find(pool, log, `subscribedObjectCode(IN)(XTS,VOY/10,${'9'.repeat(30)})`)).toEqual(
      await keysBy('key', 'subscribed_object_key in (10, 12)'),
    );
    for (const none of ['voy/10', 'VOY', '10', ' XTS', "'; drop table x", '%'])
      expect(await find(pool, log, `subscribedObjectCode(EQ)"${none}"`), none).toEqual([]);
    for (const wrong of ['subscribedObjectCode(LIKE)V%', 'subscribedObjectCode(NULL)', 'subscribedObjectCode(NE)XTS'])
      await expect(find(pool, log, wrong)).rejects.toThrow(/takes EQ, IN/);
    await expect(list(pool, log, [['sort', 'subscribedObjectCode(AS)']])).rejects.toThrow(/cannot be sorted by/);
  });

  test('the code is shown on demand: the own one of the object, or else its external key', async () => {
    const fields = '{"subscribedObjectCode":"*","subscribedObjectKey":"*"}';
    const { objects } = await list(pool, log, [
      ['fields', fields],
      ['filter', 'key(LT)104'],
    ]);
    expect(
      objects.map(({ subscribedObjectKey, subscribedObjectCode }: Json) => [subscribedObjectKey, subscribedObjectCode]),
    ).toEqual([
      [11, String(voyage.referenceNo)],
      [12, 'XTS'],
      [10, expect.stringMatching(/^\d+$/)],
    ]);
    const { texts } = await runList(pool, compileList(parse(log, [['limit', '1']]), links));
    expect(texts[0]).not.toContain('subscribedObjectCode');
  });
});
