// What filters find, against a real database.

import { beforeAll, describe, expect, test } from 'vitest';
import type { ObjectType } from '../../src/model/object-type.ts';
import { useTestDatabase } from '../support/test-database.ts';
import { find, insert, typeOf } from './query-fixture.ts';

const { pool } = useTestDatabase();
const keys = new Map<string, number>();

beforeAll(async () => {
  const add = async (name: string, table: string, row: Record<string, unknown>): Promise<number> => {
    const key = await insert(pool, table, row);
    keys.set(name, key);
    return key;
  };
  const usd = await add('usd', 'currency', { currency_code: 'USD' });
  const eur = await add('eur', 'currency', { currency_code: 'EUR' });
  const digits = await add('978', 'currency', { currency_code: '978' });
  const rotterdam = await add('rotterdam', 'port', { un_lo_code: 'NLRTM', port_name: 'Rotterdam' });
  const oslo = await add('oslo', 'port', { un_lo_code: 'NOOSL', port_name: 'Oslo' });
  const star = await add('star', 'vessel', { vessel_name: 'Nordic Star', built_year: 2001 });
  const moon = await add('moon', 'vessel', { vessel_name: 'moon', built_year: null });
  const one = await add('one', 'voyage', {
    vessel: star,
    voyage_status: 'EST',
    comments: 'a',
    freight: '100.5',
    is_tc: true,
    estimated_voyage_start_date: '2026-01-01T12:00:00',
    ballast_port: oslo,
  });
  const two = await add('two', 'voyage', {
    vessel: moon,
    voyage_status: 'NOM',
    comments: 'B',
    freight: '200',
    is_tc: false,
    estimated_voyage_start_date: '2026-06-01T00:00:00',
  });
  await add('three', 'voyage', {});
  const call = (name: string, row: Record<string, unknown>) => add(name, 'port_call', { reason_for_call: 'L', ...row });
  const call1 = await call('call1', { voyage: one, port: rotterdam, currency: usd, eta: '2026-01-02', speed: '12' });
  await call('call2', { voyage: one, port: oslo, currency: eur, eta: '2026-01-05', speed: '14' });
  await call('call3', { voyage: two, port: rotterdam, currency: eur, eta: '2026-06-02', speed: '14' });
  await call('call4', { voyage: two, port: oslo, currency: digits, eta: null, speed: null });
  await add('log1', 'event_log', { port_call: call1, event: 'ARR', event_log_date: '2026-01-02' });
  await add('log2', 'event_log', { port_call: call1, event: 'DEP', event_log_date: '2026-01-03' });
});

/** Which of the voyages `one`, `two` and `three` fit. */
function voyages(...filters: string[]): Promise<string[]> {
  return found('Voyage', filters, ['one', 'two', 'three']);
}

function calls(...filters: string[]): Promise<string[]> {
  return found('PortCall', filters, ['call1', 'call2', 'call3', 'call4']);
}

async function found(type: string, filters: string[], names: string[]): Promise<string[]> {
  const fits = await find(pool, type, ...filters);
  expect(fits.every((key) => names.some((name) => keys.get(name) === key))).toBe(true);
  return names.filter((name) => fits.includes(keys.get(name)!));
}

describe('each operator', () => {
  test.each([
    ['freight(EQ)100.5', ['one']],
    ['freight(EQ)100.50000000', ['one']],
    ['freight(NE)100.5', ['two', 'three']],
    ['freight(GT)100.5', ['two']],
    ['freight(GTE)100.5', ['one', 'two']],
    ['freight(LT)200', ['one']],
    ['freight(LTE)200', ['one', 'two']],
    ['freight(IN)(100.5,7)', ['one']],
    ['freight(NIN)(100.5,7)', ['two', 'three']],
    ['freight(NULL)', ['three']],
    ['freight(NOTNULL)', ['one', 'two']],
    ['freight(BETWEEN)(100.5,200)', ['one', 'two']],
    ['freight(BETWEEN)(200,100.5)', []],
    ['freight(GT)-1e2', ['one', 'two']],
    ['comments(EQ)a', ['one']],
    ['comments(EQ)A', []],
    ['comments(IN)(a,B)', ['one', 'two']],
    ['comments(LIKE)_', ['one', 'two']],
    ['comments(LIKE)A', []],
    ['comments(ILIKE)A', ['one']],
    ['voyageStatus(EQ)EST', ['one']],
    ['voyageStatus(NE)EST', ['two', 'three']],
    ['voyageStatus(IN)(EST,NOM)', ['one', 'two']],
    ['voyageStatus(LIKE)%M', ['two']],
    ['isTc(EQ)true', ['one']],
    ['isTc(EQ)1', ['one']],
    ['isTc(EQ)false', ['two']],
    ['isTc(EQ)0', ['two']],
    ['isTc(NE)1', ['two', 'three']],
    ['isTc(IN)(1,false)', ['one', 'two']],
    ['isTc(NULL)', ['three']],
    ['estimatedVoyageStartDate(EQ)2026-01-01T12:00:00', ['one']],
    ['estimatedVoyageStartDate(EQ)2026-01-01T13:00:00+01:00', ['one']],
    ['estimatedVoyageStartDate(EQ)2026-01-01T12:00:00.750Z', ['one']],
    ['estimatedVoyageStartDate(EQ)2026-06-01', ['two']],
    ['estimatedVoyageStartDate(BETWEEN)(2026-01-01,2026-01-02)', ['one']],
    ['estimatedVoyageStartDate(LT)0001-01-01', []],
    ['estimatedVoyageStartDate(LTE)9999-12-31T23:59:59', ['one', 'two']],
    ['createdById(NULL)', ['one', 'two', 'three']],
  ])('%s', async (filter, expected) => {
    expect(await voyages(filter)).toEqual(expected);
  });

  test('on the key', async () => {
    const [one, two, three] = ['one', 'two', 'three'].map((name) => keys.get(name));
    expect(await voyages(`key(EQ)${one}`)).toEqual(['one']);
    expect(await voyages(`key(GT)${one}`)).toEqual(['two', 'three']);
    expect(await voyages(`key(IN)(${two},${three})`)).toEqual(['two', 'three']);
    expect(await voyages(`key(BETWEEN)(${one},${two})`)).toEqual(['one', 'two']);
    expect(await voyages('key(LT)9007199254740991')).toEqual(['one', 'two', 'three']);
  });

  test('all filters must match', async () => {
    expect(await voyages('freight(NOTNULL)', 'isTc(EQ)false')).toEqual(['two']);
    expect(await voyages('freight(EQ)200', 'isTc(EQ)true')).toEqual([]);
  });
});

describe('over references', () => {
  test.each([
    ['vessel.vesselName(EQ)Nordic Star', ['one']],
    ['vessel.vesselName(ILIKE)nordic%', ['one']],
    ['vessel.builtYear(GT)2000', ['one']],
    ['ballastPort.unLoCode(EQ)NOOSL', ['one']],
    ['ballastPort.unLoCode(IN)(NOOSL,XXXXX)', ['one']],
    ['ballastPort.unLoCode(EQ)XXXXX', []],
    ['vessel(NULL)', ['three']],
    ['vessel(NOTNULL)', ['one', 'two']],
  ])('%s', async (filter, expected) => {
    expect(await voyages(filter)).toEqual(expected);
  });

  test('a path that ends at a reference compares its key', async () => {
    const [star, moon] = [keys.get('star'), keys.get('moon')];
    expect(await voyages(`vessel(EQ)${star}`)).toEqual(['one']);
    expect(await voyages(`vessel.key(EQ)${star}`)).toEqual(['one']);
    expect(await voyages(`vessel(NE)${star}`)).toEqual(['two', 'three']);
    expect(await voyages(`vessel(IN)(${star},${moon})`)).toEqual(['one', 'two']);
    expect(await voyages(`vessel(NIN)(${star},${moon})`)).toEqual(['three']);
  });

  test('of a type with a code can compare the code; a code of digits must be in quotes', async () => {
    expect(await calls('currency(EQ)USD')).toEqual(['call1']);
    expect(await calls('currency(NE)USD')).toEqual(['call2', 'call3', 'call4']);
    expect(await calls('currency(IN)(USD,EUR)')).toEqual(['call1', 'call2', 'call3']);
    expect(await calls('currency(NIN)(USD,EUR)')).toEqual(['call4']);
    expect(await calls('currency(NE)XXX')).toEqual(['call1', 'call2', 'call3', 'call4']);
    expect(await calls('currency(EQ)"978"')).toEqual(['call4']);
    expect(await calls('currency(EQ)978')).toEqual([]);
    expect(await calls(`currency(EQ)${keys.get('usd')}`)).toEqual(['call1']);
  });

  test('compares text by its order', async () => {
    expect(await calls('port.portName(GT)Paris')).toEqual(['call1', 'call3']);
    expect(await calls('port.portName(BETWEEN)(Oslo,Paris)')).toEqual(['call2', 'call4']);
  });

  test('goes over several references', async () => {
    expect(await calls('voyage.vessel.vesselName(EQ)moon')).toEqual(['call3', 'call4']);
    expect(await calls('voyage.ballastPort.unLoCode(EQ)NOOSL')).toEqual(['call1', 'call2']);
    expect(await calls('voyage.ballastPort.portName(NULL)')).toEqual(['call3', 'call4']);
  });

  test('NE and NIN also match null, even if a reference on the path is null', async () => {
    expect(await voyages('vessel.vesselName(NE)moon')).toEqual(['one', 'three']);
    expect(await voyages('vessel.builtYear(NE)2001')).toEqual(['two', 'three']);
    expect(await voyages('vessel.builtYear(NIN)(2001,2002)')).toEqual(['two', 'three']);
    expect(await voyages('ballastPort.unLoCode(NE)NOOSL')).toEqual(['two', 'three']);
    expect(await voyages('ballastPort.unLoCode(NIN)(NOOSL)')).toEqual(['two', 'three']);
    expect(await voyages('vessel.vesselName(NULL)')).toEqual(['three']);
  });
});

describe('through collections', () => {
  test.each([
    ['portCalls.currency.currencyCode(EQ)USD', ['one']],
    ['portCalls.speed(EQ)14', ['one', 'two']],
    ['portCalls.eventLogs.event(EQ)DEP', ['one']],
    ['portCalls.eventLogs.event(EQ)BRT', []],
    ['portCalls(NULL)', ['three']],
    ['portCalls(NOTNULL)', ['one', 'two']],
    ['portCalls.eventLogs(NOTNULL)', ['one']],
    ['portCalls.eventLogs(NULL)', ['one', 'two']],
    ['portCalls.eta(NULL)', ['two']],
    ['remarks(NULL)', ['one', 'two', 'three']],
  ])('some element matches: %s', async (filter, expected) => {
    expect(await voyages(filter)).toEqual(expected);
  });

  test('NE matches if it is true for some element', async () => {
    expect(await voyages('portCalls.speed(NE)14')).toEqual(['one', 'two']);
    expect(await voyages('portCalls.eventLogs.event(NE)ARR')).toEqual(['one']);
  });

  test('filters of one group test the same element', async () => {
    const [rotterdam, oslo] = ['portCalls.port.unLoCode(EQ)NLRTM', 'portCalls.port.unLoCode(EQ)NOOSL'];
    expect(await voyages(rotterdam, 'portCalls.speed(EQ)14')).toEqual(['two']);
    expect(await voyages(oslo, 'portCalls.speed(EQ)14')).toEqual(['one']);
    expect(await voyages(rotterdam, oslo)).toEqual([]);
    expect(await voyages(rotterdam, 'portCalls.eventLogs(NULL)')).toEqual(['two']);
  });

  test('also inside a collection of a collection', async () => {
    const [arrived, late] = ['portCalls.eventLogs.event(EQ)ARR', 'portCalls.eventLogs.eventLogDate(GT)2026-01-02'];
    expect(await voyages(arrived)).toEqual(['one']);
    expect(await voyages(late)).toEqual(['one']);
    expect(await voyages(arrived, late)).toEqual([]);
    expect(await voyages(arrived, 'portCalls.port.unLoCode(EQ)NOOSL')).toEqual([]);
    expect(await voyages(arrived, 'portCalls.port.unLoCode(EQ)NLRTM')).toEqual(['one']);
  });

  test('a collection behind a reference, and one that leads back to its owner', async () => {
    expect(await calls('voyage.portCalls.port.unLoCode(EQ)NLRTM', 'voyage.portCalls.speed(EQ)12')).toEqual([
      'call1',
      'call2',
    ]);
    expect(await calls('voyage.cargos(NULL)')).toEqual(['call1', 'call2', 'call3', 'call4']);
  });

  test('a path goes through each collection at most once', async () => {
    await expect(voyages('portCalls.voyage.portCalls.speed(EQ)12')).rejects.toMatchObject({
      code: 'invalidFilter',
      message: expect.stringContaining('at position 18: a path goes through each collection once'),
    });
  });
});

describe('(OR)', () => {
  test('separates groups: filters of a group are ANDed, groups ORed', async () => {
    expect(await voyages('freight(EQ)200', '(OR)', 'freight(NULL)')).toEqual(['two', 'three']);
    expect(await voyages('freight(EQ)200', 'isTc(EQ)true', '(OR)', 'freight(NULL)')).toEqual(['three']);
    expect(await voyages('comments(EQ)a', '(OR)', 'comments(EQ)B', '(OR)', 'comments(NULL)')).toEqual([
      'one',
      'two',
      'three',
    ]);
  });

  test('each group tests its own elements', async () => {
    const rotterdam = 'portCalls.port.unLoCode(EQ)NLRTM';
    expect(await voyages(rotterdam, 'portCalls.speed(EQ)12', '(OR)', 'portCalls.speed(NULL)')).toEqual(['one', 'two']);
  });

  test('over a reference in one group does not hide objects without it from the other', async () => {
    expect(await voyages('vessel.vesselName(EQ)moon', '(OR)', 'freight(NULL)')).toEqual(['two', 'three']);
  });
});

describe('a hostile value', () => {
  test.each([
    "' or '1'='1",
    '1); drop table flaghoist.voyage; --',
    '$1',
    '%',
    '\\',
    "\\'",
    'U&"\\0000"',
    '{a,b}',
    '{}',
  ])('is treated only as a value: %s', async (text) => {
    const quoted = `"${text.replace(/["\\]/g, '\\$&')}"`;
    expect(await voyages(`comments(EQ)${quoted}`)).toEqual([]);
    expect(await voyages(`comments(IN)(${quoted},${quoted})`)).toEqual([]);
    expect(await voyages(`comments(NE)${quoted}`)).toEqual(['one', 'two', 'three']);
    await voyages(`comments(LIKE)${quoted}`);
    await voyages(`portCalls.agent.businessPartnerCode(EQ)${quoted}`);
  });

  test('among 99 others is found, in one group or in a hundred', async () => {
    const same = Array.from({ length: 100 }, (_, index) => `portCalls.speed(NE)${index}`);
    expect(await voyages(...same)).toEqual(['two']);
    const groups = Array.from({ length: 100 }, (_, index) => ['(OR)', `portCalls.speed(EQ)${index}`])
      .flat()
      .slice(1);
    expect(await voyages(...groups)).toEqual(['one', 'two']);
  });

  test('over more than 40 references and collections is rejected: it would occupy the planner', async () => {
    const filters = pathsFrom(typeOf('Voyage'), 4).map((path) => `${path}externalObjectKey(EQ)x`);
    expect(filters.length).toBeGreaterThan(60);
    await expect(voyages(...filters)).rejects.toMatchObject({ code: 'invalidFilter' });
    expect(await voyages(...filters.slice(0, 20))).toEqual([]);
  });
});

function pathsFrom(type: ObjectType, steps: number): string[] {
  if (steps === 0) return [''];
  const further = [...type.references, ...type.collections].flatMap((step) =>
    pathsFrom(step.kind === 'reference' ? step.target : step.of, steps - 1)
      .filter((path) => step.kind === 'reference' || !path.includes(`${step.name}.`))
      .map((path) => `${step.name}.${path}`),
  );
  return ['', ...further];
}
