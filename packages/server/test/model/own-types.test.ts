// A type and an attribute from a model file have storage, REST, validation, filter, fields, OpenAPI and events, with no
// code: the example file adds a Certificate that a Vessel owns, and a trade lane to Voyage.

import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { useTestService } from '../support/test-service.ts';

const service = useTestService({
  FLAGHOIST_MODEL_FILE: fileURLToPath(new URL('../../../../examples/model-file.json', import.meta.url)),
});
let vessel: number;
let port: number;

beforeAll(async () => {
  vessel = (await service.post('/ws/rest/Vessel', { vesselName: 'Northern Light' })).body.key;
  port = (await service.post('/ws/rest/Port', { unLoCode: 'NOTST', portName: 'Test' })).body.key;
});

test('an object of the new type is created, read, changed and deleted', async () => {
  const created = await service.post('/ws/rest/Certificate', {
    certificateNo: 'C-1',
    certificateType: 'SMC',
    vessel,
    issuedAt: 'NOTST',
    fee: 12.5,
  });
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({
    certificateNo: 'C-1',
    fee: 12.5,
    vessel: { key: vessel, vesselName: 'Northern Light' },
    issuedAt: { key: port, portName: 'Test' },
  });
  const path = `/ws/rest/Certificate/${created.body.key}`;
  expect((await service.put(path, { expiryDate: '2027-01-31T00:00:00+01:00' })).body.expiryDate).toBe(
    '2027-01-30T23:00:00',
  );
  expect((await service.delete(path)).status).toBe(204);
  expect((await service.get(path)).status).toBe(404);
});

test('it is validated', async () => {
  const { status, body } = await service.post('/ws/rest/Certificate', { certificateType: 'XXX', fee: 'much' });
  expect(status).toBe(400);
  expect(body.violations.map(({ path }: { path: string }) => path).sort()).toEqual([
    'certificateNo',
    'certificateType',
    'fee',
    'vessel',
  ]);
});

test('it is a sub-object of its owner: shown in it, written inside it, deleted with it', async () => {
  const { body: owner } = await service.post('/ws/rest/Vessel', {
    vesselName: 'Owner',
    certificates: [{ certificateNo: 'C-2', certificateType: 'ISSC' }],
  });
  expect(owner.certificates).toMatchObject([{ certificateNo: 'C-2', vessel: { key: owner.key } }]);
  await service.delete(`/ws/rest/Vessel/${owner.key}`);
  expect((await service.get(`/ws/rest/Certificate/${owner.certificates[0].key}`)).status).toBe(404);
});

test('filter, sort and fields reach it, from both sides', async () => {
  const { body: owner } = await service.post('/ws/rest/Vessel', {
    vesselName: 'Filtered',
    certificates: [{ certificateNo: 'C-3', certificateType: 'CLASS', fee: 3 }],
  });
  const found = await service.get('/ws/rest/Vessel?filter=certificates.certificateType(EQ)CLASS', {
    fields: '{"certificates":{"fee":"*"}}',
  });
  expect(found.body).toMatchObject([{ key: owner.key, certificates: [{ fee: 3 }] }]);
  expect(
    (await service.get('/ws/rest/Certificate?filter=vessel.vesselName(EQ)Filtered&sort=fee(DS)')).body,
  ).toMatchObject([{ certificateNo: 'C-3' }]);
});

test('a new attribute of a built-in type is stored, validated and filtered', async () => {
  const { body } = await service.post('/ws/rest/Voyage', { tradeLane: 'Far East' });
  expect((await service.get('/ws/rest/Voyage?filter=tradeLane(EQ)Far East')).body).toMatchObject([
    { key: body.key, tradeLane: 'Far East' },
  ]);
  expect((await service.put(`/ws/rest/Voyage/${body.key}`, { tradeLane: 'x'.repeat(41) })).status).toBe(400);
});

test('the OpenAPI document describes both', async () => {
  const { body } = await service.get('/openapi.json');
  expect(Object.keys(body.paths)).toContain('/ws/rest/Certificate/{key}');
  expect(body.components.schemas.Voyage.properties.tradeLane).toBeDefined();
});

test('its changes are events, in the hierarchy of its owner', async () => {
  const { body } = await service.post('/ws/rest/Certificate', {
    certificateNo: 'C-9',
    certificateType: 'IOPP',
    vessel,
  });
  await service.put(`/ws/rest/Certificate/${body.key}`, { fee: 7 });
  await service.delete(`/ws/rest/Certificate/${body.key}`);
  const { rows } = await service.database.pool.query(
    'select operation, roots_before, roots_after from flaghoist_system.event where object_key = $1 order by id',
    [body.key],
  );
  const roots = { Vessel: [vessel] };
  expect(rows).toEqual([
    { operation: 'C', roots_before: null, roots_after: roots },
    { operation: 'U', roots_before: roots, roots_after: roots },
    { operation: 'D', roots_before: roots, roots_after: null },
  ]);
});
