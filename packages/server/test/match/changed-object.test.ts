// Expressions over the object that changed, wherever it is in the hierarchy, and over objects that did not exist
// before.

import { beforeAll, describe, expect, test } from 'vitest';
import { openTransaction } from '../database/open-transaction.ts';
import { decidedBy } from '../explain/decided.ts';
import {
  bunkerOrderBody,
  cargoBody,
  create,
  createFleet,
  createVoyage,
  type Fleet,
  type Shown,
} from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { changesHeardBy, subscribe } from './heard.ts';

const service = useTestService();
const { decisionsAt, lastOf } = decidedBy(service);
let fleet: Fleet;
beforeAll(async () => {
  fleet = await createFleet(service);
});

async function put(path: string, body: object): Promise<void> {
  const answer = await service.put(`/ws/rest/${path}`, body);
  expect(answer.status, answer.text).toBe(200);
}

const heard = (subscription: number) => changesHeardBy(service, subscription);

/** A voyage, and a subscription on it with this expression. */
async function watched(expression: string): Promise<{ voyage: Shown; subscription: number }> {
  const voyage = await createVoyage(service, fleet);
  return { voyage, subscription: await subscribe(service, { eventType: `Voyage.U.${voyage.key}`, expression }) };
}

describe('changedObject', () => {
  test('is the object that changed, before and after the change', async () => {
    const { voyage, subscription } = await watched(
      'changedObject.getSpeed() != null && !changedObject.getSpeed().equals(oldChangedObject.getSpeed())',
    );
    const [one, other] = voyage.portCalls;
    await put(`PortCall/${one.key}`, { speed: 12.5 });
    await put(`PortCall/${other.key}`, { eta: '2026-05-01T00:00:00' });
    await put(`PortCall/${one.key}`, { eta: '2026-05-02T00:00:00' });
    await put(`Voyage/${voyage.key}`, { comments: 'changed' });
    await put(`PortCall/${other.key}`, { speed: 11 });
    expect(await heard(subscription)).toEqual([one, other].map(({ key }) => `PortCall.U.${key} of ${voyage.key}`));
  });

  test('is the subscribed object itself, if that changed', async () => {
    const { voyage, subscription } = await watched('changedObject == svcObject');
    await put(`PortCall/${voyage.portCalls[0].key}`, { speed: 12.5 });
    await put(`Voyage/${voyage.key}`, { comments: 'changed' });
    expect(await heard(subscription)).toEqual([`Voyage.U.${voyage.key}`]);
  });

  test('has a type, and its own references and collections', async () => {
    const { voyage, subscription } = await watched(
      'changedObject instanceof PortCall && changedObject.getPort().getPortName() != null && ' +
        'changedObject.getEventLogs().stream().anyMatch(e -> e.getEvent() != null)',
    );
    const cargo = await create(service, 'Cargo', { ...cargoBody(fleet), voyage: voyage.key });
    await put(`Cargo/${cargo.key}`, { quantity: 4711 });
    await put(`PortCall/${voyage.portCalls[0].key}`, { speed: 12.5 });
    expect(await heard(subscription)).toEqual([`PortCall.U.${voyage.portCalls[0].key} of ${voyage.key}`]);
  });

  test('that is created has no old state; one that is deleted has its last', async () => {
    const { voyage, subscription: created } = await watched(
      'oldChangedObject == null && oldChangedObject.getPort().getPortName() == null && changedObject.getSpeed() == 13',
    );
    const expression = 'changedObject.getSpeed() == 13 && oldChangedObject.getSpeed() == 13';
    const deleted = await subscribe(service, { eventType: `Voyage.U.${voyage.key}`, expression });
    const body = { voyage: voyage.key, port: fleet.port.key, reasonForCall: 'L', speed: 13 };
    const { key } = await create(service, 'PortCall', body);
    expect(await heard(created)).toEqual([`PortCall.C.${key} of ${voyage.key}`]);
    expect((await service.delete(`/ws/rest/PortCall/${key}`)).status).toBeLessThan(300);
    expect(await heard(deleted)).toEqual([`PortCall.D.${key} of ${voyage.key}`]);
  });

  test('is found over a followed reference, for each subscribed object', async () => {
    const voyage = await createVoyage(service, fleet);
    const [portCall] = voyage.portCalls;
    const orders = [await create(service, 'BunkerOrder', bunkerOrderBody(fleet, portCall.key))];
    orders.push(await create(service, 'BunkerOrder', bunkerOrderBody(fleet, portCall.key)));
    const expression = 'changedObject.getSpeed() > 12 && svcObject.getPortCall() == changedObject';
    const subscription = await subscribe(service, { eventType: 'BunkerOrder.U', expression });
    await put(`PortCall/${portCall.key}`, { speed: 12.5 });
    const changes = orders.map(({ key }) => `PortCall.U.${portCall.key} of ${key}`);
    expect((await heard(subscription)).sort()).toEqual(changes.sort());
  });

  test('shows the values of its own change, whatever happens before it is matched', async () => {
    const { voyage, subscription } = await watched(
      'changedObject.getSpeed() == 12 && oldChangedObject.getSpeed() == 11',
    );
    const { key } = voyage.portCalls[0];
    const client = await service.database.pool.connect();
    for (const speed of [11, 12, 13, 12])
      await client.query('update flaghoist.port_call set speed = $1 where key = $2', [speed, key]);
    client.release();
    expect(await heard(subscription)).toEqual([`PortCall.U.${key} of ${voyage.key}`]);
  });

  test('a failing expression says why', async () => {
    const { voyage, subscription } = await watched('((PortCall) changedObject).getSpeed() > 12');
    await put(`Voyage/${voyage.key}`, { comments: 'changed' });
    expect(await lastOf(subscription, voyage.key)).toMatchObject({
      reason: 'EXPRESSION_ERROR',
      message: expect.stringContaining('ClassCastException: the object is a Voyage, not a PortCall'),
    });
  });
});

describe('oldSvcObject', () => {
  test('does not exist on create: a condition on a value that appears is true', async () => {
    const expression = 'oldSvcObject.getDemurrage() == null && svcObject.getDemurrage() != null';
    const subscription = await subscribe(service, { eventType: 'Voyage.C', expression });
    await createVoyage(service, fleet);
    const { key } = await createVoyage(service, fleet, { demurrage: 5 });
    expect(await heard(subscription)).toEqual([`Voyage.C.${key}`]);
  });

  test('has neither references nor elements on create, and unboxing its nulls fails', async () => {
    const expression =
      'oldSvcObject == null && oldSvcObject.getVessel().getVesselName() == null ' +
      '&& oldSvcObject.getPortCalls().isEmpty()';
    const subscription = await subscribe(service, { eventType: 'Voyage.C', expression });
    const failing = await subscribe(service, { eventType: 'Voyage.C', expression: 'oldSvcObject.getFreight() > 1' });
    const { key } = await createVoyage(service, fleet);
    expect(await heard(subscription)).toEqual([`Voyage.C.${key}`]);
    const decisions = await decisionsAt(`${failing}/decisions?objectKey=${key}`);
    expect(decisions.find(({ objectKey }) => objectKey === key)).toMatchObject({
      reason: 'EXPRESSION_ERROR',
      message: expect.stringContaining('NullPointerException: freight is null'),
    });
  });

  test('does not exist either for an update by the transaction that has created the object', async () => {
    const { portCalls } = await createVoyage(service, fleet);
    const expression = 'oldSvcObject == null && svcObject.getPortCalls().size() != oldSvcObject.getPortCalls().size()';
    const subscription = await subscribe(service, { eventType: 'Voyage.U', expression });
    const transaction = await openTransaction(service.database.pool);
    const { rows } = await transaction.run("insert into flaghoist.voyage (comments) values ('new') returning key::int");
    const [{ key }] = rows;
    await transaction.run(`update flaghoist.voyage set comments = 'newer' where key = ${key}`);
    await transaction.run(`update flaghoist.port_call set voyage = ${key} where key = ${portCalls[0].key}`);
    await transaction.commit();
    expect(await heard(subscription)).toEqual([`Voyage.U.${key}`]);
  });
});
