// The types Cargo and CargoPort.

import { beforeAll, describe, expect, test } from 'vitest';
import { eventNamesDuring } from '../../support/events-written.ts';
import { cargoBody, create, createFleet, createVoyage, type Fleet, read, type Shown } from '../../support/fleet.ts';
import { anyLength, testRow } from '../../support/object-row.ts';
import { useTestService } from '../../support/test-service.ts';

const service = useTestService();
let fleet: Fleet;
let voyage: Shown;
let cargo: Shown;
beforeAll(async () => {
  fleet = await createFleet(service);
  voyage = await createVoyage(service, fleet);
  cargo = await create(service, 'Cargo', cargoBody(fleet));
});

testRow(service, {
  resource: 'Cargo',
  least: () => cargoBody(fleet),
  mandatory: ['commodity', 'charterer', 'freightCurrency', 'cargoMeasurement', 'cargoPorts'],
  texts: { cargoReference: anyLength, externalReference: 64 },
  codes: { cargoType: ['SPOT', 'COA'], cargoMeasurement: ['MT', 'CBM', 'LT'] },
  dates: ['cpDate'],
  booleans: ['isOption'],
  decimals: ['quantity', 'freightRate'],
  references: {
    voyage: { to: 'Voyage', target: () => voyage },
    commodity: { to: 'Commodity', target: () => fleet.commodity },
    charterer: { to: 'BusinessPartner', target: () => fleet.partner },
    freightCurrency: { to: 'Currency', target: () => fleet.currency },
  },
  collections: ['cargoPorts'],
});

testRow(service, {
  resource: 'CargoPort',
  least: () => ({ cargo: cargo.key, port: fleet.port.key, reasonForCall: 'L' }),
  mandatory: ['cargo', 'port', 'reasonForCall'],
  codes: { reasonForCall: ['L', 'D'] },
  integers: ['cargoPortSequence'],
  decimals: ['quantity'],
  references: {
    cargo: { to: 'Cargo', target: () => cargo },
    port: { to: 'Port', target: () => fleet.otherPort },
    portCall: { to: 'PortCall', target: () => voyage.portCalls[0] },
  },
});

describe('Cargo.cargoPorts', () => {
  test('has at least one element on POST', async () => {
    const answer = await service.post('/ws/rest/Cargo', { ...cargoBody(fleet), cargoPorts: [] });
    expect(answer.body).toMatchObject({ statusCode: 400, violations: [{ path: 'cargoPorts' }] });
  });
});

describe('Cargo, a sub-object whose owner may be null,', () => {
  async function voyageWithCargos(): Promise<{ voyage: Shown; first: number; second: number }> {
    const shown = await createVoyage(service, fleet, { cargos: [cargoBody(fleet), cargoBody(fleet)] });
    return { voyage: shown, first: shown.cargos[0].key, second: shown.cargos[1].key };
  }

  test('is detached, not deleted, when a PUT omits it', async () => {
    const { voyage: owner, first, second } = await voyageWithCargos();
    const events = await eventNamesDuring(service, async () => {
      const answer = await service.put(`/ws/rest/Voyage/${owner.key}`, { cargos: [{ key: second }] });
      expect(answer.body.cargos).toMatchObject([{ key: second }]);
    });
    expect(events).toEqual([`Cargo.U.${first}`]);
    const left = await read(service, 'Cargo', first);
    expect([left.voyage, left.cargoPorts.length]).toEqual([null, 2]);
  });

  test('is detached, not deleted, when its owner is deleted', async () => {
    const { voyage: owner, first, second } = await voyageWithCargos();
    const events = await eventNamesDuring(service, async () => {
      expect((await service.delete(`/ws/rest/Voyage/${owner.key}`)).status).toBe(204);
    });
    expect(events.filter((name) => name.startsWith('Cargo'))).toEqual([`Cargo.U.${first}`, `Cargo.U.${second}`].sort());
    expect(await read(service, 'Cargo', first)).toMatchObject({ voyage: null });
  });

  test('is attached again when it is put into a voyage by its key, on PUT and on POST', async () => {
    const [one, two] = await create(service, 'Cargo', [cargoBody(fleet), cargoBody(fleet)]);
    const put = await service.put(`/ws/rest/Voyage/${(await create(service, 'Voyage', {})).key}`, {
      cargos: [{ key: one.key, quantity: 7 }],
    });
    expect(put.body.cargos).toMatchObject([{ key: one.key, quantity: 7 }]);
    const posted = await service.post('/ws/rest/Voyage', { cargos: [{ key: two.key, quantity: 8 }] });
    expect(posted.status, posted.text).toBe(201);
    expect(posted.body.cargos).toMatchObject([{ key: two.key, quantity: 8 }]);
  });

  test('cannot be put into two voyages by one request: the second is a 400, and none is created', async () => {
    const { key } = await create(service, 'Cargo', cargoBody(fleet));
    const events = await eventNamesDuring(service, async () => {
      const answer = await service.post('/ws/rest/Voyage', [{ cargos: [{ key }] }, { cargos: [{ key }] }]);
      expect(answer.body).toMatchObject({ statusCode: 400, violations: [{ path: '[1].cargos[0].key' }] });
    });
    expect(events).toEqual([]);
  });

  test('is moved or detached on its own, by its reference', async () => {
    const { voyage: owner, first } = await voyageWithCargos();
    await service.put(`/ws/rest/Cargo/${first}`, { voyage: voyage.key });
    expect((await read(service, 'Voyage', owner.key)).cargos).toHaveLength(1);
    expect((await service.put(`/ws/rest/Cargo/${first}`, { voyage: null })).body.voyage).toBeNull();
  });
});
