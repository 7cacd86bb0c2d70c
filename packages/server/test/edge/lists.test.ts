// What a list shows and in which order, and what a single object shows.

import { beforeAll, describe, expect, test } from 'vitest';
import {
  bunkerOrderBody,
  cargoBody,
  create,
  createFleet,
  createVoyage,
  type Fleet,
  read,
  type Shown,
} from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService();
let fleet: Fleet;
let voyage: Shown;
beforeAll(async () => {
  fleet = await createFleet(service);
  const { key } = await createVoyage(service, fleet, { ballastPort: fleet.port.key });
  await create(service, 'Cargo', { ...cargoBody(fleet), voyage: key });
  voyage = await read(service, 'Voyage', key);
});

describe('a list', () => {
  test('is a bare JSON array of minimized objects: scalars, references as {key, self}, no collections', async () => {
    const { body } = await service.get(`/ws/rest/Voyage?filter=key(EQ)${voyage.key}`);
    const { portCalls, cargos, vessel, ballastPort, ...scalars } = voyage;
    expect(body).toEqual([
      {
        ...scalars,
        vessel: { key: vessel.key, self: vessel.self },
        ballastPort: { key: ballastPort.key, self: ballastPort.self },
      },
    ]);
    expect([portCalls.length, cargos.length]).toEqual([2, 1]);
  });

  test('without objects is an empty array', async () => {
    const { status, body } = await service.get('/ws/rest/Document');
    expect([status, body]).toEqual([200, []]);
  });

  test('shows a reference that is not set as null', async () => {
    const bare = await create(service, 'Voyage', {});
    const { body } = await service.get(`/ws/rest/Voyage?filter=key(EQ)${bare.key}`);
    expect(body[0]).toMatchObject({ vessel: null, ballastPort: null });
  });

  test('is ordered by key by default', async () => {
    await createVoyage(service, fleet);
    const { body } = await service.get('/ws/rest/PortCall');
    const keys = body.map(({ key }: Shown) => key);
    expect(keys).toEqual([...keys].sort((a, b) => a - b));
  });
});

describe('sort', () => {
  beforeAll(async () => {
    await create(service, 'Vessel', [
      { vesselName: 'bravo', flag: 'A', builtYear: 2002, callSignal: 'sorted' },
      { vesselName: 'Alpha', flag: 'B', builtYear: 2004, callSignal: 'sorted' },
      { vesselName: 'Charlie', flag: 'A', builtYear: 1998, callSignal: 'sorted' },
      { vesselName: 'alpha', flag: null, builtYear: 2003, callSignal: 'sorted' },
    ]);
  });

  async function sorted(...sorts: string[]): Promise<string[]> {
    const query = sorts.map((sort) => `&sort=${encodeURIComponent(sort)}`).join('');
    const answer = await service.get(`/ws/rest/Vessel?filter=callSignal(EQ)sorted${query}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.body.map(({ vesselName }: Shown) => vesselName);
  }

  test('AS sorts ascending, DS descending', async () => {
    expect(await sorted('builtYear(AS)')).toEqual(['Charlie', 'bravo', 'alpha', 'Alpha']);
    expect(await sorted('builtYear(DS)')).toEqual(['Alpha', 'alpha', 'bravo', 'Charlie']);
  });

  test('I ignores case', async () => {
    expect(await sorted('vesselName(ASI)')).toEqual(['Alpha', 'alpha', 'bravo', 'Charlie']);
    expect(await sorted('vesselName(DSI)')).toEqual(['Charlie', 'bravo', 'Alpha', 'alpha']);
  });

  test('sort is repeatable: a later sort breaks ties of an earlier one', async () => {
    expect(await sorted('flag(AS)', 'vesselName(DSI)')).toEqual(['Charlie', 'bravo', 'Alpha', 'alpha']);
  });

  test('ties are broken by key', async () => {
    expect(await sorted('callSignal(AS)')).toEqual(['bravo', 'Alpha', 'Charlie', 'alpha']);
    expect(await sorted('callSignal(DS)')).toEqual(['bravo', 'Alpha', 'Charlie', 'alpha']);
  });

  test('a path can go through references', async () => {
    const { portCalls: calls } = await createVoyage(service, fleet);
    const ofVoyage = `filter=voyage(EQ)${calls[0].voyage.key}`;
    const { body } = await service.get(`/ws/rest/PortCall?${ofVoyage}&sort=port.portName(AS)`);
    expect(body.map(({ key }: Shown) => key)).toEqual([calls[1].key, calls[0].key]);
  });

  test.each(['portCalls.eta(AS)', 'portCalls(AS)', 'cargos.cargoPorts.quantity(DS)'])(
    'sorting over a collection is a 400: %s',
    async (sort) => {
      const answer = await service.get(`/ws/rest/Voyage?sort=${sort}`);
      expect(answer.status).toBe(400);
      expect(answer.body.message).toContain('collection');
    },
  );

  test.each(['vesselName', 'vesselName(ASC)', 'vesselName(as)', 'nonsense(AS)', '(AS)', ''])(
    'a bad path or direction is a 400 that quotes the sort: %s',
    async (sort) => {
      const answer = await service.get(`/ws/rest/Vessel?sort=${sort}`);
      expect(answer.status).toBe(400);
      expect(answer.body.message).toContain(sort);
    },
  );
});

describe('one object', () => {
  test('is the whole object: scalars, references with their code and name', async () => {
    const { currency, partner } = fleet;
    const call = await create(service, 'PortCall', {
      voyage: voyage.key,
      port: fleet.port.key,
      reasonForCall: 'W',
      agent: partner.key,
      currency: currency.key,
    });
    const { port } = fleet;
    expect(await read(service, 'PortCall', call.key)).toMatchObject({
      reasonForCall: 'W',
      port: { key: port.key, self: port.self, unLoCode: port.unLoCode, portName: 'Port of Loading' },
      agent: {
        key: partner.key,
        self: partner.self,
        businessPartnerCode: partner.businessPartnerCode,
        businessPartnerName: 'Partner',
      },
      currency: {
        key: currency.key,
        self: currency.self,
        currencyCode: currency.currencyCode,
        currencyName: 'Test Crown',
      },
    });
  });

  test('shows its own sub-objects as arrays, with the references of each but without its collections', async () => {
    const shown = await read(service, 'Voyage', voyage.key);
    for (const call of shown.portCalls) {
      const { eventLogs, voyage: owner, ...own } = await read(service, 'PortCall', call.key);
      expect(call).toEqual({ ...own, voyage: { key: owner.key, self: owner.self } });
    }
    const { key, self, portName, unLoCode } = fleet.port;
    expect(shown.portCalls[0].port).toEqual({ key, self, portName, unLoCode });
    expect(shown.cargos[0].charterer).toHaveProperty('businessPartnerName', 'Partner');
  });

  test('shows the port, the ETA and the reason of a port call that it refers to', async () => {
    const call = voyage.portCalls[0];
    const order = await create(service, 'BunkerOrder', bunkerOrderBody(fleet, call.key));
    const { reasonForCall, eta, port } = call;
    expect(order.portCall).toEqual({ key: call.key, self: call.self, reasonForCall, eta, port });
    expect(order.bunkerOrderLines[0].bunkerType).toHaveProperty('bunkerTypeCode', fleet.bunkerType.bunkerTypeCode);
  });

  test('can be sent back as it is, references and sub-objects included', async () => {
    const order = await create(service, 'BunkerOrder', bunkerOrderBody(fleet, voyage.portCalls[0].key));
    const answer = await service.put(`/ws/rest/BunkerOrder/${order.key}`, order);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual(order);
  });

  test('shows an empty collection as an empty array', async () => {
    expect(await create(service, 'Voyage', {})).toMatchObject({ portCalls: [], cargos: [] });
  });

  test('shows only what it owns: orders that refer to a port call are not part of it', async () => {
    const call = voyage.portCalls[0];
    await create(service, 'BunkerOrder', bunkerOrderBody(fleet, call.key));
    expect(Object.keys(await read(service, 'PortCall', call.key)).filter((name) => name.includes('unker'))).toEqual([]);
  });

  test('that does not exist is a 404 that names type and key', async () => {
    const answer = await service.get('/ws/rest/Voyage/999999999');
    expect(answer.status).toBe(404);
    expect(answer.body.message).toBe('There is no Voyage with key 999999999.');
  });
});
