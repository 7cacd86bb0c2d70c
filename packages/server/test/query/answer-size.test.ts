// An object that is too large is rejected before its text is built, by the size of its values, not the number of rows.

import { describe, expect, test } from 'vitest';
import { parseListRequest, parseReadRequest } from '../../src/query/list-request.ts';
import { compileList } from '../../src/query/list-statement.ts';
import { compileRead, compileReadCreated } from '../../src/query/read-statement.ts';
import { asTexts } from '../support/as-texts.ts';
import { useTestDatabase } from '../support/test-database.ts';
import { insert, links, typeOf } from './query-fixture.ts';

const database = useTestDatabase();
const megabyte = 1_048_576;
const viewOf = (type: string, fields: object) => parseReadRequest(typeOf(type), [], { fields: JSON.stringify(fields) });

/** Fails with "built" as soon as any JSON is made. */
function watched(text: string): string {
  return text.replaceAll('row_to_json(', 'public.built(');
}

async function addBuilt(): Promise<void> {
  await database.pool.query(`create or replace function public.built(shown record) returns json language plpgsql
    as $$ begin raise exception 'built'; end $$`);
}

async function errorOf(text: string, values: unknown[]): Promise<{ code?: string; message: string }> {
  await addBuilt();
  return database.pool.query(watched(text), values).then(
    () => ({ message: 'answered' }),
    ({ code, message }) => ({ code, message }),
  );
}

const rejected = { code: '54000' };
const built = { message: 'built' };

/** A voyage with so many port calls, and as many cargos. */
async function addVoyage(count: number): Promise<number> {
  const { rows } = await database.pool.query(
    `with v as (insert into flaghoist.voyage default values returning key),
     p as (insert into flaghoist.port (un_lo_code) values (left(gen_random_uuid()::text, 5)) returning key),
     o as (insert into flaghoist.commodity (commodity_code) values (left(gen_random_uuid()::text, 30)) returning key),
     b as (insert into flaghoist.business_partner (business_partner_code)
       values (left(gen_random_uuid()::text, 30)) returning key),
     u as (insert into flaghoist.currency (currency_code) values (left(gen_random_uuid()::text, 3)) returning key),
     c as (insert into flaghoist.port_call (voyage, port, reason_for_call)
       select v.key, p.key, 'L' from v, p, generate_series(1, $1)),
     g as (insert into flaghoist.cargo (voyage, commodity, charterer, freight_currency, cargo_measurement)
       select v.key, o.key, b.key, u.key, 'MT' from v, o, b, u, generate_series(1, $1))
     select key::int from v`,
    [count],
  );
  return rows[0].key;
}

describe('a selection that multiplies the rows it reaches', () => {
  const fields = { portCalls: { voyage: { cargos: '*' } } };

  test('an object of 25 MB is rejected, one of 6 MB is built', async () => {
    const text = compileRead(viewOf('Voyage', fields), links);
    expect(await errorOf(text, [await addVoyage(200)])).toMatchObject(rejected);
    expect(await errorOf(text, [await addVoyage(100)])).toMatchObject(built);
  });

  test('the same in a list', async () => {
    const key = await addVoyage(200);
    const query = [...new URLSearchParams({ filter: `key(EQ)${key}`, fields: JSON.stringify(fields) })];
    const { text, values } = compileList(parseListRequest(typeOf('Voyage'), query, {}), links);
    expect(await errorOf(text, values)).toMatchObject(rejected);
  });

  test('the answer to an array POST counts as a whole', async () => {
    const text = compileReadCreated(viewOf('PortCall', { voyage: { cargos: '*' } }), links);
    const voyage = await addVoyage(200);
    const { rows } = await database.pool.query('select key from flaghoist.port_call where voyage = $1', [voyage]);
    const keys = rows.map(({ key }) => Number(key));
    expect(await errorOf(text, [keys])).toMatchObject(rejected);
    expect(await errorOf(text, [keys.slice(0, 50)])).toMatchObject(built);
  });
});

describe('a few large values', () => {
  async function addRemark(attachments: number, fileBytes: number, text = ''): Promise<number> {
    const source = await insert(database.pool, 'voyage');
    const remarks = await insert(database.pool, 'remarks', { source, remark_text: text });
    await database.pool.query(
      `insert into flaghoist.attachment (remarks, file_name, file)
       select $1, 'f', convert_to(repeat('x', $3), 'UTF8') from generate_series(1, $2)`,
      [remarks, attachments, fileBytes],
    );
    return remarks;
  }

  test('files count as Base64: 15 MB of files are rejected, 12 MB are built', async () => {
    const text = compileRead(viewOf('Remarks', { attachments: { file: '*' } }), links);
    expect(await errorOf(text, [await addRemark(3, 5 * megabyte)])).toMatchObject(rejected);
    expect(await errorOf(text, [await addRemark(3, 4 * megabyte)])).toMatchObject(built);
  });

  test('values behind references count', async () => {
    const remarks = await addRemark(1, 6 * megabyte, 'x'.repeat(15 * megabyte));
    const { rows } = await database.pool.query('select key from flaghoist.attachment where remarks = $1', [remarks]);
    const both = compileRead(viewOf('Attachment', { file: '*', remarks: { remarkText: '*' } }), links);
    const one = compileRead(viewOf('Attachment', { file: '*', remarks: {} }), links);
    expect(await errorOf(both, [rows[0].key])).toMatchObject(rejected);
    expect(await errorOf(one, [rows[0].key])).toMatchObject(built);
  });

  test('two very large values of an object are rejected together, and built one at a time', async () => {
    const remarks = await addRemark(1, 11 * megabyte);
    const { rows } = await database.pool.query(
      `update flaghoist.attachment set file_name = repeat('y', $2) where remarks = $1 returning key`,
      [remarks, 15 * megabyte],
    );
    const text = (fields: object) => compileRead(viewOf('Attachment', fields), links);
    expect(await errorOf(text({ file: '*', fileName: '*' }), [rows[0].key])).toMatchObject(rejected);
    expect(await errorOf(text({ file: '*' }), [rows[0].key])).toMatchObject(built);
    expect(await errorOf(text({ fileName: '*' }), [rows[0].key])).toMatchObject(built);
  });

  test("an object's largest value can always be read, together with a few small ones", async () => {
    const remarks = await addRemark(2, 100, 'x'.repeat(30 * megabyte));
    const text = compileRead(viewOf('Remarks', { remarkText: '*', attachments: { file: '*' } }), links);
    expect(await errorOf(text, [remarks])).toMatchObject(built);
  });
});

describe('exactly the objects that are too large are rejected', () => {
  const hostile = ['\u0001', '"', '\\', 'ñ', '😀', '\n', 'x', '\u007f'];
  const fields = {
    cargos: {
      cargoReference: '*',
      externalReference: '*',
      quantity: '*',
      isOption: '*',
      cpDate: '*',
      charterer: { businessPartnerName: '*', businessPartnerCode: '*' },
      voyage: '*',
    },
  };
  const view = viewOf('Voyage', fields);

  test.each(hostile)('texts of %j', async (character) => {
    const voyage = await addVoyage(200);
    await database.pool.query(
      `update flaghoist.cargo set cargo_reference = repeat($2, 300), external_reference = repeat($2, 40),
         quantity = -1234567890123456.12345678, is_option = false, cp_date = now()
       where voyage = $1`,
      [voyage, character],
    );
    await database.pool.query(
      `update flaghoist.business_partner set business_partner_name = repeat($2, 100)
       where key in (select charterer from flaghoist.cargo where voyage = $1)`,
      [voyage, character],
    );
    const read = (bytesMax: number) =>
      database.pool.query({
        text: compileRead(view, links, { bytesMax, isRough: false }),
        values: [voyage],
        types: asTexts,
      });
    const size = Buffer.byteLength((await read(16 * megabyte)).rows[0].object);
    await expect(read(Math.floor(size * 0.99))).rejects.toMatchObject(rejected);
    expect((await read(Math.ceil(size * 1.4))).rows).toHaveLength(1);
  });
});
