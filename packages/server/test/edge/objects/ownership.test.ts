// Sub-objects, their owners, and their order.

import { beforeAll, describe, expect, test } from 'vitest';
import { eventNamesDuring } from '../../support/events-written.ts';
import {
  bunkerOrderBody,
  cargoBody,
  create,
  createFleet,
  createVoyage,
  type Fleet,
  read,
  type Shown,
} from '../../support/fleet.ts';
import { useTestService } from '../../support/test-service.ts';

const service = useTestService();
let fleet: Fleet;
beforeAll(async () => {
  fleet = await createFleet(service);
});

function call(more: object = {}) {
  return { port: fleet.port.key, reasonForCall: 'L', ...more };
}

function sequencesOf({ portCalls }: Shown): number[] {
  return portCalls.map(({ portCallSequence }: Shown) => portCallSequence);
}

describe('a sub-object', () => {
  test('is written inside its owner or on its own', async () => {
    const voyage = await create(service, 'Voyage', { portCalls: [call()] });
    const own = await create(service, 'PortCall', call({ voyage: voyage.key }));
    const shown = await read(service, 'Voyage', voyage.key);
    expect(shown.portCalls.map(({ key }: Shown) => key)).toEqual([voyage.portCalls[0].key, own.key]);
    expect(shown.portCalls[0].voyage).toEqual({ key: voyage.key, self: voyage.self });
  });

  test('is deleted with its owner, and on its own without it', async () => {
    const { key, portCalls } = await createVoyage(service, fleet);
    expect((await service.delete(`/ws/rest/PortCall/${portCalls[1].key}`)).status).toBe(204);
    expect((await read(service, 'Voyage', key)).portCalls).toHaveLength(1);
    expect((await service.delete(`/ws/rest/Voyage/${key}`)).status).toBe(204);
    expect((await service.get(`/ws/rest/PortCall/${portCalls[0].key}`)).status).toBe(404);
  });

  test('may move to another owner', async () => {
    const [from, to] = [await createVoyage(service, fleet), await create(service, 'Voyage', {})];
    await service.put(`/ws/rest/PortCall/${from.portCalls[0].key}`, { voyage: to.key });
    expect((await read(service, 'Voyage', from.key)).portCalls).toHaveLength(1);
    expect((await read(service, 'Voyage', to.key)).portCalls).toMatchObject([{ key: from.portCalls[0].key }]);
  });

  test.each([
    ['PortCall', 'voyage'],
    ['EventLog', 'portCall'],
    ['CargoPort', 'cargo'],
    ['BunkerOrderLine', 'bunkerOrder'],
    ['DocumentLine', 'document'],
    ['Attachment', 'remarks'],
  ])('needs its owner: %s without %s is a 400, and it cannot be cleared', async (resource, owner) => {
    const { body } = await service.post(`/ws/rest/${resource}`, {});
    expect(body.violations.map(({ path }: { path: string }) => path)).toContain(owner);
    const cleared = await service.put(`/ws/rest/${resource}/1`, { [owner]: null });
    expect(cleared.body.violations).toMatchObject([{ path: owner }]);
  });

  test('needs no owner if the owner may be null: Cargo', async () => {
    expect((await create(service, 'Cargo', cargoBody(fleet))).voyage).toBeNull();
  });

  test('names its enclosing owner, or none; another owner is a 400', async () => {
    const [voyage, other] = await create(service, 'Voyage', [{}, {}]);
    const put = (owner: unknown) =>
      service.put(`/ws/rest/Voyage/${voyage.key}`, { portCalls: [call({ voyage: owner })] });
    expect((await put(voyage.key)).status).toBe(200);
    expect((await put(other.key)).body.violations).toMatchObject([{ path: 'portCalls[0].voyage' }]);
  });
});

describe('an element whose key', () => {
  test('belongs to another owner is a 400, and nothing moves', async () => {
    const [mine, other] = [await createVoyage(service, fleet), await createVoyage(service, fleet)];
    const events = await eventNamesDuring(service, async () => {
      for (const answer of [
        await service.put(`/ws/rest/Voyage/${mine.key}`, { portCalls: [{ key: other.portCalls[0].key }] }),
        await service.post('/ws/rest/Voyage', { portCalls: [{ key: other.portCalls[0].key }] }),
      ])
        expect(answer.body).toMatchObject({ statusCode: 400, violations: [{ path: 'portCalls[0].key' }] });
    });
    expect(events).toEqual([]);
  });

  test('belongs to another owner deeper down, or to a voyage that has it as cargo, is a 400', async () => {
    const { key, portCalls } = await createVoyage(service, fleet);
    const { eventLogs } = await read(service, 'PortCall', portCalls[0].key);
    const deep = await service.put(`/ws/rest/Voyage/${key}`, {
      portCalls: [{ key: portCalls[0].key }, { key: portCalls[1].key, eventLogs: [{ key: eventLogs[0].key }] }],
    });
    expect(deep.body).toMatchObject({ statusCode: 400, violations: [{ path: 'portCalls[1].eventLogs[0].key' }] });
    const carried = await createVoyage(service, fleet, { cargos: [cargoBody(fleet)] });
    const taken = await service.put(`/ws/rest/Voyage/${key}`, { cargos: [{ key: carried.cargos[0].key }] });
    expect(taken.body).toMatchObject({ statusCode: 400, violations: [{ path: 'cargos[0].key' }] });
  });

  test.each<[string, (voyage: Shown) => unknown[]]>([
    ['does not exist', () => [{ key: 999_999_999 }]],
    ['is of another type', (voyage) => [{ key: voyage.key }]],
    ['stands there twice', ({ portCalls: [{ key }] }) => [{ key }, { key }]],
    ['is no positive integer', () => [{ key: 0 }]],
    ['is text', () => [{ key: '5' }]],
  ])('%s is a 400', async (_, portCalls) => {
    const voyage = await createVoyage(service, fleet);
    const answer = await service.put(`/ws/rest/Voyage/${voyage.key}`, { portCalls: portCalls(voyage) });
    expect(answer.status).toBe(400);
    expect(await read(service, 'Voyage', voyage.key)).toEqual(voyage);
  });
});

describe('a sequence', () => {
  test('defaults to last + 1, inside its owner and on its own', async () => {
    const voyage = await create(service, 'Voyage', { portCalls: [call(), call({ portCallSequence: 7 }), call()] });
    expect(sequencesOf(voyage)).toEqual([1, 7, 8]);
    const own = await create(service, 'PortCall', call({ voyage: voyage.key }));
    expect(own.portCallSequence).toBe(9);
    const put = await service.put(`/ws/rest/Voyage/${voyage.key}`, {
      portCalls: [...(await read(service, 'Voyage', voyage.key)).portCalls, call({ portCallSequence: null })],
    });
    expect(sequencesOf(put.body)).toEqual([1, 7, 8, 9, 10]);
    expect((await create(service, 'Cargo', cargoBody(fleet))).cargoPorts).toMatchObject([
      { cargoPortSequence: 1 },
      { cargoPortSequence: 2 },
    ]);
  });

  test('cannot be cleared: null on PUT is a 400', async () => {
    const { portCalls } = await createVoyage(service, fleet);
    const answer = await service.put(`/ws/rest/PortCall/${portCalls[0].key}`, { portCallSequence: null });
    expect(answer.body).toMatchObject({ statusCode: 400, violations: [{ path: 'portCallSequence' }] });
  });
});

describe('a collection', () => {
  test('is ordered by sequence', async () => {
    const sequences = [30, 10, 20];
    const { key } = await create(service, 'Voyage', {
      portCalls: sequences.map((portCallSequence) => call({ portCallSequence })),
    });
    const shown = await read(service, 'Voyage', key);
    expect(sequencesOf(shown)).toEqual([10, 20, 30]);
    await service.put(`/ws/rest/PortCall/${shown.portCalls[0].key}`, { portCallSequence: 40 });
    expect(sequencesOf(await read(service, 'Voyage', key))).toEqual([20, 30, 40]);
    const { body } = await service.get(`/ws/rest/Voyage/${key}`, { fields: '{"portCalls":{"portCallSequence":"*"}}' });
    expect(sequencesOf(body)).toEqual([20, 30, 40]);
  });

  test('is ordered by key if there is no sequence, or if sequences are equal', async () => {
    const { portCalls } = await createVoyage(service, fleet);
    const { bunkerOrderLines } = await create(service, 'BunkerOrder', bunkerOrderBody(fleet, portCalls[0].key));
    const [first, second] = bunkerOrderLines;
    expect(first.key).toBeLessThan(second.key);
    await service.put(`/ws/rest/BunkerOrderLine/${first.key}`, { unitPrice: 1 });
    const shown = await read(service, 'BunkerOrder', first.bunkerOrder.key);
    expect(shown.bunkerOrderLines.map(({ key }: Shown) => key)).toEqual([first.key, second.key]);
    const same = await create(service, 'Voyage', {
      portCalls: [call({ portCallSequence: 1 }), call({ portCallSequence: 1 })],
    });
    expect(same.portCalls[0].key).toBeLessThan(same.portCalls[1].key);
  });
});
