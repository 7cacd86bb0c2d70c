// Decisions and dry runs of subscriptions with several event types and wildcards.

import { beforeAll, describe, expect, test } from 'vitest';
import { subscribe } from '../match/heard.ts';
import { bunkerOrderBody, create, createFleet, createVoyage, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { decidedBy } from './decided.ts';

const service = useTestService();
const { decisionsAt } = decidedBy(service);
const url = 'http://127.0.0.1:9/hook';
let voyage: Shown;
let order: Shown;
let call: number;

let speed = 0;
const nextSpeed = () => {
  speed += 0.25;
  return speed;
};

beforeAll(async () => {
  const fleet = await createFleet(service);
  voyage = await createVoyage(service, fleet);
  call = voyage.portCalls[0].key;
  order = await create(service, 'BunkerOrder', bunkerOrderBody(fleet, call));
});

describe('decisions', () => {
  /** Reasons for a change of the port call, by the key of the subscribed object. */
  async function reasons(eventTypes: readonly string[], more: object = {}): Promise<Map<number, string>> {
    const subscription = await subscribe(service, { eventTypes, ...more });
    await service.put(`/ws/rest/PortCall/${call}`, { speed: nextSpeed() });
    const [{ event } = { event: 0 }] = await decisionsAt(`${subscription}/decisions?objectKey=${call}&limit=1`);
    const decisions = await decisionsAt(`${subscription}/decisions?event=${event}`);
    return new Map(decisions.map(({ subscribedObjectKey, reason }) => [subscribedObjectKey, reason]));
  }

  test('one for each subscribed object that a wildcard covers', async () => {
    expect(await reasons(['*.U'])).toEqual(new Map([call, voyage.key, order.key].map((key) => [key, 'NOTIFIED'])));
    expect(await reasons(['*.*'], { onlyMainObject: true })).toEqual(
      new Map([
        [call, 'NOTIFIED'],
        [voyage.key, 'ONLY_MAIN_OBJECT'],
        [order.key, 'ONLY_MAIN_OBJECT'],
      ]),
    );
  });

  test('the reason is that of the event type which comes nearest', async () => {
    expect(await reasons(['PortCall.C', `PortCall.U.${voyage.portCalls[1].key}`, 'Voyage.D'])).toEqual(
      new Map([
        [call, 'ANOTHER_KEY'],
        [voyage.key, 'ANOTHER_OPERATION'],
      ]),
    );
    expect(await reasons(['*.C', `Voyage.*.${voyage.key}`])).toEqual(
      new Map([
        [call, 'ANOTHER_OPERATION'],
        [voyage.key, 'NOTIFIED'],
        [order.key, 'ANOTHER_OPERATION'],
      ]),
    );
  });

  test('without a key, subscriptions with wildcards are found by the types of the event', async () => {
    const [all, others] = [
      await subscribe(service, { eventTypes: ['*.U'] }),
      await subscribe(service, { eventTypes: ['Vessel.*', 'Cargo.U'] }),
    ];
    await service.put(`/ws/rest/PortCall/${call}`, { speed: nextSpeed() });
    const [{ event } = { event: 0 }] = await decisionsAt(`${all}/decisions?limit=1`);
    const decided = (await decisionsAt(`decisions?event=${event}&limit=1000`)).map(({ subscription }) => subscription);
    expect(decided.filter((key) => key === all)).toHaveLength(3);
    expect(decided).not.toContain(others);
  });
});

describe('a dry run', () => {
  const tried = async (body: object) => {
    const answer = await service.post('/ws/rest/WebhookSubscription/test', body);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  const sentBy = async (eventTypes: readonly string[], change: object) => {
    const { body } = await tried({ subscription: { eventTypes, url }, ...change });
    const { objectType, eventType, resource, subscription } = JSON.parse(body);
    return [objectType, eventType, resource.key, subscription.eventType];
  };

  test('finds the object among the subscribed types, with the operation of the first event type for it', async () => {
    const lists = ['Voyage.D', 'BunkerOrder.C', '*.U'];
    expect(await sentBy(lists, { objectKey: order.key })).toEqual(['BunkerOrder', 'C', order.key, 'BunkerOrder.C']);
    expect(await sentBy(lists, { objectKey: voyage.key })).toEqual(['Voyage', 'D', voyage.key, 'Voyage.D']);
    expect(await sentBy(lists, { objectKey: call })).toEqual(['PortCall', 'U', call, '*.U']);
    expect(await sentBy(['*.*'], { objectKey: call })).toEqual(['PortCall', 'U', call, '*.*']);
    expect(await sentBy(lists, { objectKey: voyage.key, operation: 'U' })).toEqual([
      ...['Voyage', 'U', voyage.key, '*.U'],
    ]);
  });

  test('shows why nothing would be sent', async () => {
    const key = voyage.portCalls[1].key;
    const subscription = { eventTypes: ['Voyage.C', `PortCall.U.${key}`], url };
    expect(await tried({ subscription, objectKey: voyage.key, operation: 'U' })).toMatchObject({
      reason: 'ANOTHER_OPERATION',
    });
    expect(await tried({ subscription, objectKey: call })).toMatchObject({ reason: 'ANOTHER_KEY' });
    const answer = await service.post('/ws/rest/WebhookSubscription/test', { subscription, objectKey: order.key });
    expect([answer.status, answer.body.message]).toEqual([
      400,
      `objectKey: there is no subscribed object with key ${order.key}.`,
    ]);
  });

  test('takes a saved subscription and a real event, and one of its objects', async () => {
    const saved = await subscribe(service, { eventTypes: ['PortCall.D', '*.U'] });
    await service.put(`/ws/rest/PortCall/${call}`, { speed: nextSpeed() });
    const [{ event } = { event: 0 }] = await decisionsAt(`${saved}/decisions?limit=1`);
    const { body } = await tried({ subscription: saved, event, objectKey: voyage.key });
    expect(JSON.parse(body)).toMatchObject({ resource: { key: voyage.key }, subscription: { eventType: '*.U' } });
  });
});
