// The dry run: what a subscription would send for a change, or why it would send nothing. It stores nothing.

import { beforeAll, describe, expect, test } from 'vitest';
import { heardBy, matched, subscribe } from '../match/heard.ts';
import { createClient } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { bunkerOrderBody, create, createFleet, createVoyage, type Fleet, read, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { dryRunPath, dryRunsOf } from './dry-runs.ts';

const service = useTestService({ FLAGHOIST_NOTIFICATION_BYTES_MAX: '20000' });
const { tryOut, tried } = dryRunsOf(service);
const url = 'https://agent.example/hook';
let fleet: Fleet;
let voyage: Shown;
let order: Shown;
beforeAll(async () => {
  fleet = await createFleet(service);
  voyage = await createVoyage(service, fleet);
  order = await create(service, 'BunkerOrder', bunkerOrderBody(fleet, voyage.portCalls[0].key));
});

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
      retries: expect.objectContaining({ attempts: 5 }),
      reason: 'NOTIFIED',
      message: 'This would be sent.',
      subscribedObjectKey: order.key,
      channelType: 'HTTP',
      url,
      contentType: 'application/json',
      subject: null,
      log: null,
      evaluation: null,
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
  const answer = await service.get(dryRunPath);
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
});
