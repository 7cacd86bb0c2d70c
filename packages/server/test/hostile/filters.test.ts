// Filters and sorts that try to be something else: SQL, another attribute, more than there is.

import { beforeAll, describe, expect, test } from 'vitest';
import { expectErrorBody } from '../support/error-body.ts';
import { create } from '../support/fleet.ts';
import { type Answer, useTestService } from '../support/test-service.ts';
import { describeUnharmed } from './unharmed.ts';

const service = useTestService();
let key: number;
beforeAll(async () => {
  ({ key } = await create(service, 'Vessel', { vesselName: 'Only One', flag: 'NO', dwtSummer: 10, builtYear: 2001 }));
});

/** The query as name and value pairs, encoded. */
function ask(...pairs: [string, string][]): Promise<Answer> {
  const query = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return service.get(`/ws/rest/Vessel?${query}`);
}

const filtered = (...filters: string[]) => ask(...filters.map((text): [string, string] => ['filter', text]));

const injections = [
  "' OR '1'='1",
  "' OR 1=1 --",
  "'; DROP TABLE flaghoist.vessel; --",
  "'); DELETE FROM flaghoist.vessel; --",
  "' UNION SELECT null, null, null --",
  "x' AND (SELECT pg_sleep(10)) IS NULL --",
  "'||(select version())||'",
  "\\'; select pg_terminate_backend(pg_backend_pid()); --",
  '$1',
  '$$; select 1; $$',
  '%s %d {0} \u0024{1+1} {{7*7}}',
  "E'\\x27'",
  'U&"\\0027"',
  '/* */',
  'null',
  'NULL',
  'true',
  '*/ union select 1 /*',
  "a' || chr(39) || 'b",
  "1; COPY flaghoist.vessel TO PROGRAM 'id'",
];

describe('SQL in a value is text', () => {
  test.each(injections)('%s', async (text) => {
    const quoted = `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
    for (const operator of ['EQ', 'GT', 'LIKE', 'ILIKE'])
      expect((await filtered(`vesselName(${operator})${quoted}`, 'flag(EQ)none')).body).toEqual([]);
    for (const list of [`vesselName(IN)(${quoted},${quoted})`, `vesselName(BETWEEN)(${quoted},${quoted})`])
      expect((await filtered(list)).body).toEqual([]);
    expect((await filtered(`vesselName(NE)${quoted}`)).body).toHaveLength(1);
    expect((await filtered(`vesselName(NIN)(${quoted})`)).body).toHaveLength(1);
  });

  test('and finds the object that is really called so', async () => {
    for (const flag of injections) {
      const { key: named } = await create(service, 'Vessel', { vesselName: 'Named', flag });
      const quoted = `"${flag.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
      expect((await filtered(`flag(EQ)${quoted}`)).body.map((vessel: { key: number }) => vessel.key)).toEqual([named]);
      await service.delete(`/ws/rest/Vessel/${named}`);
    }
  });
});

describe('SQL anywhere else is a 400 that points at the place', () => {
  test.each([
    'key);--(GTE)1',
    'key) or (1=1(EQ)1',
    '"vesselName"(EQ)x',
    "vesselName'(EQ)x",
    'vesselName;select 1(EQ)x',
    'vesselName (EQ)x',
    ' vesselName(EQ)x',
    'vesselName::text(EQ)x',
    'vessel_name(EQ)x',
    'VESSELNAME(EQ)x',
    'xmin(EQ)1',
    'ctid(EQ)(0,1)',
    't.vesselName(EQ)x',
    'flaghoist.vessel.key(EQ)1',
    'password(EQ)x',
    'tenant.id(EQ)2',
    'pg_sleep(10)(EQ)1',
    '*(EQ)1',
    '1(EQ)1',
    '__proto__(EQ)x',
    '__proto__.x(EQ)x',
    'constructor(EQ)x',
    'constructor.name(EQ)x',
    'toString(EQ)x',
    'hasOwnProperty(EQ)x',
    'vesselName.length(EQ)8',
    'vesselName..flag(EQ)x',
    '.vesselName(EQ)x',
    'vesselName.(EQ)x',
    `${'remarks.'.repeat(100)}key(EQ)1`,
    `${'a.'.repeat(3000)}b(EQ)1`,
    `${'x'.repeat(8000)}(EQ)1`,
  ])('in the path: %s', async (filter) => {
    expect(expectErrorBody(await filtered(filter), 400).message).toMatch(/position \d+/);
    expectErrorBody(await ask(['sort', filter.replace(/\(EQ\).*/, '(AS)')]), 400);
  });

  test.each([
    'vesselName(eq)x',
    'vesselName(Eq)x',
    'vesselName(=)x',
    'vesselName()x',
    'vesselName(EQ )x',
    'vesselName(EQ;)x',
    'vesselName(OR)x',
    'vesselName(LIKE ANY)x',
    'vesselName(__proto__)x',
    'vesselName(constructor)x',
    'vesselName(toString)x',
    'vesselName(GTE)(GTE)x',
    'vesselName(EQ',
    'vesselName',
    'vesselName(EQ)',
    'vesselName(NULL)x',
    'vesselName(IN)x',
    'vesselName(IN)()',
    'vesselName(IN)(a,)',
    'vesselName(IN)(a',
    'vesselName(IN)(a))',
    'vesselName(BETWEEN)(a)',
    'vesselName(BETWEEN)(a,b,c)',
    'vesselName(EQ)"x',
    'vesselName(EQ)"x"y',
    'vesselName(EQ)"x" or 1=1',
    'vesselName(EQ)\0',
    'vesselName(IN)(a,"\0")',
    `vesselName(EQ)${'x'.repeat(8000)}`,
    '(EQ)x',
    '(OR)',
    ')',
    '((((((((((',
    '',
  ])('in the operator or its values: %j', async (filter) => {
    expectErrorBody(await filtered(filter), 400);
  });

  test.each([
    'key(DROP)',
    'key(AS);',
    'key(AS)(DS)',
    'key AS',
    'key',
    '(AS)',
    'key(as)',
    'remarks.key(AS)',
    'self(AS)',
    '',
  ])('in a sort: %j', async (sort) => {
    expectErrorBody(await ask(['sort', sort]), 400);
  });
});

describe('values that the attribute cannot have are a 400', () => {
  test.each([
    'key(EQ)abc',
    'key(EQ)-1',
    'key(EQ)1.0',
    'key(EQ)99999999999999999999',
    'builtYear(EQ)1.5',
    'builtYear(EQ)2147483648',
    'builtYear(EQ)-2147483649',
    'builtYear(EQ)0x7d1',
    'dwtSummer(EQ)NaN',
    'dwtSummer(EQ)Infinity',
    'dwtSummer(EQ)1e400',
    'dwtSummer(EQ)1e-400',
    'dwtSummer(EQ)1e99999999999999999999',
    'dwtSummer(EQ)12345678901234567',
    'dwtSummer(EQ)0.123456789',
    'dwtSummer(EQ)1,5',
    'dwtSummer(BETWEEN)(1,x)',
    'createdDate(EQ)yesterday',
    'createdDate(EQ)2026-02-30',
    'createdDate(EQ)2025-02-29',
    'createdDate(EQ)2026-13-01',
    'createdDate(EQ)2026-01-01T24:00:00',
    'createdDate(EQ)infinity',
    'createdDate(EQ)now',
    'createdDate(EQ)10000-01-01',
    'createdDate(EQ)-0001-01-01',
    'createdDate(EQ)2026-01-01T00:00:00+99:00',
    'createdDate(LIKE)2026%',
    'dwtSummer(LIKE)1%',
    'self(EQ)http://x',
  ])('%s', async (filter) => {
    expectErrorBody(await filtered(filter), 400);
  });
});

describe('a great many filters', () => {
  test('100 are taken, 101 and 900 are a 400', async () => {
    expect((await filtered(...Array(100).fill(`key(EQ)${key}`))).body).toHaveLength(1);
    for (const count of [101, 900]) {
      const answer = await service.get(`/ws/rest/Vessel?${Array(count).fill('filter=key(EQ)1').join('&')}`);
      expect(expectErrorBody(answer, 400).message).toContain('100 filters');
    }
  });

  test('1,000 separators, sorts or values are no way around it', async () => {
    expectErrorBody(await filtered(...Array(500).fill('(OR)')), 400);
    expectErrorBody(await ask(...Array(500).fill(['sort', 'key(AS)'])), 400);
    expect((await filtered(`key(IN)(${Array(1500).fill(key).join(',')})`)).body).toHaveLength(1);
  });

  test('patterns that make a matcher go back and forth are answered', async () => {
    const { key: long } = await create(service, 'Vessel', { vesselName: 'Long', vesselType: 'a'.repeat(100_000) });
    const pattern = `${'%a'.repeat(2000)}b`;
    expect((await filtered(`vesselType(LIKE)${pattern}`)).body).toEqual([]);
    expect((await filtered(`vesselType(ILIKE)${pattern}`)).body).toEqual([]);
    for (const odd of ['\\', '%\\', '\\\\\\', '_\\_%', '[a-z]', '(a+)+$'])
      expect((await filtered(`vesselName(LIKE)"${odd.replaceAll('\\', '\\\\')}"`)).status).toBe(200);
    await service.delete(`/ws/rest/Vessel/${long}`);
  });

  test('paths up and down between owners and collections end at a limit', async () => {
    const path = 'portCalls.voyage.'.repeat(20);
    expectErrorBody(await service.get(`/ws/rest/Voyage?filter=${path}key(EQ)1`), 400);
  });
});

describeUnharmed(service);
