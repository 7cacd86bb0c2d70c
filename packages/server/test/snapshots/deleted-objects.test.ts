// A deleted object is shown in its last state, with the sub-objects that its transaction deleted with it.

import { beforeAll, describe, expect, test } from 'vitest';
import { withClient } from '../../src/database/database-client.ts';
import { noteEarlierServer } from '../../src/database/earlier-server.ts';
import type { ChangeEvent } from '../../src/events/change-event.ts';
import { cargoBody, create, createFleet, createVoyage, type Fleet, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { changeDuring, changesDuring, seeChange, viewOf } from './payload-fixture.ts';

const service = useTestService();
const { database } = service;
let fleet: Fleet;
beforeAll(async () => {
  fleet = await createFleet(service);
});

const remove = async (path: string) => {
  const answer = await service.delete(`/ws/rest/${path}`);
  expect(answer.status, answer.text).toBe(204);
};

async function get(path: string, fields?: string): Promise<string> {
  const answer = await service.get(`/ws/rest/${path}`, fields === undefined ? {} : { fields });
  expect(answer.status, answer.text).toBe(200);
  return answer.text;
}

function see(event: ChangeEvent, type: string, key: number, fields?: string) {
  return seeChange(database, event, { view: viewOf(type, fields), key, restUrl: `${service.url()}/ws/rest` });
}

const deep =
  '{"comments":"*","freight":"*","vessel":"*","portCalls":{"speed":"*","port":"*",' +
  '"voyage":{"comments":"*","vessel":"*"},"eventLogs":{"event":"*","portCall":{"reasonForCall":"*"}}}}';

describe('a deleted object', () => {
  test('is byte for byte what a GET returned before, at every level, and does not exist afterwards', async () => {
    const { key } = await createVoyage(service, fleet, { comments: 'last "words"', freight: 12345678.5 });
    const [whole, selected] = [await get(`Voyage/${key}`), await get(`Voyage/${key}`, deep)];
    const event = await changeDuring(database, 'Voyage.D', () => remove(`Voyage/${key}`));
    expect(await see(event, 'Voyage', key)).toEqual({ before: whole, after: 'null' });
    expect(await see(event, 'Voyage', key, deep)).toEqual({ before: selected, after: 'null' });
  });

  test('in the middle of a tree has its sub-objects, beside its live siblings', async () => {
    const { key, portCalls } = await createVoyage(service, fleet);
    const before = await get(`Voyage/${key}`, deep);
    const event = await changeDuring(database, 'PortCall.D', () => remove(`PortCall/${portCalls[0].key}`));
    expect(await see(event, 'Voyage', key, deep)).toEqual({ before, after: await get(`Voyage/${key}`, deep) });
  });

  test('at the bottom of a tree is shown in the root', async () => {
    const { key } = await createVoyage(service, fleet);
    const before = await get(`Voyage/${key}`, deep);
    const log = JSON.parse(before).portCalls[0].eventLogs[0];
    const event = await changeDuring(database, 'EventLog.D', () => remove(`EventLog/${log.key}`));
    expect(await see(event, 'Voyage', key, deep)).toEqual({ before, after: await get(`Voyage/${key}`, deep) });
  });

  test('references rows deleted by the same transaction, and live rows', async () => {
    const voyage = await createVoyage(service, fleet);
    const cargo = await create(service, 'Cargo', { ...cargoBody(fleet), voyage: voyage.key });
    const [cargoPort] = cargo.cargoPorts;
    await service.put(`/ws/rest/CargoPort/${cargoPort.key}`, { portCall: voyage.portCalls[0].key });
    const fields =
      '{"port":"*","portCall":{"reasonForCall":"*","eventLogs":{"event":"*"},"voyage":{"referenceNo":"*"}},' +
      '"cargo":{"quantity":"*","cargoPorts":"*"}}';
    const before = await get(`CargoPort/${cargoPort.key}`, fields);
    const events = await changesDuring(database, () =>
      database.pool.query(`begin; delete from flaghoist.voyage where key = ${voyage.key};
        delete from flaghoist.cargo where key = ${cargo.key}; commit`),
    );
    const event = events.find((candidate) => candidate.key === cargoPort.key && candidate.operation === 'D')!;
    const seen = await see(event, 'CargoPort', cargoPort.key, fields);
    expect(JSON.parse(seen.before)).toEqual(JSON.parse(before));
    expect(seen.before).toBe(before);
    expect(seen.after).toBe('null');
  });

  test('has the sub-objects that its delete detached, and none that another transaction had deleted', async () => {
    const { key, portCalls } = await createVoyage(service, fleet, { cargos: [cargoBody(fleet)] });
    await remove(`PortCall/${portCalls[0].key}`);
    const before = await get(`Voyage/${key}`);
    expect(JSON.parse(before).cargos).toHaveLength(1);
    const event = await changeDuring(database, 'Voyage.D', () => remove(`Voyage/${key}`));
    expect((await see(event, 'Voyage', key)).before).toBe(before);
  });

  test('is restored for each of many in one transaction', async () => {
    const voyages: Shown[] = [];
    for (let count = 0; count < 5; count += 1) voyages.push(await createVoyage(service, fleet));
    const texts = await Promise.all(voyages.map(({ key }) => get(`Voyage/${key}`, deep)));
    const events = await changesDuring(database, () =>
      database.pool.query('delete from flaghoist.voyage where key = any($1)', [voyages.map(({ key }) => key)]),
    );
    const deleted = events.filter(({ type }) => type.name === 'Voyage').sort((a, b) => a.key - b.key);
    const seen = await Promise.all(deleted.map((event) => see(event, 'Voyage', event.key, deep)));
    expect(seen.map(({ before }) => before)).toEqual(texts);
  });

  test('has no remarks, because remarks make no events', async () => {
    const { key } = await create(service, 'Vessel', { vesselName: 'Noted' });
    await create(service, 'Remarks', { source: key, remarkText: 'gone' });
    const event = await changeDuring(database, 'Vessel.D', () => remove(`Vessel/${key}`));
    const { before } = await see(event, 'Vessel', key, '{"vesselName":"*","remarks":"*"}');
    expect(JSON.parse(before)).toMatchObject({ vesselName: 'Noted', remarks: [] });
  });
});

describe('an object that was changed, and deleted before the change was matched', () => {
  test('is shown as the change left it, with the sub-objects deleted with it', async () => {
    const { key } = await createVoyage(service, fleet, { comments: 'first' });
    const event = await changeDuring(database, 'Voyage.U', () =>
      service.put(`/ws/rest/Voyage/${key}`, { comments: 'second' }),
    );
    const after = await get(`Voyage/${key}`, deep);
    expect(JSON.parse(after).portCalls[0].eventLogs).not.toEqual([]);
    await remove(`Voyage/${key}`);
    const seen = await see(event, 'Voyage', key, deep);
    expect(seen.after).toBe(after);
    expect(JSON.parse(seen.before)).toMatchObject({
      comments: 'first',
      portCalls: JSON.parse(after).portCalls.map(keyOf),
    });
  });

  test('alone, if its own transaction deleted it', async () => {
    const { key, portCalls } = await createVoyage(service, fleet, { comments: 'long' });
    const event = await changeDuring(database, 'Voyage.U', () =>
      database.pool.query(`begin; update flaghoist.voyage set comments = 'short' where key = ${key};
        delete from flaghoist.voyage where key = ${key}; commit`),
    );
    const { before, after } = await see(event, 'Voyage', key);
    expect(JSON.parse(before)).toMatchObject({ comments: 'long', portCalls: portCalls.map(keyOf) });
    expect(JSON.parse(after)).toMatchObject({ comments: 'short', portCalls: [] });
  });

  test('but a reused key has the sub-objects of its new object', async () => {
    const { key } = await createVoyage(service, fleet);
    await remove(`Voyage/${key}`);
    const event = await changeDuring(database, 'Voyage.C', () =>
      database.pool.query(`insert into flaghoist.voyage (key, comments) values (${key}, 'again')`),
    );
    const { after } = await see(event, 'Voyage', key);
    expect(JSON.parse(after)).toMatchObject({ comments: 'again', portCalls: [] });
  });
});

test('what was deleted before the database was restored on another server stays deleted', async () => {
  const { key, portCalls } = await createVoyage(service, fleet);
  await remove(`PortCall/${portCalls[0].key}`);
  // The server of the dump had higher transaction ids than this one.
  const { pool } = database;
  await pool.query(
    `update flaghoist_system.event set transaction_id = (transaction_id::text::bigint + 1000000)::text::xid8`,
  );
  const restart = () => withClient({ connectionString: database.url }, noteEarlierServer);
  await restart();
  const change = () => service.put(`/ws/rest/Voyage/${key}`, { comments: 'restored' });
  const event = await changeDuring(database, 'Voyage.U', change);
  await change();
  const { before, after } = await see(event, 'Voyage', key);
  for (const shown of [before, after])
    expect(JSON.parse(shown).portCalls.map(keyOf)).toEqual([{ key: portCalls[1].key }]);
  const { rows } = await pool.query('select last_event_id::int as id from flaghoist_system.earlier_server');
  await restart();
  expect((await pool.query('select last_event_id::int as id from flaghoist_system.earlier_server')).rows).toEqual(rows);
  expect(rows[0].id).toBeLessThan(event.id);
});

function keyOf({ key }: Shown) {
  return { key };
}
