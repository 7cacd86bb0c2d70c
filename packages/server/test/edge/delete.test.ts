// DELETE also deletes the sub-objects, and is rejected while another object refers to the object.

import { beforeAll, describe, expect, test } from 'vitest';
import { eventNamesDuring } from '../support/events-written.ts';
import {
  bunkerOrderBody,
  cargoBody,
  create,
  createFleet,
  createVoyage,
  type Fleet,
  type Shown,
} from '../support/fleet.ts';
import { scenario, testScenarios } from '../support/scenario.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService();
let fleet: Fleet;
beforeAll(async () => {
  fleet = await createFleet(service);
});

/** A voyage that shows its port calls with their logs. */
async function givenVoyage(): Promise<Shown> {
  const { key } = await createVoyage(service, fleet);
  return (await service.get(`/ws/rest/Voyage/${key}`, { fields: '{"portCalls":{"eventLogs":"*"}}' })).body;
}

testScenarios(service, [
  scenario({
    name: 'DELETE answers 204 without a body, and writes one event',
    given: async () => create(service, 'Vessel', { vesselName: 'Scrap' }),
    request: ({ key }) => ({ method: 'DELETE', path: `Vessel/${key}` }),
    status: 204,
    headers: () => ({ 'content-type': null, 'content-length': null }),
    events: ({ key }) => [`Vessel.D.${key}`],
  }),
  scenario({
    name: 'its sub-objects go with it, all the way down, each with its event',
    given: givenVoyage,
    request: ({ key }) => ({ method: 'DELETE', path: `Voyage/${key}` }),
    status: 204,
    events: ({ key, portCalls: [first, second] }) => [
      `EventLog.D.${first.eventLogs[0].key}`,
      `PortCall.D.${first.key}`,
      `PortCall.D.${second.key}`,
      `Voyage.D.${key}`,
    ],
  }),
  scenario({
    name: 'if something else still refers to it, 409 says what, and nothing is deleted',
    given: async () => {
      const vessel = await create(service, 'Vessel', { vesselName: 'Busy' });
      const voyage = await create(service, 'Voyage', { vessel: vessel.key });
      return { vessel, voyage };
    },
    request: ({ vessel }) => ({ method: 'DELETE', path: `Vessel/${vessel.key}` }),
    status: 409,
    body: ({ vessel, voyage }) => ({
      message: `Vessel ${vessel.key} cannot be deleted: Voyage ${voyage.key} still refers to it by vessel.`,
    }),
  }),
  scenario({
    name: 'what does not exist is a 404',
    given: async () => undefined,
    request: () => ({ method: 'DELETE', path: 'Vessel/999999999' }),
    status: 404,
  }),
  scenario({
    name: 'a query parameter on DELETE is a 400, never ignored',
    given: async () => fleet.vessel,
    request: ({ key }) => ({ method: 'DELETE', path: `Vessel/${key}?filter=key(EQ)1` }),
    status: 400,
  }),
]);

describe('after a delete', () => {
  test('GET, PUT and DELETE of the object and of its sub-objects are a 404', async () => {
    const voyage = await givenVoyage();
    const [call] = voyage.portCalls;
    expect((await service.delete(`/ws/rest/Voyage/${voyage.key}`)).status).toBe(204);
    for (const path of [`Voyage/${voyage.key}`, `PortCall/${call.key}`, `EventLog/${call.eventLogs[0].key}`]) {
      expect((await service.get(`/ws/rest/${path}`)).status).toBe(404);
      expect((await service.put(`/ws/rest/${path}`, {})).status).toBe(404);
      expect((await service.delete(`/ws/rest/${path}`)).status).toBe(404);
    }
  });

  test('the key is never used again', async () => {
    const { key } = await create(service, 'Vessel', { vesselName: 'First' });
    await service.delete(`/ws/rest/Vessel/${key}`);
    expect((await create(service, 'Vessel', { vesselName: 'Second' })).key).toBeGreaterThan(key);
  });
});

describe('a reference to a sub-object from outside', () => {
  test('blocks the DELETE of its owner and of the sub-object, and the PUT that omits it', async () => {
    const voyage = await givenVoyage();
    const [call, other] = voyage.portCalls;
    const order = await create(service, 'BunkerOrder', bunkerOrderBody(fleet, call.key));
    const reason = `PortCall ${call.key} cannot be deleted: BunkerOrder ${order.key} still refers to it by portCall.`;
    const events = await eventNamesDuring(service, async () => {
      for (const answer of [
        await service.delete(`/ws/rest/Voyage/${voyage.key}`),
        await service.delete(`/ws/rest/PortCall/${call.key}`),
        await service.put(`/ws/rest/Voyage/${voyage.key}`, { portCalls: [{ key: other.key }] }),
      ])
        expect([answer.status, answer.body.message]).toEqual([409, reason]);
    });
    expect(events).toEqual([]);
    await service.delete(`/ws/rest/BunkerOrder/${order.key}`);
    expect((await service.delete(`/ws/rest/Voyage/${voyage.key}`)).status).toBe(204);
  });

  test('to a detached sub-object blocks as well: the CargoPort of a Cargo that stays', async () => {
    const voyage = await givenVoyage();
    const { cargoPorts, ...cargo } = cargoBody(fleet);
    const { key } = await create(service, 'Cargo', {
      ...cargo,
      voyage: voyage.key,
      cargoPorts: [{ ...cargoPorts[0], portCall: voyage.portCalls[0].key }],
    });
    expect((await service.delete(`/ws/rest/Voyage/${voyage.key}`)).status).toBe(409);
    expect((await service.delete(`/ws/rest/Cargo/${key}`)).status).toBe(204);
    expect((await service.delete(`/ws/rest/Voyage/${voyage.key}`)).status).toBe(204);
  });
});
