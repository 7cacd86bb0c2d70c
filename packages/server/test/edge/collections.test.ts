// What a PUT does with the elements of a collection, all in one transaction.

import { beforeAll, expect, test } from 'vitest';
import { eventsDuring } from '../support/events-written.ts';
import { createFleet, createVoyage, type Fleet, type Shown } from '../support/fleet.ts';
import { scenario, testScenarios } from '../support/scenario.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService();
let fleet: Fleet;
beforeAll(async () => {
  fleet = await createFleet(service);
});
const givenVoyage = () => createVoyage(service, fleet);

const withLogs = { fields: '{"portCalls":{"eventLogs":"*"}}' };
async function givenVoyageWithLogs(): Promise<Shown> {
  const { key } = await givenVoyage();
  return (await service.get(`/ws/rest/Voyage/${key}`, withLogs)).body;
}

function put({ key }: Shown, body: unknown) {
  return { method: 'PUT' as const, path: `Voyage/${key}`, body };
}

/** Port calls that are there already, by key alone: they stay as they are. */
function kept(...calls: Shown[]): object[] {
  return calls.map(({ key }) => ({ key }));
}

testScenarios(service, [
  scenario({
    name: 'an element without key is added',
    given: givenVoyage,
    request: (voyage) =>
      put(voyage, { portCalls: [...kept(...voyage.portCalls), { port: fleet.port.key, reasonForCall: 'B' }] }),
    status: 200,
    body: ({ portCalls }) => ({ portCalls: [...portCalls, { reasonForCall: 'B', portCallSequence: 3 }] }),
    events: (_, { body }) => [`PortCall.C.${body.portCalls[2].key}`],
  }),
  scenario({
    name: 'an element with key is changed, and only in what it carries',
    given: givenVoyage,
    request: (voyage) =>
      put(voyage, { portCalls: [{ key: voyage.portCalls[0].key, speed: 12.5 }, ...kept(voyage.portCalls[1])] }),
    status: 200,
    body: ({ portCalls: [first, second] }) => ({
      portCalls: [{ key: first.key, speed: 12.5, reasonForCall: 'L', port: first.port }, second],
    }),
    events: ({ portCalls }) => [`PortCall.U.${portCalls[0].key}`],
  }),
  scenario({
    name: 'an element left out is removed, with its own sub-objects',
    given: givenVoyageWithLogs,
    request: (voyage) => put(voyage, { portCalls: kept(voyage.portCalls[1]) }),
    status: 200,
    body: ({ portCalls: [, second] }) => ({ portCalls: [{ key: second.key }] }),
    events: ({ portCalls: [first] }) => [`PortCall.D.${first.key}`, `EventLog.D.${first.eventLogs[0].key}`],
  }),
  scenario({
    name: 'added, changed, removed and the object itself: all in one transaction, an event for each row',
    given: givenVoyageWithLogs,
    request: (voyage) =>
      put(voyage, {
        comments: 'All at once',
        portCalls: [
          { key: voyage.portCalls[1].key, speed: 9 },
          { port: fleet.port.key, reasonForCall: 'W' },
        ],
      }),
    status: 200,
    body: () => ({ comments: 'All at once', portCalls: [{ speed: 9 }, { reasonForCall: 'W' }] }),
    events: ({ key, portCalls }, { body }) => [
      `EventLog.D.${portCalls[0].eventLogs[0].key}`,
      `PortCall.C.${body.portCalls[1].key}`,
      `PortCall.D.${portCalls[0].key}`,
      `PortCall.U.${portCalls[1].key}`,
      `Voyage.U.${key}`,
    ],
  }),
  scenario({
    name: 'a collection that is not in the body stays as it is',
    given: givenVoyage,
    request: (voyage) => put(voyage, { comments: 'Alone' }),
    status: 200,
    body: ({ portCalls }) => ({ portCalls }),
    events: ({ key }) => [`Voyage.U.${key}`],
  }),
  scenario({
    name: 'an empty array removes all elements',
    given: () => createVoyage(service, fleet, { portCalls: [{ port: fleet.port.key, reasonForCall: 'L' }] }),
    request: (voyage) => put(voyage, { portCalls: [] }),
    status: 200,
    body: () => ({ portCalls: [] }),
    events: ({ portCalls }) => [`PortCall.D.${portCalls[0].key}`],
  }),
  scenario({
    name: 'elements inside elements are written the same way',
    given: givenVoyageWithLogs,
    request: ({ key, portCalls: [first, second] }) => ({
      method: 'PUT',
      path: `Voyage/${key}`,
      body: { portCalls: [{ key: first.key, eventLogs: [{ event: 'DEP' }] }, ...kept(second)] },
      headers: withLogs,
    }),
    status: 200,
    body: ({ portCalls: [first, second] }) => ({
      portCalls: [
        { key: first.key, eventLogs: [{ event: 'DEP' }] },
        { key: second.key, eventLogs: [] },
      ],
    }),
    events: ({ portCalls: [first] }, { body }) => [
      `EventLog.C.${body.portCalls[0].eventLogs[0].key}`,
      `EventLog.D.${first.eventLogs[0].key}`,
    ],
  }),
  scenario({
    name: 'one bad element and nothing is written',
    given: givenVoyage,
    request: (voyage) =>
      put(voyage, { comments: 'Never', portCalls: [{ port: fleet.port.key, reasonForCall: 'L' }, { port: 1 }] }),
    status: 400,
    body: () => ({
      violations: expect.arrayContaining([expect.objectContaining({ path: 'portCalls[1].reasonForCall' })]),
    }),
  }),
  scenario({
    name: 'a collection that is null is a 400',
    given: givenVoyage,
    request: (voyage) => put(voyage, { portCalls: null }),
    status: 400,
  }),
]);

test('all events of one PUT are in one transaction', async () => {
  const { key, portCalls } = await givenVoyage();
  const events = await eventsDuring(service, () =>
    service.put(`/ws/rest/Voyage/${key}`, {
      comments: 'Together',
      portCalls: [
        { key: portCalls[1].key, speed: 9 },
        { port: fleet.port.key, reasonForCall: 'W' },
      ],
    }),
  );
  expect(events.length).toBeGreaterThan(3);
  expect(new Set(events.map(({ transactionId }) => transactionId)).size).toBe(1);
});
