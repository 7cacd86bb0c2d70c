// The changed row has the values of its change, wherever it appears. All other rows are as its transaction has found
// and left them.

import type { ObjectReader } from '@flaghoist/expressions';
import { beforeAll, describe, expect, test } from 'vitest';
import { cargoBody, create, createFleet, createVoyage, type Fleet, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { changeDuring, changesDuring, readChange, seeChange, viewOf } from './payload-fixture.ts';

const service = useTestService();
const { database } = service;
let fleet: Fleet;
beforeAll(async () => {
  fleet = await createFleet(service);
});

const put = async (path: string, body: object) => {
  const answer = await service.put(`/ws/rest/${path}`, body);
  expect(answer.status, answer.text).toBe(200);
};

const withLogs =
  '{"comments":"*","vessel":"*","portCalls":{"speed":"*","port":{"portName":"*"},"eventLogs":{"event":"*"}}}';

/** Before and after, as objects. */
async function see(event: Parameters<typeof seeChange>[1], type: string, key: number, fields?: string) {
  const { before, after } = await seeChange(database, event, { view: viewOf(type, fields), key });
  return { before: JSON.parse(before), after: JSON.parse(after) };
}

const keysIn = (elements: Shown[]) => elements.map(({ key }) => key);

describe('an update', () => {
  test('shows old and new values, even after later changes', async () => {
    const { key } = await createVoyage(service, fleet, { comments: 'first' });
    const event = await changeDuring(database, 'Voyage.U', () => put(`Voyage/${key}`, { comments: 'second' }));
    await put(`Voyage/${key}`, { comments: 'third' });
    const { before, after } = await see(event, 'Voyage', key);
    expect([before.comments, after.comments]).toEqual(['first', 'second']);
  });

  test('of a sub-object is shown in its owner, and nowhere else', async () => {
    const voyage = await createVoyage(service, fleet);
    const [first, second] = voyage.portCalls;
    await put(`PortCall/${second.key}`, { speed: 11 });
    const event = await changeDuring(database, 'PortCall.U', () => put(`PortCall/${first.key}`, { speed: 12.5 }));
    await put(`PortCall/${first.key}`, { speed: 13 });
    const { before, after } = await see(event, 'Voyage', voyage.key, withLogs);
    expect(before.portCalls.map(({ speed }: Shown) => speed)).toEqual([null, 11]);
    expect(after.portCalls.map(({ speed }: Shown) => speed)).toEqual([12.5, 11]);
    expect(after.portCalls[0].eventLogs).toHaveLength(1);
  });

  test('of a referenced object is shown through the reference, also from its own sub-objects', async () => {
    const { key, portCalls } = await createVoyage(service, fleet, { comments: 'old' });
    const event = await changeDuring(database, 'Voyage.U', () => put(`Voyage/${key}`, { comments: 'new' }));
    await put(`Voyage/${key}`, { comments: 'newer' });
    const fields = '{"voyage":{"comments":"*","portCalls":{"voyage":{"comments":"*"}}}}';
    const { before, after } = await see(event, 'PortCall', portCalls[0].key, fields);
    const comments = ({ voyage }: Shown) => [voyage.comments, voyage.portCalls[1].voyage.comments];
    expect([comments(before), comments(after)]).toEqual([
      ['old', 'old'],
      ['new', 'new'],
    ]);
  });

  test('follows references as they were before and after the change, not as they are now', async () => {
    const vessels: Shown[] = [];
    for (const vesselName of ['One', 'Two', 'Three']) vessels.push(await create(service, 'Vessel', { vesselName }));
    const { key } = await createVoyage(service, fleet, { vessel: vessels[0].key });
    const event = await changeDuring(database, 'Voyage.U', () => put(`Voyage/${key}`, { vessel: vessels[1].key }));
    await put(`Voyage/${key}`, { vessel: vessels[2].key });
    const { before, after } = await see(event, 'Voyage', key);
    expect([before.vessel.vesselName, after.vessel.vesselName]).toEqual(['One', 'Two']);
  });

  test('shows referenced objects as they were then, even if they were changed or deleted later', async () => {
    const old = await create(service, 'Vessel', { vesselName: 'Old' });
    const { key } = await createVoyage(service, fleet, { vessel: old.key });
    const event = await changeDuring(database, 'Voyage.U', () => put(`Voyage/${key}`, { vessel: fleet.vessel.key }));
    await put(`Vessel/${fleet.vessel.key}`, { vesselName: 'Renamed' });
    expect((await service.delete(`/ws/rest/Vessel/${old.key}`)).status).toBe(204);
    const { before, after } = await see(event, 'Voyage', key);
    expect([before.vessel.vesselName, after.vessel.vesselName]).toEqual(['Old', fleet.vessel.vesselName]);
  });

  test('finds the object it referenced before among the rows that its transaction deleted', async () => {
    const old = await create(service, 'Vessel', { vesselName: 'Scrapped' });
    const { key } = await createVoyage(service, fleet, { vessel: old.key });
    const event = await changeDuring(database, 'Voyage.U', () =>
      database.pool.query(`begin; update flaghoist.voyage set vessel = null where key = ${key};
        delete from flaghoist.vessel where key = ${old.key}; commit`),
    );
    const { before, after } = await see(event, 'Voyage', key);
    expect([before.vessel.vesselName, after.vessel]).toEqual(['Scrapped', null]);
  });

  test('that is one of several of a transaction shows what all of them have changed', async () => {
    const { key } = await createVoyage(service, fleet);
    const events = await changesDuring(database, () =>
      database.pool.query(`begin; update flaghoist.port_call set speed = 6 where voyage = ${key};
        update flaghoist.port_call set speed = 7 where voyage = ${key};
        update flaghoist.voyage set comments = 'too' where key = ${key}; commit`),
    );
    expect(events).toHaveLength(5);
    const shown = ({ comments, portCalls }: Shown) => [comments, ...portCalls.map(({ speed }: Shown) => speed)];
    for (const event of events) {
      const { before, after } = await see(event, 'Voyage', key, '{"comments":"*","portCalls":{"speed":"*"}}');
      expect([shown(before), shown(after)]).toEqual([
        [null, null, null],
        ['too', 7, 7],
      ]);
    }
  });

  test('of an object that was deleted later keeps its values, in the last state of the subscribed object', async () => {
    const { key, portCalls } = await createVoyage(service, fleet, { comments: 'last' });
    const portCall = keysIn(portCalls)[0];
    const event = await changeDuring(database, 'PortCall.U', () => put(`PortCall/${portCall}`, { speed: 3 }));
    expect((await service.delete(`/ws/rest/Voyage/${key}`)).status).toBe(204);
    const seen = await seeChange(database, event, { view: viewOf('Voyage'), key });
    const [after, before] = [JSON.parse(seen.after), JSON.parse(seen.before)];
    expect(after).toMatchObject({ key, comments: 'last', vessel: { vesselName: expect.any(String) } });
    expect(keysIn(after.portCalls)).toEqual(keysIn(portCalls));
    expect([before.portCalls[0].speed, after.portCalls[0].speed]).toEqual([null, 3]);
    const own = await see(event, 'PortCall', portCall, '{"speed":"*","voyage":{"comments":"*"},"eventLogs":"*"}');
    expect(own.after).toMatchObject({
      speed: 3,
      voyage: { comments: 'last' },
      eventLogs: [{ event: expect.any(String) }],
    });
  });
});

describe('an object that moves', () => {
  test('leaves one owner and joins the other, at its position in the order', async () => {
    const [from, to] = [await createVoyage(service, fleet), await createVoyage(service, fleet)];
    const [moved, stays] = keysIn(from.portCalls);
    const event = await changeDuring(database, 'PortCall.U', () =>
      database.pool.query('update flaghoist.port_call set voyage = $1, port_call_sequence = 1 where key = $2', [
        to.key,
        moved,
      ]),
    );
    const left = await see(event, 'Voyage', from.key);
    expect([keysIn(left.before.portCalls), keysIn(left.after.portCalls)]).toEqual([[moved, stays], [stays]]);
    const joined = await see(event, 'Voyage', to.key);
    const [first, second] = keysIn(to.portCalls);
    expect(keysIn(joined.before.portCalls)).toEqual([first, second]);
    // Has the same sequence as the first of the other voyage, whose key is higher.
    expect(keysIn(joined.after.portCalls)).toEqual([moved, first, second]);
  });

  test('is where its change put it, even if it moved again later', async () => {
    const voyages = [
      await createVoyage(service, fleet),
      await createVoyage(service, fleet),
      await createVoyage(service, fleet),
    ];
    const [a, b, c] = voyages.map(({ key }) => key);
    const cargo = await create(service, 'Cargo', { ...cargoBody(fleet), voyage: a });
    const event = await changeDuring(database, 'Cargo.U', () => put(`Cargo/${cargo.key}`, { voyage: b }));
    await put(`Cargo/${cargo.key}`, { voyage: c });
    const fields = '{"cargos":{"cargoPorts":"*"}}';
    const places = [];
    for (const voyage of [a, b, c]) {
      const { before, after } = await see(event, 'Voyage', voyage, fields);
      places.push([before.cargos.length, after.cargos.length]);
    }
    expect(places).toEqual([
      [1, 0],
      [0, 1],
      [0, 0],
    ]);
    const { after } = await see(event, 'Voyage', b, fields);
    expect(after.cargos[0].cargoPorts).toHaveLength(2);
  });

  test('among its siblings has its old and its new position', async () => {
    const { key, portCalls } = await createVoyage(service, fleet);
    const [first, second] = keysIn(portCalls);
    const event = await changeDuring(database, 'PortCall.U', () => put(`PortCall/${first}`, { portCallSequence: 9 }));
    const { before, after } = await see(event, 'Voyage', key);
    expect([keysIn(before.portCalls), keysIn(after.portCalls)]).toEqual([
      [first, second],
      [second, first],
    ]);
  });
});

describe('a create', () => {
  test('did not exist before', async () => {
    let key = 0;
    const event = await changeDuring(database, 'Voyage.C', async () => {
      ({ key } = await createVoyage(service, fleet, { comments: 'new' }));
    });
    const seen = await seeChange(database, event, { view: viewOf('Voyage'), key });
    expect(seen.before).toBe('null');
    expect(JSON.parse(seen.after)).toMatchObject({ comments: 'new', portCalls: [{}, {}] });
  });

  test('of a sub-object joins its siblings, even if it is deleted later', async () => {
    const { key, portCalls } = await createVoyage(service, fleet);
    let created: Shown;
    const event = await changeDuring(database, 'PortCall.C', async () => {
      created = await create(service, 'PortCall', { voyage: key, port: fleet.port.key, reasonForCall: 'L' });
    });
    expect((await service.delete(`/ws/rest/PortCall/${created.key}`)).status).toBe(204);
    const { before, after } = await see(event, 'Voyage', key);
    expect(keysIn(before.portCalls)).toEqual(keysIn(portCalls));
    expect(keysIn(after.portCalls)).toEqual([...keysIn(portCalls), created.key]);
  });
});

describe('readers', () => {
  const names = ['voyageStatus', 'freight', 'isTc', 'estimatedVoyageStartDate', 'vessel', 'portCalls'];
  const fields =
    '{"voyageStatus":"*","freight":"*","isTc":"*","estimatedVoyageStartDate":"*","vessel":{},' +
    '"portCalls":{"eventLogs":{"event":"*"}}}';

  test('return values, references and collections of both states', async () => {
    const { key, portCalls } = await createVoyage(service, fleet, { isTc: true });
    const event = await changeDuring(database, 'Voyage.U', () =>
      put(`Voyage/${key}`, {
        voyageStatus: 'OPR',
        freight: 0.1,
        isTc: null,
        estimatedVoyageStartDate: '2026-01-02T03:04:05',
      }),
    );
    const { before, after } = await readChange(database, event, { view: viewOf('Voyage', fields), key });
    const scalars = (reader: ObjectReader | null) => names.slice(0, 4).map((name) => reader!.get(name));
    expect(scalars(before)).toEqual(['NOM', null, true, null]);
    expect(scalars(after)).toEqual(['OPR', 0.1, null, '2026-01-02T03:04:05']);
    expect(after!.key).toBe(key);
    const elements = after!.get('portCalls') as ObjectReader[];
    expect(elements.map((reader) => reader.key)).toEqual(keysIn(portCalls));
    expect((elements[0]!.get('eventLogs') as ObjectReader[])[0]!.get('event')).toBe('ARR');
    expect(after!.get('portCalls') === elements).toBe(true);
    expect(after!.get('noSuchAttribute')).toBe(undefined);
  });

  test('have the key of a reference that shows nothing else', async () => {
    const { key } = await createVoyage(service, fleet);
    const event = await changeDuring(database, 'Voyage.U', () => put(`Voyage/${key}`, { freight: 1 }));
    const { before, after } = await readChange(database, event, { view: viewOf('Voyage', fields), key });
    expect((before!.get('vessel') as ObjectReader).key).toBe(fleet.vessel.key);
    expect((after!.get('vessel') as ObjectReader).get('key')).toBe(fleet.vessel.key);
  });

  test('are null if the object does not exist', async () => {
    let key = 0;
    const event = await changeDuring(database, 'Vessel.C', async () => {
      ({ key } = await create(service, 'Vessel', { vesselName: 'New' }));
    });
    const { before, after } = await readChange(database, event, { view: viewOf('Vessel'), key });
    expect([before, after!.get('vesselName')]).toEqual([null, 'New']);
  });
});
