// Batches of statements: answered in order, prepared once per connection, and the connection stays usable after errors.

import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Database } from '../../src/database/database.ts';
import { DatabaseRelay } from '../support/database-relay.ts';
import { heapUsed, heapUsedBySmallCollections } from '../support/heap-used.ts';
import { useTestDatabase } from '../support/test-database.ts';

const testDatabase = useTestDatabase();
const actor = { userKey: undefined, client: 'test' };
let database: Database;

beforeAll(() => {
  database = open(1);
});

afterAll(() => database.close());

function open(connectionsMax: number, statementTimeoutMs = 5_000, url = testDatabase.url): Database {
  return new Database({ url, observe: () => undefined, connectionsMax, statementTimeoutMs });
}

test('the driver calls the same methods of a query as when the batch was written', () => {
  const called = Object.getOwnPropertyNames(pg.Query.prototype).filter((name) => /^(submit|handle)/.test(name));
  expect(called.sort()).toEqual([
    'handleCommandComplete',
    // A batch copies nothing, and asks for all rows at once.
    'handleCopyData',
    'handleCopyInResponse',
    'handleDataRow',
    'handleEmptyQuery',
    'handleError',
    'handlePortalSuspended',
    'handleReadyForQuery',
    'handleRowDescription',
    'submit',
  ]);
});

const numbers = { text: 'select n::int as n, n::text as text, null as nothing from generate_series(1, $1::int) n' };

test('values of any length arrive unchanged, even in several packets; null and empty text are distinct', async () => {
  const lengths = [0, 1, 70_000, 3, 2_000_000, 100];
  const rows = await database.run({
    text: `select repeat('ö', n) as text, '' as empty, null as nothing, repeat('ö', n) as bytes, n
      from unnest($1::int[]) n`,
    values: [lengths],
    readers: new Map([['bytes', (text: string) => Buffer.from(text)]]),
  });
  const expected = lengths.map((n) => {
    const text = 'ö'.repeat(n);
    return { text, empty: '', nothing: null, bytes: Buffer.from(text), n };
  });
  expect(rows.length).toBe(lengths.length);
  for (const [n, row] of rows.entries()) expect(isDeepStrictEqual({ ...row }, expected[n]), `row ${n}`).toBe(true);
});

test('a value that cannot be read fails only its own statement; null is not passed to the reader', async () => {
  const reject = () => {
    throw new Error('Not readable.');
  };
  const read = (value: string | null) =>
    database.run({ text: 'select $1::text as odd, 7 as even', values: [value], readers: new Map([['odd', reject]]) });
  for (let n = 0; n < 3; n += 1) {
    await expect(read('x')).rejects.toThrow('Not readable.');
    expect(await read(null)).toEqual([{ odd: null, even: 7 }]);
    expect(await database.run({ text: 'select from generate_series(1, 2)' })).toEqual([{}, {}]);
  }
});

test('the receiver gets the size of each row and can stop reading; the connection is replaced', async () => {
  const sizes: number[] = [];
  await database.run({ ...numbers, values: [3], onReceived: (bytes) => void sizes.push(bytes) });
  // 0 before sending; then three lengths of four bytes, and the digit twice.
  expect(sizes).toEqual([0, 14, 14, 14]);
  const enough = new Error('Enough.');
  let rows = 0;
  const onReceived = () => {
    rows += 1;
    if (rows === 6) throw enough;
  };
  const many = { ...numbers, values: [200_000], onReceived };
  await expect(database.run(many)).rejects.toBe(enough);
  expect(rows).toBe(6);
  rows = 1;
  await expect(database.transaction(actor, ({ run }) => run(many))).rejects.toBe(enough);
  expect(await database.run({ ...numbers, values: [1] })).toEqual([{ n: 1, text: '1', nothing: null }]);
});

test('each statement gets its own rows, in order and with their types, every time', async () => {
  for (let n = 0; n < 6; n += 1) {
    const answers = await database.runTogether(actor, [
      { ...numbers, values: [2] },
      { text: 'create table if not exists batch_marks (mark text)' },
      { text: 'select $1::boolean as yes, $2::jsonb as json, $3::int[] as list', values: [true, { a: [1] }, [4, 5]] },
      { ...numbers, values: [0] },
      { ...numbers, values: [1] },
    ]);
    expect(answers).toEqual([
      [
        { n: 1, text: '1', nothing: null },
        { n: 2, text: '2', nothing: null },
      ],
      [],
      [{ yes: true, json: { a: [1] }, list: [4, 5] }],
      [],
      [{ n: 1, text: '1', nothing: null }],
    ]);
  }
});

test('a repeated statement is prepared once per connection', async () => {
  const text = 'select $1::int as prepared_once';
  for (let n = 0; n < 5; n += 1) await database.run({ text, values: [n] });
  const known = await database.run({
    text: `select from_sql, (generic_plans + custom_plans)::int as times
      from pg_prepared_statements where statement = $1`,
    values: [text],
  });
  expect(known).toEqual([{ from_sql: false, times: 3 }]);
});

test('an error rolls back the transaction, and the connection stays usable', async () => {
  const divide = { text: 'select 1 / $1::int as quotient', values: [0] };
  const insert = { text: 'insert into batch_marks values ($1)', values: ['lost'] };
  for (let n = 0; n < 6; n += 1) {
    await expect(database.runTogether(actor, [insert, divide, { ...numbers, values: [1] }])).rejects.toMatchObject({
      code: '22012',
    });
    await expect(database.run(divide)).rejects.toMatchObject({ code: '22012' });
    await expect(database.run({ text: 'select nonsense(' })).rejects.toMatchObject({ code: '42601' });
    expect(await database.run({ ...divide, values: [1] })).toEqual([{ quotient: 1 }]);
  }
  expect(await database.run({ text: "select from batch_marks where mark = 'lost'" })).toEqual([]);
});

test('a statement that a failed batch may have prepared is prepared again', async () => {
  const text = 'select $1::int / $2::int as shared';
  for (let n = 0; n < 4; n += 1)
    await expect(database.runTogether(actor, [{ text, values: [1, 0] }])).rejects.toMatchObject({ code: '22012' });
  expect(await database.run({ text, values: [6, 3] })).toEqual([{ shared: 2 }]);
});

test('a value that cannot be converted is rejected before anything is sent', async () => {
  const circle: { self?: object } = {};
  circle.self = circle;
  await expect(database.run({ text: 'select $1::jsonb', values: [circle] })).rejects.toThrow(/circular/);
  expect(await database.run({ text: 'select 1 as one' })).toEqual([{ one: 1 }]);
});

test('a statement is cancelled at its time limit; a lost connection means an unavailable database', async () => {
  const hasty = open(1, 200);
  await expect(hasty.run({ text: 'select pg_sleep(5)' })).rejects.toMatchObject({ code: '57014' });
  expect(await hasty.run({ text: 'select 1 as one' })).toEqual([{ one: 1 }]);
  await expect(hasty.run({ text: 'select pg_terminate_backend(pg_backend_pid())' })).rejects.toMatchObject({
    name: 'DatabaseAway',
  });
  expect(await hasty.run({ text: 'select 1 as one' })).toEqual([{ one: 1 }]);
  await hasty.close();
});

test('a connection that no longer answers is given up in time, and the next statement uses another one', async () => {
  const relay = new DatabaseRelay();
  await relay.open();
  const hasty = open(1, 200, `${relay.urlOf(testDatabase.url)}?query_timeout=60000`);
  try {
    expect(await hasty.run({ text: 'select 1 as one' })).toEqual([{ one: 1 }]);
    relay.freeze();
    const stuck = { name: 'DatabaseStuck' };
    await expect(hasty.run({ text: 'select 1 as one' })).rejects.toMatchObject(stuck);
    expect(await hasty.run({ text: 'select 2 as two' })).toEqual([{ two: 2 }]);
    const lost = hasty.transaction(actor, async ({ run }) => {
      await run({ text: "insert into batch_marks values ('frozen')" });
      relay.freeze();
      await run({ text: 'select 1 as one' });
    });
    await expect(lost).rejects.toMatchObject(stuck);
    expect(await hasty.run({ text: 'select 3 as three' })).toEqual([{ three: 3 }]);
  } finally {
    await hasty.close();
    await relay.close();
  }
  expect(await database.run({ text: "select from batch_marks where mark = 'frozen'" })).toEqual([]);
});

test('the connection of a transaction that cannot be rolled back is closed', async () => {
  const one = open(1);
  const backend = async () => (await one.run({ text: 'select pg_backend_pid() as pid' }))[0]!.pid as number;
  const before = await backend();
  const failing = one.transaction(actor, async ({ run }) => {
    await run({ text: 'select 1 as one' });
    await database.run({ text: 'select pg_terminate_backend($1::int, 5000)', values: [before] });
    throw new Error('a mistake of the caller');
  });
  await expect(failing).rejects.toThrow('a mistake of the caller');
  expect(await backend()).not.toBe(before);
  await one.close();
});

test('many concurrent transactions over few connections get their own answers, however large', async () => {
  const few = open(3);
  const large = 'x'.repeat(3_000_000);
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      few.transaction(actor, async ({ run, commitWith }) => {
        const [first] = await run({ text: 'select $1::int as n', values: [n] });
        const [second] = await commitWith({ text: 'select $1::text as text', values: [n % 20 === 0 ? large : `${n}`] });
        return [first![0]!.n, (second![0]!.text as string).length];
      }),
    ),
  );
  expect(answers).toEqual(answers.map((_, n) => [n, n % 20 === 0 ? large.length : `${n}`.length]));
  await few.close();
});

test('the rows of a statement are freed by the next minor garbage collection', async () => {
  const read = () =>
    database.runTogether(actor, [{ text: "select repeat('x', 10000) || n as text from generate_series(1, 4) n" }]);
  for (let n = 0; n < 50; n += 1) await read();
  const before = heapUsed();
  for (let n = 0; n < 400; n += 1) await read();
  // All of it would be 16 MB. Other garbage of the test comes on top.
  expect((heapUsedBySmallCollections() - before) / 1_000_000).toBeLessThan(8);
});
