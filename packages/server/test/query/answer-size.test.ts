// What is too large is refused before any of its text is built, by what is stored and not by how many rows there are.

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

async function refusalOf(text: string, values: unknown[]): Promise<{ code?: string; message: string }> {
  await addBuilt();
  return database.pool.query(watched(text), values).then(
    () => ({ message: 'answered' }),
    ({ code, message }) => ({ code, message }),
  );
}

const refused = { code: '54000' };
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

describe('a selection that multiplies what it reaches', () => {
  const fields = { portCalls: { voyage: { cargos: '*' } } };

  test('25 MB of one object are refused, 6 MB are built', async () => {
    const text = compileRead(viewOf('Voyage', fields), links);
    expect(await refusalOf(text, [await addVoyage(200)])).toMatchObject(refused);
    expect(await refusalOf(text, [await addVoyage(100)])).toMatchObject(built);
  });

  test('the same in a list', async () => {
    const key = await addVoyage(200);
    const query = [...new URLSearchParams({ filter: `key(EQ)${key}`, fields: JSON.stringify(fields) })];
    const { text, values } = compileList(parseListRequest(typeOf('Voyage'), query, {}), links);
    expect(await refusalOf(text, values)).toMatchObject(refused);
  });

  test('the answer to an array POST counts as a whole', async () => {
    const text = compileReadCreated(viewOf('PortCall', { voyage: { cargos: '*' } }), links);
    const voyage = await addVoyage(200);
    const { rows } = await database.pool.query('select key from flaghoist.port_call where voyage = $1', [voyage]);
    const keys = rows.map(({ key }) => Number(key));
    expect(await refusalOf(text, [keys])).toMatchObject(refused);
    expect(await refusalOf(text, [keys.slice(0, 50)])).toMatchObject(built);
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

  test('files count as Base64: 15 MB of them are refused, 12 MB are built', async () => {
    const text = compileRead(viewOf('Remarks', { attachments: { file: '*' } }), links);
    expect(await refusalOf(text, [await addRemark(3, 5 * megabyte)])).toMatchObject(refused);
    expect(await refusalOf(text, [await addRemark(3, 4 * megabyte)])).toMatchObject(built);
  });

  test('those behind references count', async () => {
    const remarks = await addRemark(1, 6 * megabyte, 'x'.repeat(15 * megabyte));
    const { rows } = await database.pool.query('select key from flaghoist.attachment where remarks = $1', [remarks]);
    const both = compileRead(viewOf('Attachment', { file: '*', remarks: { remarkText: '*' } }), links);
    const one = compileRead(viewOf('Attachment', { file: '*', remarks: {} }), links);
    expect(await refusalOf(both, [rows[0].key])).toMatchObject(refused);
    expect(await refusalOf(one, [rows[0].key])).toMatchObject(built);
  });

  test('two of its own values that are both very large are refused, each is built', async () => {
    const remarks = await addRemark(1, 11 * megabyte);
    const { rows } = await database.pool.query(
      `update flaghoist.attachment set file_name = repeat('y', $2) where remarks = $1 returning key`,
      [remarks, 15 * megabyte],
    );
    const text = (fields: object) => compileRead(viewOf('Attachment', fields), links);
    expect(await refusalOf(text({ file: '*', fileName: '*' }), [rows[0].key])).toMatchObject(refused);
    expect(await refusalOf(text({ file: '*' }), [rows[0].key])).toMatchObject(built);
    expect(await refusalOf(text({ fileName: '*' }), [rows[0].key])).toMatchObject(built);
  });

  test("an object's largest value can always be read, and so can a little besides", async () => {
    const remarks = await addRemark(2, 100, 'x'.repeat(30 * megabyte));
    const text = compileRead(viewOf('Remarks', { remarkText: '*', attachments: { file: '*' } }), links);
    expect(await refusalOf(text, [remarks])).toMatchObject(built);
  });
});

describe('what is refused is what is too large', () => {
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
    await expect(read(Math.floor(size * 0.99))).rejects.toMatchObject(refused);
    expect((await read(Math.ceil(size * 1.4))).rows).toHaveLength(1);
  });
});
