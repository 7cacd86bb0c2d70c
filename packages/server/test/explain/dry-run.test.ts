// The dry run: what a subscription, saved or not, would send for a change, or why it would send nothing. It agrees with
// what really happens, and stores nothing.

import { beforeAll, describe, expect, test } from 'vitest';
import { heardBy, matched, subscribe } from '../match/heard.ts';
import { createClient, type TestClient } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { bunkerOrderBody, create, createFleet, createVoyage, type Fleet, read, type Shown } from '../support/fleet.ts';
import { type Answer, useTestService } from '../support/test-service.ts';

const service = useTestService({ FLAGHOIST_NOTIFICATION_BYTES_MAX: '20000' });
const path = '/ws/rest/WebhookSubscription/test';
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

function tryOut(body: unknown, headers?: TestClient['headers']): Promise<Answer> {
  return service.post(path, body, headers);
}

async function tried(body: unknown, headers?: TestClient['headers']): Promise<Shown> {
  const answer = await tryOut(body, headers);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

/** Everything that a request could store. */
async function traces(): Promise<unknown> {
  await matched(service);
  const { rows } = await service.database.pool.query(`select
    (select last_value from flaghoist.object_key) as key,
    (select count(*) from flaghoist_service.webhook_subscription) as subscriptions,
    (select count(*) from flaghoist_service.webhook_notification) as notifications,
    (select count(*) from flaghoist_service.audit_log) as audits,
    (select max(id) from flaghoist_system.event) as events,
    (select count(*) from flaghoist_system.suppressed_match) as suppressed,
    (select value from flaghoist_system.revision where name = 'subscriptions') as revision`);
  return rows[0];
}

describe('an unsaved subscription', () => {
  test('returns what it would send for an object in its current state', async () => {
    const answer = await tried({ subscription: { eventType: 'BunkerOrder.U', url }, objectKey: order.key });
    const { body, ...rest } = answer;
    expect(rest).toEqual({
      isNotified: true,
      reason: 'NOTIFIED',
      message: 'This would be sent.',
      subscribedObjectKey: order.key,
      channelType: 'HTTP',
      url,
      contentType: 'application/json',
      subject: null,
      log: null,
    });
    const { eventTime, occurredAt, ...sent } = JSON.parse(body);
    expect(occurredAt).toBe(`${eventTime}.000000Z`);
    expect(eventTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
    expect(sent).toEqual({
      id: '0-0',
      objectType: 'BunkerOrder',
      eventType: 'U',
      serviceObject: order.key,
      serviceObjectSelf: order.self,
      subscription: {
        key: 0,
        self: `${service.url()}/ws/rest/WebhookSubscription/0`,
        eventType: 'BunkerOrder.U',
      },
      resource: await read(service, 'BunkerOrder', order.key),
      sequence: 0,
    });
  });

  test('shows what json selects, or the object alone', async () => {
    const json = Buffer.from('{"bunkerOrderStatus":"*"}').toString('base64');
    const subscription = { eventType: 'BunkerOrder.U', url, json, rawObject: true };
    const { body } = await tried({ subscription, objectKey: order.key });
    expect(JSON.parse(body)).toEqual({ key: order.key, self: order.self, bunkerOrderStatus: 'PLN' });
  });

  test('names the receiver, also for e-mail', async () => {
    const channelInfo = { channelType: 'EMAIL', URL: 'desk@agent.example' };
    const answer = await tried({ subscription: { eventType: 'BunkerOrder.U', channelInfo }, objectKey: order.key });
    expect([answer.channelType, answer.url]).toEqual(['EMAIL', 'desk@agent.example']);
  });

  test.each<[string, object, string, RegExp]>([
    ['ANOTHER_OPERATION', { operation: 'C' }, 'ANOTHER_OPERATION', /another operation/],
    ['EXPRESSION_FALSE', { expression: '.bunkerOrderStatus = ORD' }, 'EXPRESSION_FALSE', /was false/],
    [
      'EXPRESSION_ERROR',
      { expression: 'svcObject.getExternalReferenceNo().isEmpty()' },
      'EXPRESSION_ERROR',
      /NullPointerException/,
    ],
  ])('says why it would send nothing: %s', async (_, wishes, reason, message) => {
    const { operation, ...more } = wishes as { operation?: string };
    const answer = await tried({
      subscription: { eventType: 'BunkerOrder.U', url, ...more },
      objectKey: order.key,
      ...(operation ? { operation } : {}),
    });
    expect(answer).toMatchObject({ isNotified: false, reason, contentType: null, body: null, url });
    expect(answer.message).toMatch(message);
  });

  test('reports that it is for another object', async () => {
    const another = await create(service, 'BunkerOrder', bunkerOrderBody(fleet, voyage.portCalls[1].key));
    const answer = await tried({
      subscription: { eventType: `BunkerOrder.U.${another.key}`, url },
      objectKey: order.key,
    });
    expect(answer).toMatchObject({ isNotified: false, reason: 'ANOTHER_KEY' });
  });

  test('sees equal old and new values in an update, no old ones in a create, the last ones in a delete', async () => {
    const attempt = async (operation: string, expression: string) => {
      const subscription = { eventType: `BunkerOrder.${operation}`, url, expression };
      const { isNotified, message, body } = await tried({ subscription, objectKey: order.key });
      return isNotified ? JSON.parse(body).resource.bunkerOrderLines.length : message;
    };
    const same = 'oldSvcObject.getBunkerOrderLines().size() == svcObject.getBunkerOrderLines().size()';
    expect(await attempt('U', same)).toBe(2);
    expect(await attempt('C', 'oldSvcObject == null && svcObject.getBunkerOrderLines().size() == 2')).toBe(2);
    expect(await attempt('D', `${same} && svcObject.getBunkerOrderLines().size() == 2`)).toBe(2);
  });

  test('sees the object itself as the changed one, or the changed object of an event', async () => {
    const attempt = async (operation: string, expression: string, change: object = { objectKey: order.key }) => {
      const subscription = { eventType: `BunkerOrder.${operation}`, url, expression };
      const { isNotified, message } = await tried({ subscription, ...change });
      return isNotified ? 'sent' : message;
    };
    const same = 'changedObject == svcObject && changedObject.getBunkerOrderLines().size() == 2';
    expect(await attempt('U', `${same} && oldChangedObject == changedObject`)).toBe('sent');
    expect(await attempt('C', `${same} && oldChangedObject == null && changedObject.getEta() == null`)).toBe('sent');
    expect(await attempt('D', `${same} && oldChangedObject.getBunkerOrderLines().size() == 2`)).toBe('sent');
    const witness = await subscribe(service, { eventType: `BunkerOrder.U.${order.key}` });
    await service.put(`/ws/rest/PortCall/${voyage.portCalls[0].key}`, { speed: 9.5 });
    const event = Number((await heardBy(service, witness))[0]!.id.split('-')[0]);
    const expression =
      'changedObject instanceof PortCall && changedObject.getSpeed() == 9.5 && changedObject != svcObject';
    expect(await attempt('U', expression, { event })).toBe('sent');
  });

  test('a body that is too large would not be sent', async () => {
    const document = await create(service, 'Document', {
      documentType: 'INI',
      company: fleet.partner.key,
      documentLines: Array.from({ length: 100 }, () => ({ lineText: 'x'.repeat(256) })),
    });
    const answer = await tried({ subscription: { eventType: 'Document.U', url }, objectKey: document.key });
    expect(answer).toMatchObject({ isNotified: false, reason: 'BODY_TOO_LARGE', body: null });
    expect(answer.message).toContain('larger than 20000 bytes');
  });
});

describe('a saved subscription', () => {
  test('is named by its key, and shows what it really sends', async () => {
    const subscription = await subscribe(service, { eventType: `BunkerOrder.U.${order.key}` });
    await service.put(`/ws/rest/PortCall/${voyage.portCalls[0].key}`, { speed: 12.5 });
    const [sent] = await heardBy(service, subscription);
    const event = Number(sent!.id.split('-')[0]);
    const answer = await tried({ subscription, event });
    expect(answer).toMatchObject({ isNotified: true, subscribedObjectKey: order.key, contentType: 'application/json' });
    expect(answer.body).toBe(sent!.text!.replace(sent!.id, `${event}-0`));
  });

  test('can be tried with changes, as in a PUT', async () => {
    const key = await subscribe(service, { eventType: 'BunkerOrder.U', expression: '.bunkerOrderStatus = ORD' });
    const { body: before } = await service.get(`/ws/rest/WebhookSubscription/${key}`);
    const attempt = (changes: object) => tried({ subscription: { key, ...changes }, objectKey: order.key });
    expect(await attempt({})).toMatchObject({ isNotified: false, reason: 'EXPRESSION_FALSE' });
    const changed = await attempt({ expression: '.bunkerOrderStatus = PLN', url });
    expect(changed).toMatchObject({ isNotified: true, url });
    expect(JSON.parse(changed.body).subscription.key).toBe(key);
    expect(await attempt({ expression: null })).toMatchObject({ isNotified: true });
    expect(await attempt({ unsubscribed: true })).toMatchObject({
      isNotified: false,
      reason: 'NOT_ACTIVE',
      message: 'The subscription is not active (unsubscribed).',
    });
    const refused = await tryOut({ subscription: { key, rawObject: true }, objectKey: order.key });
    expect(expectErrorBody(refused, 400).violations).toMatchObject([{ path: 'subscription.rawObject' }]);
    expect((await service.get(`/ws/rest/WebhookSubscription/${key}`)).body).toEqual(before);
  });

  test('would send nothing after the unsubscribe, and can no longer be changed', async () => {
    const key = await subscribe(service, { eventType: 'BunkerOrder.U' });
    await service.put(`/ws/rest/WebhookSubscription/${key}`, { unsubscribed: true });
    expect(await tried({ subscription: key, objectKey: order.key })).toMatchObject({
      isNotified: false,
      reason: 'NOT_ACTIVE',
      message: expect.stringMatching(/^The subscription is not active \(unsubscribed since \d{4}-/),
    });
    expectErrorBody(await tryOut({ subscription: { key, url }, objectKey: order.key }), 409);
  });

  test('of another user is not found', async () => {
    const key = await subscribe(service, { eventType: 'BunkerOrder.U' });
    for (const [subscription, place] of [
      [key, 'subscription'],
      [{ key, url }, 'subscription.key'],
      [999_999_999, 'subscription'],
    ] as const) {
      const refused = await tryOut({ subscription, objectKey: order.key }, owner.headers);
      const missing = typeof subscription === 'number' ? subscription : subscription.key;
      expect(expectErrorBody(refused, 400).violations).toEqual([
        { path: place, message: `there is no WebhookSubscription with key ${missing}.` },
      ]);
    }
  });

  test('suppresses own changes if it says so', async () => {
    const wishes = { eventType: 'BunkerOrder.U', notSendMyChanges: true };
    const subscription = await subscribe(service, wishes, owner);
    const attempt = (event: number) => tried({ subscription, event }, owner.headers);
    const changed = async (headers?: TestClient['headers']): Promise<number> => {
      comments += 1;
      await service.put(`/ws/rest/BunkerOrder/${order.key}`, { extraCost: comments }, headers);
      const { rows } = await service.database.pool.query(
        'select max(id)::int as id from flaghoist_system.event where object_key = $1',
        [order.key],
      );
      return rows[0].id;
    };
    expect(await attempt(await changed(owner.headers))).toMatchObject({ isNotified: false, reason: 'OWN_CHANGE' });
    expect(await attempt(await changed())).toMatchObject({ isNotified: true });
  });
});
let comments = 0;

describe('an event', () => {
  test('is treated as made now, even if it is older than the subscription', async () => {
    await service.put(`/ws/rest/BunkerOrder/${order.key}`, { exchangeRate: 1.5 });
    const { rows } = await service.database.pool.query('select max(id)::int as id from flaghoist_system.event');
    const later = await subscribe(service, { eventType: 'BunkerOrder.U' });
    const answer = await tried({ subscription: later, event: rows[0].id });
    expect(answer).toMatchObject({ isNotified: true, subscribedObjectKey: order.key });
    expect(JSON.parse(answer.body).resource.exchangeRate).toBe(1.5);
  });

  test('may concern several objects; objectKey picks one', async () => {
    const portCall = voyage.portCalls[0].key;
    const second = await create(service, 'BunkerOrder', bunkerOrderBody(fleet, portCall));
    await service.put(`/ws/rest/PortCall/${portCall}`, { daysAtSea: 3 });
    const { rows } = await service.database.pool.query('select max(id)::int as id from flaghoist_system.event');
    const attempt = (more: object, expression?: string) =>
      tried({ subscription: { eventType: 'BunkerOrder.U', url, expression }, event: rows[0].id, ...more });
    expect(await attempt({ objectKey: second.key })).toMatchObject({
      isNotified: true,
      subscribedObjectKey: second.key,
    });
    expect(await attempt({}, `svcObject.getKey() == ${second.key}`)).toMatchObject({ subscribedObjectKey: second.key });
    expect(await attempt({ objectKey: order.key }, `svcObject.getKey() == ${second.key}`)).toMatchObject({
      isNotified: false,
      subscribedObjectKey: order.key,
    });
  });

  test('of a delete shows the last state', async () => {
    const doomed = await create(service, 'BunkerOrder', bunkerOrderBody(fleet, voyage.portCalls[1].key));
    await service.delete(`/ws/rest/BunkerOrder/${doomed.key}`);
    const { rows } = await service.database.pool.query(
      "select id::int from flaghoist_system.event where object_key = $1 and operation = 'D'",
      [doomed.key],
    );
    const answer = await tried({ subscription: { eventType: 'BunkerOrder.D', url }, event: rows[0].id });
    expect(JSON.parse(answer.body).resource.bunkerOrderLines).toHaveLength(2);
    const updated = await tried({ subscription: { eventType: 'BunkerOrder.U', url }, event: rows[0].id });
    expect(updated).toMatchObject({ isNotified: false, reason: 'ANOTHER_OPERATION' });
  });
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
    const refused = await service.post(path, { subscription, objectKey: order.key }, { 'API-Version': '5.22' });
    expect(expectErrorBody(refused, 400).violations).toMatchObject([{ path: 'subscription.rawObject' }]);
  });

  test('only an administrator can run it for another user', async () => {
    const subscription = { eventType: 'BunkerOrder.U', url, user: owner.userKey };
    const stranger = await createClient(service, ['write', 'webhook']);
    expectErrorBody(await tryOut({ subscription, objectKey: order.key }, stranger.headers), 403);
    expect(await tried({ subscription, objectKey: order.key })).toMatchObject({ isNotified: true });
  });
});

test('nothing is stored, whatever the result', async () => {
  const key = await subscribe(service, { eventType: 'BunkerOrder.U' });
  await matched(service);
  const before = await traces();
  for (const body of [
    { subscription: { eventType: 'BunkerOrder.U', url, webhookPassword: 'planted' }, objectKey: order.key },
    { subscription: { eventType: 'BunkerOrder.U', url, expression: 'svcObject == null' }, objectKey: order.key },
    { subscription: { eventType: 'BunkerOrder.U' }, objectKey: order.key },
    { subscription: key, objectKey: order.key },
    { subscription: { key, url }, objectKey: order.key, operation: 'D' },
    { subscription: { key, unsubscribed: true }, objectKey: order.key },
  ])
    expect([200, 400]).toContain((await tryOut(body)).status);
  expect(await traces()).toEqual(before);
});

test('it requires the scopes of subscriptions, and accepts only POST', async () => {
  const reader = await createClient(service, ['read']);
  expectErrorBody(await tryOut({ subscription: 1, objectKey: 1 }, reader.headers), 403);
  const answer = await service.get(path);
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
});
