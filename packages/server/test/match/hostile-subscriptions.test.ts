// A hostile subscription harms no other one: its cost is bounded, and its failure is recorded as its own.

import { beforeAll, expect, test } from 'vitest';
import { cargoBody, create, createFleet, createVoyage, type Fleet } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { changesHeardBy, heardBy, matched, subscribe } from './heard.ts';

const service = useTestService();
let fleet: Fleet;

beforeAll(async () => {
  fleet = await createFleet(service);
});

const base64 = (selection: unknown) => Buffer.from(JSON.stringify(selection)).toString('base64');

async function heldBackOf(subscription: number): Promise<{ reason: string; message: string }[]> {
  await matched(service);
  const { rows } = await service.database.pool.query(
    'select reason, message from flaghoist_system.suppressed_match where subscription_key = $1 order by event_id',
    [subscription],
  );
  return rows;
}

test('an error message with characters that PostgreSQL cannot store is recorded without them', async () => {
  const { key } = await createVoyage(service, fleet);
  const eventType = `Voyage.U.${key}`;
  const hostile = await subscribe(service, { eventType, expression: 'Integer.parseInt("\\0\\1") == 1' });
  const innocent = await subscribe(service, { eventType });
  await service.put(`/ws/rest/Voyage/${key}`, { comments: 'changed' });
  expect(await changesHeardBy(service, innocent)).toEqual([`Voyage.U.${key}`]);
  expect(await heldBackOf(hostile)).toEqual([
    { reason: 'EXPRESSION_ERROR', message: expect.stringContaining('NumberFormatException') },
  ]);
});

test('a selection that multiplies collections is a failed notification, and others are not affected', async () => {
  const { key } = await createVoyage(service, fleet, {
    portCalls: Array.from({ length: 120 }, () => ({ port: fleet.port.key, reasonForCall: 'L' })),
  });
  for (let count = 0; count < 60; count++) await create(service, 'Cargo', { ...cargoBody(fleet), voyage: key });
  const inside = { cargo: { voyage: { remarks: '*' } }, port: '*' };
  const selection = { portCalls: { voyage: { cargos: { cargoPorts: inside, commodity: '*', charterer: '*' } } } };
  for (let count = 0; count < 40; count++)
    await create(service, 'Remarks', { source: key, remarkTitle: 'x'.repeat(100), remarkText: 'y'.repeat(1000) });
  const eventType = `Voyage.U.${key}`;
  const hostile = await subscribe(service, { eventType, json: base64(selection) });
  const innocent = await subscribe(service, { eventType });
  await service.put(`/ws/rest/Voyage/${key}`, { comments: 'changed' });
  expect(await changesHeardBy(service, innocent)).toEqual([`Voyage.U.${key}`]);
  expect(await heardBy(service, hostile)).toMatchObject([
    { status: 'FAILED', body: null, errorMessage: expect.stringContaining('The body is larger than 1048576 bytes') },
  ]);
});

test('a notification cannot contain a file', async () => {
  const json = base64({ remarks: { attachments: { fileName: '*', file: '*' } } });
  const url = 'http://127.0.0.1:9/hook';
  const answer = await service.post('/ws/rest/WebhookSubscription', { eventType: 'Voyage.U', url, json });
  expect(answer.status).toBe(400);
  expect(answer.body.violations).toMatchObject([{ path: 'json', message: expect.stringContaining('file') }]);
});

test('all expressions of a user share one limit of steps per change', async () => {
  const { key } = await createVoyage(service, fleet);
  const eventType = `Voyage.U.${key}`;
  const costly = `"a".repeat(60000)${'.replace("a","b").replace("b","a")'.repeat(20)}.isEmpty()`;
  const url = 'http://127.0.0.1:9/hook';
  const many = Array.from({ length: 300 }, () => ({ eventType, url, expression: costly }));
  expect((await service.post('/ws/rest/WebhookSubscription', many)).status).toBe(201);
  const innocent = await subscribe(service, { eventType });
  await service.put(`/ws/rest/Voyage/${key}`, { comments: 'changed' });
  expect(await changesHeardBy(service, innocent)).toEqual([`Voyage.U.${key}`]);
  const { rows } = await service.database.pool.query(
    `select count(*) filter (where reason = 'EXPRESSION_ERROR' and message like 'LimitExceeded%')::int as failed,
  count(*)::int
    from flaghoist_system.suppressed_match h join flaghoist_service.webhook_subscription s on s.key = h.subscription_key
    where s.expression = $1`,
    [costly],
  );
  expect(rows[0]).toEqual({ failed: 300, count: 300 });
});

test('after a restore on another server, subscriptions do not count as newer than all changes', async () => {
  const { key } = await createVoyage(service, fleet);
  const subscription = await subscribe(service, { eventType: `Voyage.U.${key}` });
  await service.database.pool.query(
    `update flaghoist_service.webhook_subscription set created_snapshot = '900000000:900000000:' where key = $1`,
    [subscription],
  );
  await service.put(`/ws/rest/Voyage/${key}`, { comments: 'after the move' });
  expect(await changesHeardBy(service, subscription)).toEqual([`Voyage.U.${key}`]);
});
