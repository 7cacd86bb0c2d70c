// A bunker order that is created at a port call, or moved to it, while the port call is being changed: whichever
// commits first, the last notification shows both.

import { beforeAll, describe, expect, test } from 'vitest';
import { bunkerOrderBody, create, createFleet, createVoyage, type Fleet, read, type Shown } from '../support/fleet.ts';
import { type Answer, useTestService } from '../support/test-service.ts';
import { heardBy, subscribe } from './heard.ts';

const service = useTestService();
let fleet: Fleet;
let voyage: Shown;
beforeAll(async () => {
  fleet = await createFleet(service);
  voyage = await createVoyage(service, fleet);
});

describe('the last notification of an order shows the ETA of its port call', () => {
  test('when the order is created while the port call is being changed', async () => {
    const [call] = voyage.portCalls;
    const subscriptions = await subscribeToOrders();
    const { body } = await during(call.key, '2026-12-01T06:00:00', () =>
      service.post('/ws/rest/BunkerOrder', bunkerOrderBody(fleet, call.key)),
    );
    expect(await lastHeard(subscriptions, body.key)).toEqual(await read(service, 'BunkerOrder', body.key));
  });

  test('when the order is moved to the port call while that is being changed', async () => {
    const [call, other] = voyage.portCalls;
    const order = await create(service, 'BunkerOrder', bunkerOrderBody(fleet, other.key));
    const subscriptions = await subscribeToOrders();
    await during(call.key, '2026-12-02T06:00:00', () =>
      service.put(`/ws/rest/BunkerOrder/${order.key}`, { portCall: call.key }),
    );
    const heard = await lastHeard(subscriptions, order.key);
    expect(heard.portCall).toMatchObject({ key: call.key, eta: '2026-12-02T06:00:00' });
    expect(heard).toEqual(await read(service, 'BunkerOrder', order.key));
  });
});

/** The request starts after the ETA was changed, and before that is committed. */
async function during(portCall: number, eta: string, request: () => Promise<Answer>): Promise<Answer> {
  const client = await service.database.pool.connect();
  await client.query('begin');
  await client.query('update flaghoist.port_call set eta = $1 where key = $2', [eta, portCall]);
  let isAnswered = false;
  const answer = request().finally(() => {
    isAnswered = true;
  });
  await expect.poll(async () => isAnswered || (await isWaiting())).toBe(true);
  await client.query('commit');
  client.release();
  expect((await answer).status).toBeLessThan(300);
  return answer;
}

async function isWaiting(): Promise<boolean> {
  const { rows } = await service.database.pool.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows.length > 0;
}

function subscribeToOrders(): Promise<number[]> {
  return Promise.all(['C', 'U'].map((operation) => subscribe(service, { eventType: `BunkerOrder.${operation}` })));
}

async function lastHeard(subscriptions: number[], order: number): Promise<Shown> {
  const heard = (await Promise.all(subscriptions.map((key) => heardBy(service, key)))).flat();
  const bodies = heard.map(({ body }) => body).filter(({ resource }) => resource.key === order);
  return bodies.sort((one, other) => one.sequence - other.sequence).at(-1).resource;
}
