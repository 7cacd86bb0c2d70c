// A change under `If-Match` against one that adds to the same tree at the same moment. A held table stops the first one
// after its tag was compared and before it reads its collections, so the order of the two does not depend on luck.

import { beforeAll, describe, expect, test } from 'vitest';
import { cargoBody, create, createFleet, createVoyage, type Fleet, type Shown } from '../support/fleet.ts';
import { holdReads } from '../support/held-lock.ts';
import { type Answer, useTestService } from '../support/test-service.ts';

const service = useTestService();
let fleet: Fleet;
let voyage: Shown;
let cargo: Shown;
let otherVoyage: Shown;
let looseCargo: Shown;
beforeAll(async () => {
  fleet = await createFleet(service);
});

async function createTree(): Promise<void> {
  voyage = await createVoyage(service, fleet);
  cargo = await create(service, 'Cargo', { ...cargoBody(fleet), voyage: voyage.key });
  otherVoyage = await createVoyage(service, fleet);
  looseCargo = await create(service, 'Cargo', cargoBody(fleet));
}

async function tagOf(path: string): Promise<string> {
  return (await service.get(path)).headers.get('etag')!;
}

interface Pair {
  /** A table that the PUT looks at after the tag was compared and before the collections. */
  held: string;
  replaced: () => string;
  body: () => object;
  add: () => Promise<Answer>;
  /** What is answered to the addition, which has waited for the PUT. */
  status: number;
  /** Whether the addition is still where it was put. */
  isKept: (added: Shown) => Promise<boolean>;
}

const isThere = (resource: string) => async (added: Shown) =>
  (await service.get(`/ws/rest/${resource}/${added.key}`)).status === 200;

async function isOnVoyage(added: Shown): Promise<boolean> {
  return (await service.get(`/ws/rest/Cargo/${added.key}`)).body.voyage?.key === voyage.key;
}

const addLog = () => service.post('/ws/rest/EventLog', { portCall: voyage.portCalls[0].key, event: 'DEP' });
const moveCargoIn = () => service.put(`/ws/rest/Cargo/${looseCargo.key}`, { voyage: voyage.key });
const movePortCallIn = () =>
  service.put(`/ws/rest/PortCall/${otherVoyage.portCalls[0].key}`, { voyage: voyage.key, portCallSequence: 9 });

const portCall = () => `/ws/rest/PortCall/${voyage.portCalls[0].key}`;
const wholeVoyage = () => `/ws/rest/Voyage/${voyage.key}`;

describe('a PUT that succeeds with a tag never removes what was added after the tag was read', () => {
  const pairs: Record<string, Pair> = {
    'a sub-object': {
      held: 'currency',
      replaced: portCall,
      body: () => ({ currency: fleet.currency.key, eventLogs: [] }),
      add: addLog,
      status: 201,
      isKept: isThere('EventLog'),
    },
    'a sub-object of a sub-object whose collection is replaced': {
      held: 'vessel',
      replaced: wholeVoyage,
      body: () => ({ vessel: fleet.vessel.key, portCalls: [{ key: voyage.portCalls[0].key, eventLogs: [] }] }),
      add: addLog,
      status: 201,
      isKept: isThere('EventLog'),
    },
    'a sub-object of a sub-object that is left out, which is refused': {
      held: 'vessel',
      replaced: wholeVoyage,
      body: () => ({ vessel: fleet.vessel.key, portCalls: [] }),
      add: addLog,
      status: 400,
      isKept: isThere('EventLog'),
    },
    'a sub-object that is moved in from another owner': {
      held: 'vessel',
      replaced: wholeVoyage,
      body: () => ({ vessel: fleet.vessel.key, portCalls: [] }),
      add: movePortCallIn,
      status: 200,
      isKept: isThere('PortCall'),
    },
    'a sub-object that can be detached': {
      held: 'vessel',
      replaced: wholeVoyage,
      body: () => ({ vessel: fleet.vessel.key, cargos: [] }),
      add: () => service.post('/ws/rest/Cargo', { ...cargoBody(fleet), voyage: voyage.key }),
      status: 201,
      isKept: isOnVoyage,
    },
    'a sub-object that was detached and is moved in': {
      held: 'vessel',
      replaced: wholeVoyage,
      body: () => ({ vessel: fleet.vessel.key, cargos: [] }),
      add: moveCargoIn,
      status: 200,
      isKept: isOnVoyage,
    },
  };

  test.each(Object.entries(pairs))('%s', async (_, pair) => {
    await createTree();
    const tag = await tagOf(pair.replaced());
    const held = await holdReads(service, `flaghoist.${pair.held}`);
    const put = service.put(pair.replaced(), pair.body(), { 'if-match': tag });
    await held.waiters(1);
    const addition = pair.add();
    // It waits for the PUT. One that does not is done before it.
    await Promise.race([addition, held.waiters(2)]);
    await held.letGo();
    const [replacement, added] = await Promise.all([put, addition]);
    const isKept = added.status < 300 && (await pair.isKept(added.body));
    expect([replacement.status, added.status, isKept]).toEqual([200, pair.status, pair.status < 300]);
  });

  test('in 100 concurrent pairs, without a lock by the test', async () => {
    const outcomes = await Promise.all(Array.from({ length: 100 }, replaceAndAdd));
    expect(outcomes.filter(({ isLost }) => isLost)).toEqual([]);
    for (const { statuses } of outcomes) expect(['200 201', '412 201']).toContain(statuses);
  });

  async function replaceAndAdd(): Promise<{ statuses: string; isLost: boolean }> {
    const { portCalls } = await createVoyage(service, fleet);
    const path = `/ws/rest/PortCall/${portCalls[0].key}`;
    const tag = await tagOf(path);
    const [put, post] = await Promise.all([
      service.put(path, { eventLogs: [] }, { 'if-match': tag }),
      service.post('/ws/rest/EventLog', { portCall: portCalls[0].key, event: 'DEP' }),
    ]);
    const isThereStill = post.status === 201 && (await isThere('EventLog')(post.body));
    return { statuses: `${put.status} ${post.status}`, isLost: put.status === 200 && !isThereStill };
  }
});

test('a DELETE that succeeds with a tag removes nothing added after the tag: the addition is rejected', async () => {
  await createTree();
  const tag = await tagOf(wholeVoyage());
  // The delete removes the remarks about its objects.
  const held = await holdReads(service, 'flaghoist.remarks');
  const deletion = service.delete(wholeVoyage(), { 'if-match': tag });
  await held.waiters(1);
  const additions = [addLog(), service.post('/ws/rest/CargoPort', cargoPort())];
  await Promise.race([Promise.all(additions), held.waiters(3)]);
  await held.letGo();
  expect((await deletion).status).toBe(204);
  const [log, port] = await Promise.all(additions);
  expect(log!.status).toBe(400);
  // The cargo is detached, and its ports with it.
  expect(port!.status).toBe(201);
});

function cargoPort() {
  return { cargo: cargo.key, port: fleet.port.key, reasonForCall: 'D' };
}

test('a PUT that names a cargo and a change that moves it there may deadlock, and neither fails', async () => {
  await createTree();
  const tag = await tagOf(wholeVoyage());
  const held = await holdReads(service, 'flaghoist.vessel');
  const body = { vessel: fleet.vessel.key, cargos: [{ key: cargo.key }, { key: looseCargo.key }] };
  const put = service.put(wholeVoyage(), body, { 'if-match': tag });
  await held.waiters(1);
  const move = moveCargoIn();
  await held.waiters(2);
  await held.letGo();
  const statuses = (await Promise.all([put, move])).map(({ status }) => status);
  // The PUT that is repeated after the move finds its tag stale.
  expect([
    [200, 200],
    [412, 200],
  ]).toContainEqual(statuses);
  expect(await isOnVoyage(looseCargo)).toBe(true);
});

test('a PUT without If-Match removes what exists, and keeps what is added later', async () => {
  await createTree();
  const held = await holdReads(service, 'flaghoist.currency');
  const put = service.put(portCall(), { currency: fleet.currency.key, eventLogs: [] });
  await held.waiters(1);
  const before = await addLog();
  await held.letGo();
  expect((await put).status).toBe(200);
  expect(await isThere('EventLog')(before.body)).toBe(false);
  const after = await addLog();
  expect(await isThere('EventLog')(after.body)).toBe(true);
});
