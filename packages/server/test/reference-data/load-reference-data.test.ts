import { afterAll, beforeAll, expect, test } from 'vitest';
import { Database } from '../../src/database/database.ts';
import { buildModel } from '../../src/model/build-model.ts';
import { catalogue } from '../../src/model/catalogue/catalogue.ts';
import type { TypeDeclaration } from '../../src/model/object-type.ts';
import { openObjects } from '../../src/objects/objects.ts';
import type { Observation } from '../../src/observe/observation.ts';
import { parseListRequest } from '../../src/query/list-request.ts';
import { bunkerTypes } from '../../src/reference-data/bunker-types.ts';
import { commodities } from '../../src/reference-data/commodities.ts';
import { currencies } from '../../src/reference-data/currencies.ts';
import { loadReferenceData } from '../../src/reference-data/load-reference-data.ts';
import { ports } from '../../src/reference-data/ports.ts';
import { useTestDatabase } from '../support/test-database.ts';

const testDatabase = useTestDatabase();
const observed: Observation[] = [];
const model = buildModel(catalogue);
const database = new Database({
  url: testDatabase.url,
  observe: () => undefined,
  connectionsMax: 4,
  statementTimeoutMs: 10_000,
});
const objects = openObjects(database, model, { restUrl: 'http://127.0.0.1/ws/rest', arrayObjectsMax: 1000 });
const context = { objects, model, observe: (observation: Observation) => void observed.push(observation) };
const all = currencies.length + ports.length + bunkerTypes.length + commodities.length;

beforeAll(async () => {
  // Two processes that start on the same empty installation at the same moment.
  await Promise.all([loadReferenceData(context), loadReferenceData(context)]);
});

afterAll(() => database.close());

test('an empty installation gets every row exactly once, also when two processes start at once', async () => {
  expect(await codesOf('Currency', 'currencyCode')).toEqual(currencies.map((row) => row.currencyCode));
  expect(await codesOf('Port', 'unLoCode')).toEqual(ports.map((row) => row.unLoCode));
  expect(await codesOf('BunkerType', 'bunkerTypeCode')).toEqual(bunkerTypes.map((row) => row.bunkerTypeCode));
  expect(await codesOf('Commodity', 'commodityCode')).toEqual(commodities.map((row) => row.commodityCode));
});

test('what the service itself has written is of nobody: createdById and changedById are null', async () => {
  const [port] = await list('Port', ['filter', 'unLoCode(EQ)NLRTM']);
  expect(port).toMatchObject({ createdById: null, changedById: null });
});

test('what was loaded is told once per row', () => {
  const counts = observed.flatMap((each) => (each.kind === 'reference.loaded' ? [each.objects] : []));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(all);
});

test('what an operator has changed or removed stays so', async () => {
  await testDatabase.pool.query("delete from flaghoist.port where un_lo_code <> 'NLRTM'");
  await testDatabase.pool.query(
    "update flaghoist.currency set currency_name = 'Greenback' where currency_code = 'USD'",
  );
  await loadReferenceData(context);
  expect(await codesOf('Port', 'unLoCode')).toEqual(['NLRTM']);
  const [dollar] = await list('Currency', ['filter', 'currencyCode(EQ)USD']);
  expect(dollar).toMatchObject({ currencyName: 'Greenback' });
});

test('the exact numbers arrive', async () => {
  const [hvo] = await list('BunkerType', ['filter', 'bunkerTypeCode(EQ)HVO']);
  expect(hvo).toMatchObject({ sulphurPercent: 0.0005 });
});

test('a type of which the operator asks more than we know is left to the operator', async () => {
  const { Port, ...others } = catalogue as typeof catalogue & { Port: TypeDeclaration };
  const attributes = {
    ...Port.attributes,
    depth: { kind: 'decimal', isRequired: true },
  } as TypeDeclaration['attributes'];
  const stricter = buildModel({ ...others, Port: { ...Port, attributes } });
  await testDatabase.pool.query('delete from flaghoist.port');
  await loadReferenceData({ ...context, model: stricter });
  expect(await codesOf('Port', 'unLoCode')).toEqual([]);
});

async function codesOf(typeName: string, attribute: string): Promise<unknown[]> {
  return (await list(typeName)).map((object) => object[attribute]);
}

async function list(typeName: string, ...query: [string, string][]): Promise<Record<string, unknown>[]> {
  const type = model.types.get(typeName)!;
  const { body } = await objects.list(parseListRequest(type, query, {}));
  return JSON.parse(body.toString());
}
