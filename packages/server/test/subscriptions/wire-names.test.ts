// With FLAGHOIST_WIRE_NAMES=dataloy `eventType` of a subscription is the letter, wherever it is shown or asked for.

import { beforeAll, expect, test } from 'vitest';
import { createFleet, createVoyage, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { mistakesOf, pathOf, post, receiver, subscriptions } from './subscribe.ts';

const service = useTestService({ FLAGHOIST_WIRE_NAMES: 'dataloy' });
let voyage: Shown;
beforeAll(async () => {
  voyage = await createVoyage(service, await createFleet(service));
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
  expect((await service.get(`${subscriptions}?filter=eventType(EQ)Cargo.U`)).status).toBe(400);
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
    expect(body.components.schemas.WebhookSubscription.properties.eventType.enum).toEqual(['C', 'U', 'D']);
  }
});
