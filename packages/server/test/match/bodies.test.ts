// The body of a notification, as part 8 of INTERFACE defines it.

import { beforeAll, expect, test } from 'vitest';
import { bunkerOrderBody, create, createFleet, createVoyage, type Fleet, read } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { heardBy, subscribe } from './heard.ts';

const service = useTestService({ FLAGHOIST_NOTIFICATION_BYTES_MAX: '4096' });
let fleet: Fleet;

beforeAll(async () => {
  fleet = await createFleet(service);
});

const base64 = (selection: unknown) => Buffer.from(JSON.stringify(selection)).toString('base64');

test('the envelope has its members in order; the resource is the whole object as a GET answers it', async () => {
  const voyage = await createVoyage(service, fleet);
  const subscription = await subscribe(service, { eventType: `Voyage.U.${voyage.key}` });
  await service.put(`/ws/rest/Voyage/${voyage.key}`, { freight: 12.5, comments: 'é "quoted" \u2028 \\' });
  const [heard] = await heardBy(service, subscription);
  const { text } = await service.get(`/ws/rest/Voyage/${voyage.key}`);
  const self = `${service.url()}/ws/rest`;
  const [, at, time] = /"occurredAt":"((\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d{6}Z)"}$/.exec(heard!.text!)!;
  expect(heard!.text).toBe(
    `{"id":"${heard!.id}","eventTime":"${time}","objectType":"Voyage","serviceObject":${voyage.key},"eventType":"U",` +
      `"serviceObjectSelf":"${self}/Voyage/${voyage.key}","subscription":{"key":${subscription},` +
      `"self":"${self}/WebhookSubscription/${subscription}","eventType":"Voyage.U.${voyage.key}"},"resource":${text},` +
      `"sequence":${heard!.id.split('-')[0]},"occurredAt":"${at}"}`,
  );
  expect(heard!.id).toMatch(new RegExp(`^\\d+-${heard!.key}$`));
});

test('for a change in the hierarchy the message names that object, and shows the subscribed one', async () => {
  const voyage = await createVoyage(service, fleet);
  const [first] = voyage.portCalls;
  const order = await create(service, 'BunkerOrder', bunkerOrderBody(fleet, first.key));
  const subscription = await subscribe(service, { eventType: `BunkerOrder.U.${order.key}` });
  await service.put(`/ws/rest/PortCall/${first.key}`, { speed: 14.25 });
  const [heard] = await heardBy(service, subscription);
  expect(heard!.body).toMatchObject({ objectType: 'PortCall', eventType: 'U', serviceObject: first.key });
  expect(heard!.body.resource).toEqual(await read(service, 'BunkerOrder', order.key));
});

test('a reference shows what identifies its object: port and ETA of a port call, bunker type of a line', async () => {
  const voyage = await createVoyage(service, fleet);
  const [call] = voyage.portCalls;
  const order = await create(service, 'BunkerOrder', bunkerOrderBody(fleet, call.key));
  const subscription = await subscribe(service, { eventType: `BunkerOrder.U.${order.key}` });
  await service.put(`/ws/rest/PortCall/${call.key}`, { eta: '2026-12-01T06:00:00', port: fleet.otherPort.key });
  const [heard] = await heardBy(service, subscription);
  const { portCall, bunkerOrderLines } = heard!.body.resource;
  const { key, self, unLoCode, portName } = fleet.otherPort;
  expect(portCall).toMatchObject({ reasonForCall: 'L', eta: '2026-12-01T06:00:00' });
  expect(portCall.port).toEqual({ key, self, unLoCode, portName });
  expect(bunkerOrderLines[0].bunkerType).toMatchObject({ bunkerTypeCode: fleet.bunkerType.bunkerTypeCode });
  expect(heard!.text).toContain(`"resource":${(await service.get(`/ws/rest/BunkerOrder/${order.key}`)).text}`);
});

test('json limits the resource to what it selects, as fields does', async () => {
  const voyage = await createVoyage(service, fleet);
  const selection = { voyageStatus: '*', vessel: { vesselName: '*' }, portCalls: { port: { portName: '*' } } };
  const subscription = await subscribe(service, { eventType: `Voyage.U.${voyage.key}`, json: base64(selection) });
  await service.put(`/ws/rest/Voyage/${voyage.key}`, { voyageStatus: 'OPR' });
  const [heard] = await heardBy(service, subscription);
  const { body } = await service.get(`/ws/rest/Voyage/${voyage.key}`, { fields: JSON.stringify(selection) });
  expect(heard!.body.resource).toEqual(body);
});

test('with rawObject the body is the resource alone', async () => {
  const voyage = await createVoyage(service, fleet);
  const subscription = await subscribe(service, { eventType: `Voyage.U.${voyage.key}`, rawObject: true });
  await service.put(`/ws/rest/Voyage/${voyage.key}`, { voyageStatus: 'FIN' });
  const [heard] = await heardBy(service, subscription);
  expect(heard!.text).toBe((await service.get(`/ws/rest/Voyage/${voyage.key}`)).text);
});

test('for a delete the resource is the last state, with the sub-objects deleted with it', async () => {
  const voyage = await createVoyage(service, fleet);
  const subscription = await subscribe(service, { eventType: `Voyage.D.${voyage.key}` });
  const before = await read(service, 'Voyage', voyage.key);
  await service.delete(`/ws/rest/Voyage/${voyage.key}`);
  const [heard] = await heardBy(service, subscription);
  expect(heard!.body).toMatchObject({ eventType: 'D', serviceObject: voyage.key });
  expect(heard!.body.resource).toEqual(before);
});

test('each change shows what its own transaction left, even if others committed before it was matched', async () => {
  const voyage = await createVoyage(service, fleet);
  const subscription = await subscribe(service, { eventType: `Voyage.U.${voyage.key}` });
  const update = (comments: string) => `update flaghoist.voyage set comments = '${comments}' where key = ${voyage.key}`;
  const { pool } = service.database;
  const client = await pool.connect();
  // Nothing is matched while another transaction has this lock.
  await client.query('begin; select flaghoist_system.lock_subscriptions()');
  await pool.query(`begin; ${update('one')}; ${update('two')}; commit`);
  await pool.query(update('three'));
  await client.query('commit');
  client.release();
  const heard = await heardBy(service, subscription);
  expect(heard.map(({ body }) => body.resource.comments)).toEqual(['two', 'two', 'three']);
  for (const { id, key, body } of heard) expect(`${body.sequence}-${key}`).toBe(id);
});

test('decimals are shown with all their digits', async () => {
  const voyage = await createVoyage(service, fleet);
  const subscription = await subscribe(service, { eventType: `Voyage.U.${voyage.key}` });
  await service.put(`/ws/rest/Voyage/${voyage.key}`, '{"freight": 1234567890123456.12345678, "foPrice": 0.00000001}');
  const [heard] = await heardBy(service, subscription);
  expect(heard!.text).toContain('"freight":1234567890123456.12345678');
  expect(heard!.text).toContain('"foPrice":0.00000001');
});

test('a body over the size limit is a failed notification with that reason', async () => {
  const voyage = await createVoyage(service, fleet);
  const subscription = await subscribe(service, { eventType: `Voyage.U.${voyage.key}` });
  const portCalls = Array.from({ length: 30 }, () => ({ port: fleet.port.key, reasonForCall: 'L' }));
  await service.put(`/ws/rest/Voyage/${voyage.key}`, { comments: 'large', portCalls });
  const heard = await heardBy(service, subscription);
  const main = heard.find(({ objectType }) => objectType === 'Voyage');
  expect(main).toMatchObject({
    status: 'FAILED',
    text: null,
    errorMessage: 'The body is larger than 4096 bytes. Select less of the object with json.',
  });
});

test('the log shows notifications to their user, and the body only when one is read', async () => {
  const voyage = await createVoyage(service, fleet);
  const subscription = await subscribe(service, { eventType: `Voyage.U.${voyage.key}` });
  await service.put(`/ws/rest/Voyage/${voyage.key}`, { comments: 'shown' });
  const [heard] = await heardBy(service, subscription);
  const list = await service.get(`/ws/rest/WebhookNotification?filter=subscription(EQ)${subscription}`);
  expect(list.body).toMatchObject([{ key: heard!.key, id: heard!.id, status: 'PENDING' }]);
  expect(list.body[0]).not.toHaveProperty('body');
  const one = await service.get(`/ws/rest/WebhookNotification/${heard!.key}`);
  expect(one.body.body).toBe(heard!.text);
});
