// Which changes a subscription hears of: INTERFACE part 6, sentence by sentence.

import { beforeAll, describe, expect, test } from 'vitest';
import { createClient, type TestClient } from '../support/access.ts';
import { bunkerOrderBody, cargoBody, create, createFleet, createVoyage, type Fleet, read } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { changesHeardBy, heardBy, subscribe } from './heard.ts';

const service = useTestService();
let fleet: Fleet;
let planner: TestClient;

beforeAll(async () => {
  fleet = await createFleet(service);
  planner = await createClient(service, ['write', 'webhook']);
});

const heard = (subscription: number) => changesHeardBy(service, subscription);

describe('create, update, delete', () => {
  test('X.C hears that an X is created, and of nothing in its hierarchy', async () => {
    const created = await subscribe(service, { eventType: 'Voyage.C' });
    const voyage = await createVoyage(service, fleet);
    await service.put(`/ws/rest/Voyage/${voyage.key}`, { comments: 'changed' });
    expect(await heard(created)).toEqual([`Voyage.C.${voyage.key}`]);
  });

  test('X.U hears that an X is updated; a PUT that changes nothing is no event', async () => {
    const voyage = await createVoyage(service, fleet);
    const updated = await subscribe(service, { eventType: 'Voyage.U' });
    await service.put(`/ws/rest/Voyage/${voyage.key}`, { comments: 'changed' });
    await service.put(`/ws/rest/Voyage/${voyage.key}`, { comments: 'changed' });
    await service.put(`/ws/rest/Voyage/${voyage.key}`, {});
    expect(await heard(updated)).toEqual([`Voyage.U.${voyage.key}`]);
  });

  test('X.D hears that an X is deleted, once, whatever goes with it', async () => {
    const voyage = await createVoyage(service, fleet);
    const deleted = await subscribe(service, { eventType: 'Voyage.D' });
    const portCall = await subscribe(service, { eventType: 'PortCall.D' });
    await service.delete(`/ws/rest/Voyage/${voyage.key}`);
    expect(await heard(deleted)).toEqual([`Voyage.D.${voyage.key}`]);
    expect((await heard(portCall)).sort()).toEqual(
      voyage.portCalls.map(({ key }: { key: number }) => `PortCall.D.${key}`).sort(),
    );
  });

  test('with a key, only that X', async () => {
    const [one, other] = [await createVoyage(service, fleet), await createVoyage(service, fleet)];
    const updated = await subscribe(service, { eventType: `Voyage.U.${one.key}` });
    const deleted = await subscribe(service, { eventType: `Voyage.D.${one.key}` });
    for (const { key } of [one, other]) await service.put(`/ws/rest/Voyage/${key}`, { comments: 'changed' });
    for (const { key } of [one, other]) await service.delete(`/ws/rest/Voyage/${key}`);
    expect(await heard(updated)).toEqual([`Voyage.U.${one.key}`]);
    expect(await heard(deleted)).toEqual([`Voyage.D.${one.key}`]);
  });

  test('changes made by SQL match like those made through the API', async () => {
    const updated = await subscribe(service, { eventType: 'Vessel.U' });
    const { rows } = await service.database.pool.query(
      "insert into flaghoist.vessel (vessel_name) values ('One'), ('Two') returning key::int",
    );
    await service.database.pool.query("update flaghoist.vessel set flag = 'NO' where key = any($1)", [
      rows.map(({ key }) => key),
    ]);
    expect((await heard(updated)).sort()).toEqual(rows.map(({ key }) => `Vessel.U.${key}`).sort());
  });

  test('FLT-35: what is rolled back is never heard of', async () => {
    const updated = await subscribe(service, { eventType: `Vessel.U.${fleet.vessel.key}` });
    const client = await service.database.pool.connect();
    await client.query('begin');
    await client.query("update flaghoist.vessel set flag = 'DK' where key = $1", [fleet.vessel.key]);
    await client.query('rollback');
    client.release();
    await service.put(`/ws/rest/Vessel/${fleet.vessel.key}`, { flag: 'SE' });
    expect(await heard(updated)).toEqual([`Vessel.U.${fleet.vessel.key}`]);
  });
});

describe('the hierarchy', () => {
  test('sub-objects all the way down: created, updated and deleted, each named with its own operation', async () => {
    const voyage = await createVoyage(service, fleet);
    const updated = await subscribe(service, { eventType: `Voyage.U.${voyage.key}` });
    const [first] = voyage.portCalls;
    const log = await create(service, 'EventLog', { portCall: first.key, event: 'BRT' });
    await service.put(`/ws/rest/EventLog/${log.key}`, { isDateFixed: true });
    await service.delete(`/ws/rest/EventLog/${log.key}`);
    await service.put(`/ws/rest/PortCall/${first.key}`, { speed: 12 });
    const of = `of ${voyage.key}`;
    expect(await heard(updated)).toEqual([
      `EventLog.C.${log.key} ${of}`,
      `EventLog.U.${log.key} ${of}`,
      `EventLog.D.${log.key} ${of}`,
      `PortCall.U.${first.key} ${of}`,
    ]);
  });

  test('over the reference marked ▲: PortCall of a BunkerOrder and its sub-objects, but not Voyage', async () => {
    const voyage = await createVoyage(service, fleet);
    const [first] = voyage.portCalls;
    const order = await create(service, 'BunkerOrder', bunkerOrderBody(fleet, first.key));
    const updated = await subscribe(service, { eventType: 'BunkerOrder.U' });
    await service.put(`/ws/rest/PortCall/${first.key}`, { speed: 11 });
    const log = await create(service, 'EventLog', { portCall: first.key, event: 'DEP' });
    await service.put(`/ws/rest/Voyage/${voyage.key}`, { comments: 'not of the order' });
    expect(await heard(updated)).toEqual([
      `PortCall.U.${first.key} of ${order.key}`,
      `EventLog.C.${log.key} of ${order.key}`,
    ]);
  });

  test('three BunkerOrders at a changed PortCall are three notifications', async () => {
    const voyage = await createVoyage(service, fleet);
    const [first] = voyage.portCalls;
    const orders = [];
    for (let n = 0; n < 3; n++) orders.push(await create(service, 'BunkerOrder', bunkerOrderBody(fleet, first.key)));
    const updated = await subscribe(service, { eventType: 'BunkerOrder.U' });
    await service.put(`/ws/rest/PortCall/${first.key}`, { speed: 13 });
    expect((await heard(updated)).sort()).toEqual(orders.map(({ key }) => `PortCall.U.${first.key} of ${key}`).sort());
  });

  test('a PUT that changes an X and two of its lines is three changes', async () => {
    const voyage = await createVoyage(service, fleet);
    const order = await create(service, 'BunkerOrder', bunkerOrderBody(fleet, voyage.portCalls[0].key));
    const updated = await subscribe(service, { eventType: `BunkerOrder.U.${order.key}` });
    const bunkerOrderLines = order.bunkerOrderLines.map(({ key }: { key: number }) => ({ key, extraCost: 5 }));
    await service.put(`/ws/rest/BunkerOrder/${order.key}`, { extraCost: 7, bunkerOrderLines });
    expect((await heard(updated)).sort()).toEqual(
      [
        `BunkerOrder.U.${order.key}`,
        ...bunkerOrderLines.map(({ key }: { key: number }) => `BunkerOrderLine.U.${key} of ${order.key}`),
      ].sort(),
    );
  });

  test('an object that moves from one owner to another notifies both', async () => {
    const [from, to] = [await createVoyage(service, fleet), await createVoyage(service, fleet)];
    const updated = await subscribe(service, { eventType: 'Voyage.U' });
    const moved = from.portCalls[1].key;
    await service.put(`/ws/rest/PortCall/${moved}`, { voyage: to.key });
    expect((await heard(updated)).sort()).toEqual(
      [`PortCall.U.${moved} of ${from.key}`, `PortCall.U.${moved} of ${to.key}`].sort(),
    );
  });

  test('changes in the hierarchy of an X that is created or deleted in the same transaction are not X.U', async () => {
    const updated = await subscribe(service, { eventType: 'Voyage.U' });
    const cargo = await create(service, 'Cargo', cargoBody(fleet));
    const voyage = await createVoyage(service, fleet, { cargos: [{ key: cargo.key }] });
    await service.delete(`/ws/rest/Voyage/${voyage.key}`);
    expect(await heard(updated)).toEqual([]);
    expect((await read(service, 'Cargo', cargo.key)).voyage).toBeNull();
  });

  test('a cascade of deletes: of a deleted PortCall the Voyage hears, with all that went with it', async () => {
    const voyage = await createVoyage(service, fleet);
    const [first] = voyage.portCalls;
    const [log] = (await read(service, 'PortCall', first.key)).eventLogs;
    const updated = await subscribe(service, { eventType: `Voyage.U.${voyage.key}` });
    const portCall = await subscribe(service, { eventType: `PortCall.U.${first.key}` });
    await service.delete(`/ws/rest/PortCall/${first.key}`);
    expect((await heard(updated)).sort()).toEqual(
      [`EventLog.D.${log.key} of ${voyage.key}`, `PortCall.D.${first.key} of ${voyage.key}`].sort(),
    );
    expect(await heard(portCall)).toEqual([]);
  });

  test('with onlyMainObject only X itself', async () => {
    const voyage = await createVoyage(service, fleet);
    const updated = await subscribe(service, { eventType: `Voyage.U.${voyage.key}`, onlyMainObject: true });
    await service.put(`/ws/rest/PortCall/${voyage.portCalls[0].key}`, { speed: 10 });
    await service.put(`/ws/rest/Voyage/${voyage.key}`, { comments: 'itself' });
    expect(await heard(updated)).toEqual([`Voyage.U.${voyage.key}`]);
  });

  test('Remarks are never notified, and are no part of a hierarchy', async () => {
    const voyage = await createVoyage(service, fleet);
    const updated = await subscribe(service, { eventType: `Voyage.U.${voyage.key}` });
    const remarks = await create(service, 'Remarks', { source: voyage.key, remarkTitle: 'one' });
    await service.put(`/ws/rest/Remarks/${remarks.key}`, { remarkTitle: 'two' });
    await service.delete(`/ws/rest/Remarks/${remarks.key}`);
    expect(await heard(updated)).toEqual([]);
  });
});

describe('who made the change', () => {
  test('with notSendMyChanges those of the own user are left out, those of others and of nobody are not', async () => {
    const voyage = await createVoyage(service, fleet);
    const eventType = `Voyage.U.${voyage.key}`;
    const others = await subscribe(service, { eventType, notSendMyChanges: true }, planner);
    const all = await subscribe(service, { eventType }, planner);
    await service.put(`/ws/rest/Voyage/${voyage.key}`, { comments: 'mine' }, planner.headers);
    await service.put(`/ws/rest/Voyage/${voyage.key}`, { comments: 'of the administrator' });
    await service.database.pool.query("update flaghoist.voyage set comments = 'by SQL' where key = $1", [voyage.key]);
    const comments = async (subscription: number) =>
      (await heardBy(service, subscription)).map(({ body }) => body.resource.comments);
    expect(await comments(others)).toEqual(['of the administrator', 'by SQL']);
    expect(await comments(all)).toEqual(['mine', 'of the administrator', 'by SQL']);
  });
});

describe('from when on', () => {
  test('nothing that was committed before the subscription, although nobody had matched it yet', async () => {
    const voyage = await createVoyage(service, fleet);
    const client = await service.database.pool.connect();
    // Its event has a lower number than the subscription's snapshot knows, and commits later.
    await client.query('begin');
    await client.query("update flaghoist.voyage set comments = 'late' where key = $1", [voyage.key]);
    const before = await createVoyage(service, fleet);
    await service.put(`/ws/rest/Voyage/${before.key}`, { comments: 'before' });
    const updated = await subscribe(service, { eventType: 'Voyage.U' });
    await client.query('commit');
    client.release();
    expect(await heard(updated)).toEqual([`Voyage.U.${voyage.key}`]);
  });

  test('an unsubscribed one hears of nothing any more, and what was pending has failed', async () => {
    const voyage = await createVoyage(service, fleet);
    const updated = await subscribe(service, { eventType: `Voyage.U.${voyage.key}` });
    await service.put(`/ws/rest/Voyage/${voyage.key}`, { comments: 'one' });
    expect((await heardBy(service, updated)).map(({ status }) => status)).toEqual(['PENDING']);
    await service.put(`/ws/rest/WebhookSubscription/${updated}`, { unsubscribed: true });
    await service.put(`/ws/rest/Voyage/${voyage.key}`, { comments: 'two' });
    expect(await heardBy(service, updated)).toMatchObject([{ status: 'FAILED', errorMessage: 'Unsubscribed.' }]);
  });

  test('a deactivated one collects failed notifications until the keep time is over', async () => {
    const voyage = await createVoyage(service, fleet);
    const eventType = `Voyage.U.${voyage.key}`;
    const [kept, old] = [await subscribe(service, { eventType }), await subscribe(service, { eventType })];
    const { pool } = service.database;
    await pool.query(
      `update flaghoist_service.webhook_subscription set state = 'DEACTIVATED',
        state_date = (now() at time zone 'utc') - case when key = $1 then interval '13 days' else interval '15 days' end
      where key in ($1, $2)`,
      [kept, old],
    );
    await service.put(`/ws/rest/Voyage/${voyage.key}`, { comments: 'missed' });
    expect(await heardBy(service, kept)).toMatchObject([
      { status: 'FAILED', errorMessage: 'The subscription is deactivated.', body: { objectType: 'Voyage' } },
    ]);
    expect(await heardBy(service, old)).toEqual([]);
  });
});
