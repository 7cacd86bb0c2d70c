// The types BunkerOrder and BunkerOrderLine.

import { beforeAll, describe, expect, test } from 'vitest';
import { eventNamesDuring } from '../../support/events-written.ts';
import {
  bunkerOrderBody,
  create,
  createFleet,
  createVoyage,
  type Fleet,
  read,
  type Shown,
} from '../../support/fleet.ts';
import { testRow } from '../../support/object-row.ts';
import { useTestService } from '../../support/test-service.ts';

const service = useTestService();
let fleet: Fleet;
let voyage: Shown;
let order: Shown;
beforeAll(async () => {
  fleet = await createFleet(service);
  voyage = await createVoyage(service, fleet);
  order = await create(service, 'BunkerOrder', body());
});

function body() {
  return bunkerOrderBody(fleet, voyage.portCalls[0].key);
}

testRow(service, {
  resource: 'BunkerOrder',
  least: body,
  mandatory: ['portCall', 'vessel', 'bunkerOrderStatus', 'bunkerOrderLines'],
  texts: { externalReferenceNo: 64 },
  codes: { bunkerOrderStatus: ['PLN', 'REQ', 'ORD', 'DLV', 'INV', 'CAN'] },
  dates: ['bunkeredDate'],
  decimals: ['exchangeRate', 'extraCost'],
  references: {
    portCall: { to: 'PortCall', target: () => voyage.portCalls[1] },
    vessel: { to: 'Vessel', target: () => fleet.vessel },
    bunkerSupplier: { to: 'BusinessPartner', target: () => fleet.partner },
    bunkerBroker: { to: 'BusinessPartner', target: () => fleet.partner },
    bunkerAccountOf: { to: 'BusinessPartner', target: () => fleet.partner },
    currency: { to: 'Currency', target: () => fleet.currency },
  },
  collections: ['bunkerOrderLines'],
});

testRow(service, {
  resource: 'BunkerOrderLine',
  least: () => ({
    bunkerOrder: order.key,
    minQuantity: 1,
    maxQuantity: 2,
    unitPrice: 3,
    bunkerType: fleet.bunkerType.key,
  }),
  mandatory: ['bunkerOrder', 'minQuantity', 'maxQuantity', 'unitPrice', 'bunkerType'],
  decimals: ['minQuantity', 'maxQuantity', 'bunkeredQuantity', 'unitPrice', 'extraCost'],
  references: {
    bunkerOrder: { to: 'BunkerOrder', target: () => order },
    bunkerType: { to: 'BunkerType', target: () => fleet.bunkerType },
  },
});

describe('BunkerOrder.externalReferenceNo', () => {
  test('is unique: a second one is a 409 that names it, on POST and on PUT; null is no value', async () => {
    await create(service, 'BunkerOrder', { ...body(), externalReferenceNo: 'REF-1' });
    const other = await create(service, 'BunkerOrder', body());
    for (const answer of [
      await service.post('/ws/rest/BunkerOrder', { ...body(), externalReferenceNo: 'REF-1' }),
      await service.put(`/ws/rest/BunkerOrder/${other.key}`, { externalReferenceNo: 'REF-1' }),
    ]) {
      expect(answer.status).toBe(409);
      expect(answer.body.message).toContain('externalReferenceNo');
    }
    await create(service, 'BunkerOrder', { ...body(), externalReferenceNo: null });
  });
});

describe('BunkerOrder.bunkerOrderLines', () => {
  const refused = async (work: () => Promise<{ status: number }>, status: number) => {
    const events = await eventNamesDuring(service, async () => {
      expect((await work()).status).toBe(status);
    });
    expect(events).toEqual([]);
  };

  test('has at least one element, on POST and on PUT', async () => {
    await refused(() => service.post('/ws/rest/BunkerOrder', { ...body(), bunkerOrderLines: [] }), 400);
    await refused(() => service.put(`/ws/rest/BunkerOrder/${order.key}`, { bunkerOrderLines: [] }), 400);
  });

  test('cannot become empty: deleting the last ' + 'BunkerOrderLine is a 409, and so is moving it', async () => {
    const { key, bunkerOrderLines } = await create(service, 'BunkerOrder', body());
    const [first, last] = bunkerOrderLines;
    expect((await service.delete(`/ws/rest/BunkerOrderLine/${first.key}`)).status).toBe(204);
    await refused(() => service.delete(`/ws/rest/BunkerOrderLine/${last.key}`), 409);
    await refused(() => service.put(`/ws/rest/BunkerOrderLine/${last.key}`, { bunkerOrder: order.key }), 409);
    expect((await read(service, 'BunkerOrder', key)).bunkerOrderLines).toMatchObject([{ key: last.key }]);
    expect((await service.delete(`/ws/rest/BunkerOrder/${key}`)).status).toBe(204);
  });

  test('may be replaced as a whole in one PUT', async () => {
    const { key, bunkerOrderLines } = await create(service, 'BunkerOrder', body());
    const [line] = body().bunkerOrderLines;
    const answer = await service.put(`/ws/rest/BunkerOrder/${key}`, { bunkerOrderLines: [line] });
    expect(answer.status).toBe(200);
    expect(answer.body.bunkerOrderLines).toHaveLength(1);
    expect(answer.body.bunkerOrderLines[0].key).toBeGreaterThan(bunkerOrderLines[1].key);
  });

  test('each missing attribute of a line is reported with its path', async () => {
    const answer = await service.post('/ws/rest/BunkerOrder', { ...body(), bunkerOrderLines: [{}] });
    expect(answer.body.violations.map(({ path }: { path: string }) => path)).toEqual([
      'bunkerOrderLines[0].minQuantity',
      'bunkerOrderLines[0].maxQuantity',
      'bunkerOrderLines[0].unitPrice',
      'bunkerOrderLines[0].bunkerType',
    ]);
  });
});
