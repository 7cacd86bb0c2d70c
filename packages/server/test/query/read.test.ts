// One object, as PostgreSQL renders it: the default view, field selections, exact values, and the state for its ETag.

import { beforeAll, describe, expect, test } from 'vitest';
import { compileReadMany, compileState, type ReadManyRow } from '../../src/query/read-statement.ts';

import { keyAndSelfView } from '../../src/query/view.ts';
import { useTestDatabase } from '../support/test-database.ts';
import { insert, links, list, model, read, readRow, typeOf } from './query-fixture.ts';

const { pool } = useTestDatabase();
let port: number;
let vessel: number;
let voyage: number;
let firstCall: number;
let secondCall: number;

beforeAll(async () => {
  port = await insert(pool, 'port', { un_lo_code: 'NLRTM', port_name: 'Rotterdam' });
  vessel = await insert(pool, 'vessel', {
    vessel_name: 'Nordic "Star" \\ ä 👍',
    dwt_summer: '1234567890123456.12345678',
  });
  voyage = await insert(pool, 'voyage', {
    vessel,
    freight: '0.1',
    gross_freight: '100',
    days_total: '-12.5',
    commission: '9999999999999999.99999999',
    is_tc: false,
    estimated_voyage_start_date: '2026-11-15T01:53:22',
  });
  secondCall = await insert(pool, 'port_call', { voyage, port, reason_for_call: 'D', port_call_sequence: 2 });
  firstCall = await insert(pool, 'port_call', { voyage, port, reason_for_call: 'L', port_call_sequence: 1 });
  await insert(pool, 'event_log', { port_call: firstCall, event: 'ARR' });
});

describe('an object', () => {
  test('is whole: scalars, references with code and name, its sub-objects in order', async () => {
    const object = await read(pool, 'Voyage', voyage);
    expect(Object.keys(object).slice(0, 8)).toEqual([
      'key',
      'self',
      'createdDate',
      'modifiedDate',
      'createdById',
      'changedById',
      'externalObjectKey',
      'referenceNo',
    ]);
    expect(object).toMatchObject({
      key: voyage,
      self: `https://example.org/ws/rest/Voyage/${voyage}`,
      isTc: false,
      comments: null,
      ballastPort: null,
      estimatedVoyageStartDate: '2026-11-15T01:53:22',
      vessel: {
        key: vessel,
        self: `https://example.org/ws/rest/Vessel/${vessel}`,
        vesselName: 'Nordic "Star" \\ ä 👍',
      },
      cargos: [],
    });
    expect(object.vessel).not.toHaveProperty('dwtSummer');
    expect(object.portCalls).toMatchObject([
      { key: firstCall, port: { key: port, self: `https://example.org/ws/rest/Port/${port}` } },
      { key: secondCall, agent: null },
    ]);
    expect((object.portCalls as object[])[0]).not.toHaveProperty('eventLogs');
    expect((object.portCalls as { port: object }[])[0]?.port).toHaveProperty('portName');
    expect(object).not.toHaveProperty('remarks');
  });

  test('in a list is minimized: references as key and self, no collections', async () => {
    const [object] = (await list(pool, 'Voyage')).objects;
    expect(object?.vessel).toEqual({ key: vessel, self: `https://example.org/ws/rest/Vessel/${vessel}` });
    expect(object).not.toHaveProperty('portCalls');
    expect(object).not.toHaveProperty('cargos');
    expect(object).toHaveProperty('freight', 0.1);
  });

  test('has every digit of its decimals, and no trailing zeros', async () => {
    const { object } = await readRow(
      pool,
      'Voyage',
      voyage,
      '{"freight":"*","grossFreight":"*","daysTotal":"*","commission":"*"}',
    );
    expect(object).toMatch(
      /"daysTotal":-12\.5,"freight":0\.1,"grossFreight":100,"commission":9999999999999999\.99999999\}$/,
    );
    expect((await readRow(pool, 'Vessel', vessel)).object).toContain('"dwtSummer":1234567890123456.12345678');
    expect((await list(pool, 'Vessel')).texts.join()).toContain('"dwtSummer":1234567890123456.12345678');
  });

  test('is rendered without white space', async () => {
    const { object } = await readRow(pool, 'Voyage', voyage);
    expect(object).toBe(
      JSON.stringify(JSON.parse(object)).replaceAll('10000000000000000', '9999999999999999.99999999'),
    );
  });

  test('shows null only for missing values', async () => {
    const empty = await insert(pool, 'voyage');
    const object = await read(pool, 'Voyage', empty);
    expect(object).toMatchObject({ freight: null, isTc: null, vessel: null, portCalls: [], cargos: [] });
  });

  test('that does not exist is no row', async () => {
    expect(await readRow(pool, 'Voyage', 999_999_999)).toBeUndefined();
    expect(await readRow(pool, 'Voyage', vessel)).toBeUndefined();
  });
});

describe('fields', () => {
  test('show what they pick, in the order of the model, with key and self', async () => {
    const object = await read(
      pool,
      'Voyage',
      voyage,
      '{"portCalls":{"port":{"portName":"*"},"eventLogs":"*"},"freight":"*"}',
    );
    expect(Object.keys(object)).toEqual(['key', 'self', 'freight', 'portCalls']);
    const [first, second] = object.portCalls as Record<string, unknown>[];
    expect(first).toMatchObject({
      port: { portName: 'Rotterdam' },
      eventLogs: [{ event: 'ARR', portCall: { key: firstCall } }],
    });
    expect(Object.keys(first!)).toEqual(['key', 'self', 'port', 'eventLogs']);
    expect(Object.keys(first!.port as object)).toEqual(['key', 'self', 'portName']);
    expect(second).toMatchObject({ key: secondCall, eventLogs: [] });
  });

  test('pick a whole reference as its minimized object, or null', async () => {
    const object = await read(pool, 'Voyage', voyage, '{"vessel":"*","ballastPort":"*"}');
    expect(object.vessel).toMatchObject({ vesselName: 'Nordic "Star" \\ ä 👍', builtYear: null });
    expect(object.ballastPort).toBeNull();
  });

  test('go over references and back through collections', async () => {
    const fields = '{"voyage":{"vessel":{"vesselName":"*"},"portCalls":{"voyage":{"referenceNo":"*"}}}}';
    const object = await read(pool, 'PortCall', firstCall, fields);
    expect(object.voyage).toMatchObject({
      key: voyage,
      vessel: { vesselName: 'Nordic "Star" \\ ä 👍' },
      portCalls: [
        { key: firstCall, voyage: { key: voyage } },
        { key: secondCall, voyage: { key: voyage } },
      ],
    });
  });

  test('work the same in a list', async () => {
    const { objects } = await list(pool, 'PortCall', [
      ['fields', '{"voyage":{"vessel":{"vesselName":"*"}},"eventLogs":{}}'],
    ]);
    expect(objects).toMatchObject([
      { key: secondCall, voyage: { vessel: { vesselName: 'Nordic "Star" \\ ä 👍' } }, eventLogs: [] },
      { key: firstCall, voyage: { key: voyage }, eventLogs: [{ self: expect.stringContaining('/EventLog/') }] },
    ]);
  });

  test('are the only way to see remarks and an attachment’s file, which is Base64 on one line', async () => {
    const file = Buffer.from(Array.from({ length: 300 }, (_, index) => index % 256));
    const remarks = await insert(pool, 'remarks', { source: voyage, remark_text: 'look' });
    const attachment = await insert(pool, 'attachment', { remarks, file_name: 'a.bin', file });
    expect(await read(pool, 'Attachment', attachment)).not.toHaveProperty('file');
    const picked = await read(pool, 'Voyage', voyage, '{"remarks":{"remarkText":"*","attachments":{"file":"*"}}}');
    expect(picked.remarks).toMatchObject([
      { key: remarks, remarkText: 'look', attachments: [{ key: attachment, file: file.toString('base64') }] },
    ]);
    const [listed] = (await list(pool, 'Attachment', [['fields', '{"file":"*"}']])).objects;
    expect(listed?.file).toBe(file.toString('base64'));
  });
});

test('an object of more than 64 MB is not shown at all', async () => {
  const large = await insert(pool, 'remarks', { source: voyage, remark_text: 'x'.repeat(64 * 1024 * 1024) });
  await expect(readRow(pool, 'Remarks', large)).rejects.toMatchObject({ code: '54000' });
  await expect(list(pool, 'Remarks')).rejects.toMatchObject({ code: '54000' });
  await pool.query('delete from flaghoist.remarks where key = $1', [large]);
});

describe('several objects', () => {
  async function readMany(keys: number[]): Promise<ReadManyRow[]> {
    return (await pool.query(compileReadMany(keyAndSelfView(typeOf('PortCall')), links), [keys])).rows;
  }

  test('come in the requested order; missing ones are left out', async () => {
    const keysOf = async (keys: number[]) => (await readMany(keys)).map(({ object }) => JSON.parse(object).key);
    expect(await keysOf([secondCall, 999_999_999, firstCall])).toEqual([secondCall, firstCall]);
    expect(await keysOf([firstCall, secondCall])).toEqual([firstCall, secondCall]);
    expect(await keysOf([])).toEqual([]);
  });
});

describe('the state', () => {
  const stateOf = async (type: string, key: number) => (await readRow(pool, type, key)).state;

  async function expectChange(sql: string, values: unknown[], isChange = true): Promise<void> {
    const before = await stateOf('Voyage', voyage);
    await pool.query(sql, values);
    expect((await stateOf('Voyage', voyage)) !== before).toBe(isChange);
  }

  test('does not change without a write, whatever is shown', async () => {
    const state = await stateOf('Voyage', voyage);
    expect(state).toMatch(/^[0-9a-f]{1,16}$/);
    expect(await stateOf('Voyage', voyage)).toBe(state);
    expect((await readRow(pool, 'Voyage', voyage, '{}')).state).toBe(state);
    expect((await pool.query(compileState(typeOf('Voyage')), [voyage])).rows).toEqual([{ state }]);
  });

  test('changes with the object and its sub-objects at every level', async () => {
    await expectChange("update flaghoist.voyage set comments = 'changed' where key = $1", [voyage]);
    await expectChange('update flaghoist.port_call set speed = 11 where key = $1', [firstCall]);
    await expectChange("insert into flaghoist.event_log (port_call, event) values ($1, 'DEP')", [secondCall]);
    await expectChange("update flaghoist.event_log set event = 'BRT' where port_call = $1", [secondCall]);
    await expectChange('delete from flaghoist.event_log where port_call = $1', [secondCall]);
  });

  test('does not change with objects outside of its tree', async () => {
    await expectChange("update flaghoist.vessel set flag = 'NO' where key = $1", [vessel], false);
    await expectChange("insert into flaghoist.remarks (source, remark_text) values ($1, 'x')", [voyage], false);
    await expectChange('update flaghoist.voyage set comments = comments where key = $1', [voyage], false);
    const other = await insert(pool, 'voyage');
    await expectChange(
      "insert into flaghoist.port_call (voyage, port, reason_for_call) values ($1, $2, 'L')",
      [other, port],
      false,
    );
  });

  test('of both voyages changes when a sub-object moves from one to the other', async () => {
    const from = await insert(pool, 'voyage');
    const to = await insert(pool, 'voyage');
    const call = await insert(pool, 'port_call', { voyage: from, port, reason_for_call: 'L' });
    const before = [await stateOf('Voyage', from), await stateOf('Voyage', to)];
    await pool.query('update flaghoist.port_call set voyage = $2 where key = $1', [call, to]);
    expect(await stateOf('Voyage', from)).not.toBe(before[0]);
    expect(await stateOf('Voyage', to)).not.toBe(before[1]);
  });
});

test.each([...model.types.keys()])('the statements of %s run, with everything that can be picked', async (name) => {
  const picks = [...typeOf(name).attributes.keys()].map((attribute) => [attribute, '*']);
  const everything = JSON.stringify(Object.fromEntries(picks));
  await readRow(pool, name, 1);
  await readRow(pool, name, 1, everything);
  await list(pool, name, [['fields', everything]]);
});
