// With FLAGHOIST_WIRE_NAMES=dataloy `eventType` of a subscription is the letter, wherever it is shown or asked for.

import { beforeAll, expect, test } from 'vitest';
import { heardBy, subscribe } from '../match/heard.ts';
import { create, createFleet, createVoyage, type Fleet, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { mistakesOf, pathOf, post, receiver, subscriptions } from './subscribe.ts';

const service = useTestService({ FLAGHOIST_WIRE_NAMES: 'dataloy' });
let fleet: Fleet;
let voyage: Shown;
beforeAll(async () => {
  fleet = await createFleet(service);
  voyage = await createVoyage(service, fleet);
});

test('a subscription is created from the letter and its parts, and returned in this form', async () => {
  const body = { eventType: 'U', objectType: 'Voyage', objectKey: voyage.key, url: receiver };
  const made = await post(service, body);
  expect([made.status, made.body]).toMatchObject([201, { ...body, operation: 'U' }]);
  const { signingSecret, ...kept } = made.body;
  expect((await service.get(pathOf(kept))).body).toEqual(kept);
  const { rows } = await service.database.pool.query(
    'select event_type, operation from flaghoist_service.webhook_subscription where key = $1',
    [kept.key],
  );
  expect(rows).toEqual([{ event_type: `Voyage.U.${voyage.key}`, operation: 'U' }]);
});

test('the dotted string is accepted as well', async () => {
  const { body } = await post(service, { eventType: 'Voyage.D', url: receiver });
  expect(body).toMatchObject({ eventType: 'D', objectType: 'Voyage', operation: 'D', objectKey: null });
});

test('filter, sort and fields know the letter', async () => {
  for (const letter of ['C', 'U', 'D']) await post(service, { eventType: `Cargo.${letter}`, url: receiver });
  const ask = async (query: string) => (await service.get(`${subscriptions}?filter=objectType(EQ)Cargo&${query}`)).body;
  expect((await ask('filter=eventType(EQ)D')).map(({ eventType }: Shown) => eventType)).toEqual(['D']);
  expect((await ask('sort=eventType(DS)')).map(({ eventType }: Shown) => eventType)).toEqual(['U', 'D', 'C']);
  const shown = await ask('sort=eventType(AS)&fields={"eventType":"*"}');
  expect(shown.map((one: Shown) => Object.keys(one))).toEqual(Array(3).fill(['key', 'self', 'eventType']));
});

test('a filter takes the letter or the dotted event type, and a sort breaks ties of the letter by that', async () => {
  const made: number[] = [];
  for (const eventType of ['PortCall.U', 'EventLog.U', 'PortCall.D', `PortCall.U.${voyage.portCalls[0].key}`])
    made.push((await post(service, { eventType, url: receiver })).body.key);
  const ask = async (query: string) => {
    const { body } = await service.get(`${subscriptions}?filter=key(IN)(${made.join(',')})&${query}`);
    return body.map(({ key }: Shown) => made.indexOf(key));
  };
  expect(await ask('filter=eventType(EQ)U&sort=key(AS)')).toEqual([0, 1, 3]);
  expect(await ask('filter=eventType(EQ)PortCall.U')).toEqual([0]);
  expect(await ask('filter=eventType(IN)(PortCall.D,EventLog.U)&sort=key(AS)')).toEqual([1, 2]);
  expect(await ask('filter=eventType(LIKE)PortCall.U%25&sort=key(AS)')).toEqual([0, 3]);
  expect(await ask('filter=eventTypes(EQ)PortCall.D')).toEqual([2]);
  expect(await ask('sort=eventType(AS)')).toEqual([2, 1, 0, 3]);
  const mixed = await service.get(`${subscriptions}?filter=eventType(IN)(U,PortCall.U)`);
  expect([mixed.status, mixed.body.message]).toEqual([
    400,
    'In filter "eventType(IN)(U,PortCall.U)" at position 17: values like C, U, D cannot be mixed with others here.',
  ]);
});

test('several event types are shown and sent back as they are, and the letter is null', async () => {
  const { signingSecret, ...made } = (await post(service, { eventTypes: ['Voyage.*', '*.D'], url: receiver })).body;
  expect(made).toMatchObject({ eventTypes: ['Voyage.*', '*.D'], eventType: null, objectType: null, operation: null });
  expect((await service.put(pathOf(made), made)).body).toEqual(made);
});

test('the envelope of a wildcard has the letter of what happened to the subscribed object', async () => {
  const own = await createVoyage(service, fleet);
  const key = await subscribe(service, { eventTypes: [`Voyage.*.${own.key}`, '*.C'] });
  await service.put(`/ws/rest/PortCall/${own.portCalls[0].key}`, { speed: 9 });
  const log = await create(service, 'EventLog', { portCall: own.portCalls[0].key, event: 'DEP' });
  await service.delete(`/ws/rest/Voyage/${own.key}`);
  const heard = await heardBy(service, key);
  expect(heard.map(({ body }) => `${body.objectType} ${body.eventType} as ${body.subscription.eventType}`)).toEqual([
    'PortCall U as U',
    ...['EventLog C as C', 'EventLog C as U'],
    'Voyage D as D',
  ]);
  expect(heard[1]!.objectKey).toBe(log.key);
});

test('a response can be sent back, and no other event type', async () => {
  const { signingSecret, ...made } = (await post(service, { eventType: 'Voyage.U', url: receiver })).body;
  const put = (body: object) => service.put(pathOf(made), body);
  expect((await put({ ...made, webhookUsername: 'changed' })).body.webhookUsername).toBe('changed');
  expect((await put({ eventType: 'Voyage.U' })).status).toBe(200);
  expect(mistakesOf(await put({ eventType: 'D' }))).toHaveLength(1);
});

test('the API description has the letters, at every version', async () => {
  for (const version of ['3.3', '6.44']) {
    const { body } = await service.get(`/openapi.json?version=${version}`);
    const [letters] = body.components.schemas.WebhookSubscription.properties.eventType.anyOf;
    expect(letters.enum).toEqual(['C', 'U', 'D']);
  }
});
