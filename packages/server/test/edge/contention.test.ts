// Requests that conflict: each gets a response, none a 500, and no change is partly done.

import { beforeAll, describe, expect, test } from 'vitest';
import { create, createFleet, createVoyage, type Fleet, type Shown } from '../support/fleet.ts';
import { holdRow } from '../support/held-lock.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService({ FLAGHOIST_STATEMENT_TIMEOUT_SECONDS: '1', FLAGHOIST_DATABASE_CONNECTIONS: '4' });
let fleet: Fleet;
beforeAll(async () => {
  fleet = await createFleet(service);
});

test('array POSTs that add to the same owners in different order all succeed', async () => {
  const voyages: Shown[] = await create(
    service,
    'Voyage',
    Array.from({ length: 8 }, () => ({})),
  );
  const calls = voyages.map(({ key }) => ({ voyage: key, port: fleet.port.key, reasonForCall: 'L' }));
  const orders = Array.from({ length: 12 }, (_, index) => [...calls.slice(index % 8), ...calls.slice(0, index % 8)]);
  const answers = await Promise.all(
    orders.map((order, index) => service.post('/ws/rest/PortCall', index % 2 ? order.reverse() : order)),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(201));
  const { body } = await service.get(`/ws/rest/PortCall?filter=voyage(EQ)${voyages[0]!.key}`);
  const sequences = body.map(({ portCallSequence }: Shown) => portCallSequence);
  expect(sequences.sort((a: number, b: number) => a - b)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
});

describe('a row that another session keeps locked', () => {
  test('causes a 503 for a change of it, while other requests continue', async () => {
    const voyage = await createVoyage(service, fleet);
    const held = await holdRow(service, 'voyage', voyage.key);
    const stuck = Array.from({ length: 3 }, () => service.put(`/ws/rest/Voyage/${voyage.key}`, { comments: 'x' }));
    expect((await service.get('/ws/rest/Port')).status).toBe(200);
    expect((await service.get('/health/ready')).status).toBe(200);
    for (const { status, headers, body } of await Promise.all(stuck)) {
      expect([status, headers.get('retry-after') !== null]).toEqual([503, true]);
      expect(body.message).not.toContain('cannot be reached');
    }
    await held.letGo();
    expect((await service.put(`/ws/rest/Voyage/${voyage.key}`, { comments: 'x' })).status).toBe(200);
  });
});

test('sub-objects of new and of existing elements are written in one PUT, in any order', async () => {
  const voyage = await createVoyage(service, fleet);
  const present = { key: voyage.portCalls[0].key, eventLogs: [{ event: 'ARR' }] };
  const added = { port: fleet.port.key, reasonForCall: 'D', eventLogs: [{ event: 'DEP' }] };
  const { status, body, text } = await service.put(`/ws/rest/Voyage/${voyage.key}`, { portCalls: [present, added] });
  expect(status, text).toBe(200);
  expect(body.portCalls).toHaveLength(2);
});

test('a key that was inserted by SQL ahead of the sequence does not block later creates', async () => {
  const { body } = await service.post('/ws/rest/Vessel', { vesselName: 'Before' });
  await service.database.pool.query('insert into flaghoist.vessel (key, vessel_name) values ($1, $2)', [
    body.key + 1,
    'Ahead',
  ]);
  expect((await service.post('/ws/rest/Vessel', { vesselName: 'After' })).status).toBe(201);
});

test('a PUT of the same long text changes no state and creates no event', async () => {
  const vesselType = 'long '.repeat(2000);
  const { key } = await create(service, 'Vessel', { vesselName: 'Long', vesselType });
  const before = (await service.get(`/ws/rest/Vessel/${key}`)).headers.get('etag');
  expect((await service.put(`/ws/rest/Vessel/${key}`, { vesselType })).headers.get('etag')).toBe(before);
});
