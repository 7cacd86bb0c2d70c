// A row of the interface's table of objects, as data, and the tests that every row has to pass. The rows are written
// out in the test files, from the interface and not from the catalogue: the one is checked against the other.

import { describe, expect, test } from 'vitest';
import { create, freshCode, type Shown } from './fleet.ts';
import type { Answer, TestService } from './test-service.ts';

export interface ObjectRow {
  resource: string;
  /** A body with what is mandatory and nothing else. */
  least: () => object;
  /** What a POST of nothing is told to be missing. */
  mandatory: string[];
  /** Name → the most characters it takes. */
  texts?: Record<string, number>;
  /** The text that stands for the object where it is referred to: name → the most characters. */
  code?: Record<string, number>;
  /** Name → the codes it takes. */
  codes?: Record<string, string[]>;
  decimals?: string[];
  integers?: string[];
  dates?: string[];
  booleans?: string[];
  /** Name → type and an object of it. The owner is one of them. */
  references?: Record<string, { to: string; target: () => Shown }>;
  collections?: string[];
  /** What the general tests leave out, because it has rules of its own. */
  special?: string[];
}

/** The text of an attribute that the table gives no length. */
export const anyLength = 5000;

export function testRow(service: TestService, row: ObjectRow): void {
  const { resource } = row;
  describe(resource, () => {
    const made = () => create(service, resource, row.least());
    const put = ({ key }: Shown, body: object) => service.put(`/ws/rest/${resource}/${key}`, body);

    test('has the attributes of its row and no others', async () => {
      expect(Object.keys(await made()).sort()).toEqual([...everyObject, ...attributesOf(row)].sort());
    });

    if (row.mandatory.length === 0) {
      test('is created from nothing: no attribute is mandatory', async () => {
        expect((await service.post(`/ws/rest/${resource}`, {})).status).toBe(201);
      });
    } else {
      test(`needs ${row.mandatory.join(', ')}: a POST without is a 400 that names them`, async () => {
        expectViolations(await service.post(`/ws/rest/${resource}`, {}), row.mandatory);
      });
    }

    if (row.texts || row.code) testTexts(row, made, put);
    if (row.codes) testCodes(row.codes, made, put);
    testScalars(row, made, put);
    if (row.references) testReferences(row, made, put);
  });
}

type Made = () => Promise<Shown>;
type Put = (object: Shown, body: object) => Promise<Answer>;

const everyObject = ['key', 'self', 'createdDate', 'modifiedDate', 'createdById', 'changedById', 'externalObjectKey'];

function attributesOf(row: ObjectRow): string[] {
  return [
    ...Object.keys({ ...row.texts, ...row.code, ...row.codes, ...row.references }),
    ...[row.decimals, row.integers, row.dates, row.booleans, row.collections, row.special].flatMap(
      (names) => names ?? [],
    ),
  ];
}

function testTexts({ texts = {}, code = {} }: ObjectRow, made: Made, put: Put): void {
  const limits = { ...texts, ...code };
  const isCode = (name: string) => Object.hasOwn(code, name);
  const fill = (more: number) =>
    Object.fromEntries(
      Object.entries(limits).map(([name, length]) => [
        name,
        isCode(name) ? freshCode('', length + more) : 'ø'.repeat(length + more),
      ]),
    );

  test(`keeps text up to its length: ${Object.entries(limits)
    .map(([name, length]) => `${name} ${length}`)
    .join(', ')}`, async () => {
    const longest = fill(0);
    const answer = await put(await made(), longest);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject(longest);
  });

  test('refuses text that is one character longer, and what is no text', async () => {
    const limited = Object.keys(limits).filter((name) => limits[name] !== anyLength);
    const object = await made();
    if (limited.length > 0) expectViolations(await put(object, pick(fill(1), limited)), limited);
    const numbers = Object.fromEntries(Object.keys(limits).map((name) => [name, 5]));
    expectViolations(await put(object, numbers), Object.keys(limits));
  });
}

function testCodes(codes: Record<string, string[]>, made: Made, put: Put): void {
  for (const [name, values] of Object.entries(codes)) {
    test(`takes ${values.join(', ')} as ${name} and nothing else`, async () => {
      const object = await made();
      for (const value of values) expect((await put(object, { [name]: value })).body[name]).toBe(value);
      for (const value of ['NONE', values[0]!.toLowerCase(), ` ${values[0]}`, '', 1, true])
        expectViolations(await put(object, { [name]: value }), [name]);
    });
  }
}

function testScalars(
  { decimals = [], integers = [], dates = [], booleans = [] }: ObjectRow,
  made: Made,
  put: Put,
): void {
  const kinds: [names: string[], kind: string, good: unknown[], bad: unknown[]][] = [
    [decimals, 'decimals', [0, -1.5, 1234567.00000001], ['1', true, {}, 0.123456789]],
    [integers, 'integers', [1, 2_147_483_647, -2_147_483_648], ['1', true, 1.5, 2_147_483_648]],
    [dates, 'dates', ['2026-11-15T08:30:00', '1970-01-01T00:00:00'], ['soon', 0, true, '2026-02-30T00:00:00']],
    [booleans, 'booleans', [true, false], ['true', 1, 'yes']],
  ];
  for (const [names, kind, good, bad] of kinds) {
    if (names.length === 0) continue;
    const all = (value: unknown) => Object.fromEntries(names.map((name) => [name, value]));
    test(`has the ${kind} ${names.join(', ')}`, async () => {
      const object = await made();
      for (const value of good) expect((await put(object, all(value))).body).toMatchObject(all(value));
      for (const value of bad) expectViolations(await put(object, all(value)), names);
    });
  }
}

function testReferences({ references = {}, mandatory }: ObjectRow, made: Made, put: Put): void {
  for (const [name, { to, target }] of Object.entries(references)) {
    test(`refers to ${to} by ${name} and shows its code and name`, async () => {
      const [object, referred] = [await made(), target()];
      const answer = await put(object, { [name]: referred.key });
      expect(answer.status, answer.text).toBe(200);
      const shown = answer.body[name];
      expect(shown).toMatchObject(pick(referred, ['key', 'self', ...(shownBy[to] ?? [])]));
      if (shownBy[to]) expect(Object.keys(shown).sort()).toEqual(['key', 'self', ...shownBy[to]].sort());
      const isMandatory = mandatory.includes(name);
      expect((await put(object, { [name]: null })).status).toBe(isMandatory ? 400 : 200);
    });
  }
}

/** What a reference to a type shows besides key and self. */
const shownBy: Record<string, string[]> = {
  Vessel: ['vesselName', 'imoNumber'],
  Voyage: ['referenceNo', 'vessel'],
  PortCall: ['reasonForCall', 'eta', 'port'],
  Port: ['unLoCode', 'portName'],
  BusinessPartner: ['businessPartnerCode', 'businessPartnerName'],
  Currency: ['currencyCode', 'currencyName'],
  Commodity: ['commodityCode', 'commodityName'],
  BunkerType: ['bunkerTypeCode', 'bunkerTypeName'],
};

function expectViolations({ status, body, text }: Answer, paths: string[]): void {
  expect(status, text).toBe(400);
  expect(body.violations.map(({ path }: { path: string }) => path).sort()).toEqual([...paths].sort());
}

function pick(object: Shown, names: string[]): object {
  return Object.fromEntries(names.map((name) => [name, object[name]]));
}
