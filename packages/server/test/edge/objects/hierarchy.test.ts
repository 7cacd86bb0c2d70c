// The hierarchies that an object is in. They are stored with each event, as of the change, and decide which
// subscriptions on a root match.

import { beforeAll, describe, expect, test } from 'vitest';
import { eventsDuring, type WrittenEvent } from '../../support/events-written.ts';
import {
  bunkerOrderBody,
  cargoBody,
  create,
  createFleet,
  createVoyage,
  type Fleet,
  type Shown,
} from '../../support/fleet.ts';
import { useTestService } from '../../support/test-service.ts';

const service = useTestService();
let fleet: Fleet;
let voyage: Shown;
let call: Shown;
let orders: Shown[];
beforeAll(async () => {
  fleet = await createFleet(service);
  voyage = await createVoyage(service, fleet, { cargos: [cargoBody(fleet)] });
  call = (await service.get(`/ws/rest/PortCall/${voyage.portCalls[0].key}`)).body;
  orders = await create(service, 'BunkerOrder', [bunkerOrderBody(fleet, call.key), bunkerOrderBody(fleet, call.key)]);
});

/** The one event of a PUT. */
async function changed(path: string, body: object): Promise<WrittenEvent> {
  const events = await eventsDuring(service, async () => {
    const answer = await service.put(`/ws/rest/${path}`, body);
    expect(answer.status, answer.text).toBe(200);
  });
  expect(events).toHaveLength(1);
  return events[0]!;
}

const orderKeys = () => orders.map(({ key }) => key);

describe('the hierarchy of an object', () => {
  test('has its sub-objects all the way down: EventLog, PortCall, Voyage', async () => {
    const { rootsAfter } = await changed(`EventLog/${call.eventLogs[0].key}`, { isDateFixed: true });
    expect(rootsAfter).toMatchObject({ PortCall: [call.key], Voyage: [voyage.key] });
  });

  test('has its sub-objects all the way down: CargoPort, Cargo, Voyage', async () => {
    const cargo = (await service.get(`/ws/rest/Cargo/${voyage.cargos[0].key}`)).body;
    const { rootsAfter } = await changed(`CargoPort/${cargo.cargoPorts[0].key}`, { quantity: 5 });
    expect(rootsAfter).toEqual({ Cargo: [cargo.key], Voyage: [voyage.key] });
  });

  test('has its sub-objects: BunkerOrderLine, DocumentLine', async () => {
    const [order] = orders;
    const line = await changed(`BunkerOrderLine/${order.bunkerOrderLines[0].key}`, { extraCost: 5 });
    expect(line.rootsAfter).toEqual({ BunkerOrder: [order.key] });
    const document = await create(service, 'Document', {
      documentType: 'INI',
      company: fleet.partner.key,
      voyage: voyage.key,
      documentLines: [{ amount: 1, voyage: voyage.key }],
    });
    const documentLine = await changed(`DocumentLine/${document.documentLines[0].key}`, { amount: 2 });
    expect(documentLine.rootsAfter).toEqual({ Document: [document.key] });
  });

  test(
    'has for each ▲ reference the object referred to: a ' + 'PortCall is in that of every BunkerOrder at it',
    async () => {
      const { rootsAfter } = await changed(`PortCall/${call.key}`, { speed: 12 });
      expect(rootsAfter).toEqual({ Voyage: [voyage.key], BunkerOrder: orderKeys() });
    },
  );

  test('has for each ▲ reference the sub-objects of what it refers to: an EventLog of its PortCall', async () => {
    const { rootsAfter } = await changed(`EventLog/${call.eventLogs[0].key}`, { eventLogDate: '2026-11-15T00:00:00' });
    expect(rootsAfter?.BunkerOrder).toEqual(orderKeys());
  });

  test("never goes up to an owner: the PortCall's Voyage is not in that of the BunkerOrder", async () => {
    const { rootsAfter } = await changed(`Voyage/${voyage.key}`, { comments: 'Up' });
    expect(rootsAfter ?? {}).toEqual({});
  });

  test('follows no other reference: Vessel, Port and partners are in no hierarchy', async () => {
    for (const [path, body] of [
      [`Vessel/${fleet.vessel.key}`, { flag: 'NO' }],
      [`Port/${fleet.port.key}`, { country: 'NO' }],
      [`BusinessPartner/${fleet.partner.key}`, { businessPartnerType: 'CHR' }],
    ] as const)
      expect((await changed(path, body)).rootsAfter ?? {}).toEqual({});
  });

  test('does not go from the PortCall to the BunkerOrder: an order is only in its own hierarchy', async () => {
    const { rootsAfter } = await changed(`BunkerOrder/${orders[0].key}`, { extraCost: 9 });
    expect(rootsAfter ?? {}).toEqual({});
  });
});

describe('the hierarchy of an event', () => {
  test('is the hierarchy before and after: a PortCall that moves is in that of two Voyages', async () => {
    const [from, to] = [await createVoyage(service, fleet), await create(service, 'Voyage', {})];
    const event = await changed(`PortCall/${from.portCalls[1].key}`, { voyage: to.key });
    expect([event.rootsBefore, event.rootsAfter]).toEqual([{ Voyage: [from.key] }, { Voyage: [to.key] }]);
  });

  test('is the hierarchy after on create, before on delete', async () => {
    const owner = await createVoyage(service, fleet);
    let log: Shown;
    const [made] = await eventsDuring(service, async () => {
      log = await create(service, 'EventLog', { portCall: owner.portCalls[1].key, event: 'DEP' });
    });
    const roots = { PortCall: [owner.portCalls[1].key], Voyage: [owner.key] };
    expect([made?.rootsBefore, made?.rootsAfter]).toEqual([null, roots]);
    const [gone] = await eventsDuring(service, () => service.delete(`/ws/rest/EventLog/${log.key}`));
    expect([gone?.rootsBefore, gone?.rootsAfter]).toEqual([roots, null]);
  });

  test('is complete in a cascade, although owners are deleted first', async () => {
    const owner = await createVoyage(service, fleet);
    const [first] = owner.portCalls;
    const events = await eventsDuring(service, () => service.delete(`/ws/rest/Voyage/${owner.key}`));
    const log = events.find(({ name }) => name.startsWith('EventLog'));
    expect(log?.rootsBefore).toEqual({ PortCall: [first.key], Voyage: [owner.key] });
  });

  test('is the voyage that a Cargo is detached from when that is deleted', async () => {
    const owner = await createVoyage(service, fleet, { cargos: [cargoBody(fleet)] });
    const events = await eventsDuring(service, () => service.delete(`/ws/rest/Voyage/${owner.key}`));
    const detached = events.find(({ name }) => name === `Cargo.U.${owner.cargos[0].key}`);
    expect(detached).toMatchObject({ rootsBefore: { Voyage: [owner.key] } });
    expect(detached?.rootsAfter ?? {}).toEqual({});
  });
});
