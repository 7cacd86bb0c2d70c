// Mistakes in the request of a dry run: each is a 400 that says where, by the same rules as when a subscription is
// saved.

import { beforeAll, describe, expect, test } from 'vitest';
import { createClient, type TestClient } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { bunkerOrderBody, create, createFleet, createVoyage, type Fleet, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { dryRunPath, dryRunsOf } from './dry-runs.ts';

const service = useTestService();
const { tryOut, tried } = dryRunsOf(service);
const url = 'https://agent.example/hook';
let fleet: Fleet;
let owner: TestClient;
let voyage: Shown;
let order: Shown;
beforeAll(async () => {
  fleet = await createFleet(service);
  owner = await createClient(service, ['write', 'webhook']);
  voyage = await createVoyage(service, fleet);
  order = await create(service, 'BunkerOrder', bunkerOrderBody(fleet, voyage.portCalls[0].key));
});

describe('a request with mistakes', () => {
  const good = { eventType: 'BunkerOrder.U', url };

  test.each<[string, () => object, string, RegExp]>([
    ['no subscription', () => ({ objectKey: order.key }), 'subscription', /is required/],
    [
      'a subscription that is text',
      () => ({ subscription: 'x', objectKey: 1 }),
      'subscription',
      /must be a key or a sub/,
    ],
    ['a subscription that is an array', () => ({ subscription: [good], objectKey: 1 }), 'subscription', /not an array/],
    ['a key that is none', () => ({ subscription: { key: 'x' }, objectKey: 1 }), 'subscription.key', /whole number/],
    ['no change', () => ({ subscription: good }), 'objectKey', /is required, or event/],
    [
      'no such object',
      () => ({ subscription: good, objectKey: fleet.vessel.key }),
      'objectKey',
      /there is no BunkerOrder/,
    ],
    ['no such event', () => ({ subscription: good, event: 999_999_999 }), 'event', /there is no event/],
    ['an operation of an event', () => ({ subscription: good, event: 1, operation: 'C' }), 'operation', /objectKey/],
    ['an operation that is none', () => ({ subscription: good, objectKey: 1, operation: 'X' }), 'operation', /C, U, D/],
    ['something unknown', () => ({ subscription: good, objectKey: 1, send: true }), 'send', /test does not take it/],
  ])('is a 400 that says where: %s', async (_, body, place, message) => {
    const { violations } = expectErrorBody(await tryOut(body()), 400);
    expect(violations).toEqual([{ path: place, message: expect.stringMatching(message) }]);
  });

  test('an event of another type is reported', async () => {
    await service.put(`/ws/rest/Vessel/${fleet.vessel.key}`, { flag: 'NO' });
    const { rows } = await service.database.pool.query('select max(id)::int as id from flaghoist_system.event');
    const { violations } = expectErrorBody(await tryOut({ subscription: good, event: rows[0].id }), 400);
    expect(violations).toMatchObject([{ path: 'event' }]);
  });

  test('the body is checked by the same rules as when saving, and all mistakes are reported at once', async () => {
    const subscription = {
      eventType: 'BunkerOrder.U',
      url: 'ftp://x',
      expression: 'svcObject.getNothing() == 1',
      no: 1,
    };
    const { violations } = expectErrorBody(await tryOut({ subscription, objectKey: order.key }), 400);
    expect(violations!.map((violation: { path: string }) => violation.path).sort()).toEqual([
      'subscription.expression',
      'subscription.no',
      'subscription.url',
    ]);
    const saved = expectErrorBody(await service.post('/ws/rest/WebhookSubscription', subscription), 400);
    expect(violations).toEqual(
      saved.violations!.map(({ path: place, message }: { path: string; message: string }) => ({
        path: `subscription.${place}`,
        message,
      })),
    );
  });

  test('an attribute newer than the API version is rejected as in a POST', async () => {
    const subscription = { eventType: 'BunkerOrder.U', url, rawObject: true };
    const refused = await service.post(dryRunPath, { subscription, objectKey: order.key }, { 'API-Version': '5.22' });
    expect(expectErrorBody(refused, 400).violations).toMatchObject([{ path: 'subscription.rawObject' }]);
  });

  test('only an administrator can run it for another user', async () => {
    const subscription = { eventType: 'BunkerOrder.U', url, user: owner.userKey };
    const stranger = await createClient(service, ['write', 'webhook']);
    expectErrorBody(await tryOut({ subscription, objectKey: order.key }, stranger.headers), 403);
    expect(await tried({ subscription, objectKey: order.key })).toMatchObject({ isNotified: true });
  });
});
