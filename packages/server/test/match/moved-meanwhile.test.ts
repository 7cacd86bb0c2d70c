// A change is notified to the hierarchies that the object is in when its transaction commits, even if another
// transaction has brought it there after the change was written.

import { beforeAll, expect, test } from 'vitest';
import { openTransaction } from '../database/open-transaction.ts';
import { decidedBy } from '../explain/decided.ts';
import { bunkerOrderBody, create, createFleet, createVoyage, type Fleet, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { changesHeardBy, heardBy, subscribe } from './heard.ts';

const service = useTestService();
const { pool } = service.database;
const { lastOf } = decidedBy(service);
let fleet: Fleet;
beforeAll(async () => {
  fleet = await createFleet(service);
});

/** Two voyages; the first port call of the first one has an event log. */
async function twoVoyages(): Promise<{ from: Shown; to: Shown; call: Shown; log: Shown }> {
  const [from, to] = [await createVoyage(service, fleet), await createVoyage(service, fleet)];
  const [call] = from.portCalls;
  return { from, to, call, log: await create(service, 'EventLog', { portCall: call.key, event: 'DEP' }) };
}

const setDate = (log: number, day: number) =>
  `update flaghoist.event_log set event_log_date = '2026-11-${day}' where key = ${log}`;
const move = (call: number, voyage: number) => `update flaghoist.port_call set voyage = ${voyage} where key = ${call}`;
const insertOrder = (call: number) => `with ordered as (
    insert into flaghoist.bunker_order (vessel, bunker_order_status, port_call)
    values (${fleet.vessel.key}, 'PLN', ${call}) returning key)
  insert into flaghoist.bunker_order_line (bunker_order, min_quantity, max_quantity, unit_price, bunker_type)
  select key, 1, 2, 3, ${fleet.bunkerType.key} from ordered returning bunker_order::int as key`;
const withLogs = Buffer.from('{"portCalls":{"eventLogs":{"eventLogDate":"*"}}}').toString('base64');
const orderWithLogs = Buffer.from('{"portCall":{"eventLogs":{"eventLogDate":"*"}}}').toString('base64');

test.each(['before the change', 'after the change'])('a new owner is notified, moved %s was written', async (when) => {
  const { from, to, call, log } = await twoVoyages();
  const [ofOld, ofNew] = await Promise.all(
    [from, to].map(({ key }) => subscribe(service, { eventType: `Voyage.U.${key}`, json: withLogs })),
  );
  const [moving, changing] = [await openTransaction(pool), await openTransaction(pool)];
  const steps = [() => moving.run(move(call.key, to.key)), () => changing.run(setDate(log.key, 17))];
  for (const step of when === 'before the change' ? steps : steps.reverse()) await step();
  await moving.commit();
  await changing.commit();
  const moved = `PortCall.U.${call.key} of `;
  const changed = `EventLog.U.${log.key} of `;
  expect(await changesHeardBy(service, ofOld!)).toEqual([moved + from.key, changed + from.key]);
  expect(await changesHeardBy(service, ofNew!)).toEqual([moved + to.key, changed + to.key]);
  const [first, last] = await heardBy(service, ofNew!);
  const datesIn = ({ text }: { text: string | null }) => text?.match(/"eventLogDate":"2026-11-17/g)?.length ?? 0;
  expect([datesIn(first!), datesIn(last!)]).toEqual([0, 1]);
  expect(last!.body.sequence).toBeGreaterThan(first!.body.sequence);
});

test('a new owner is notified of what is deleted', async () => {
  const { to, call, log } = await twoVoyages();
  const subscription = await subscribe(service, { eventType: `Voyage.U.${to.key}` });
  const deleting = await openTransaction(pool);
  await deleting.run(`delete from flaghoist.event_log where key = ${log.key}`);
  await pool.query(move(call.key, to.key));
  await deleting.commit();
  expect(await changesHeardBy(service, subscription)).toContain(`EventLog.D.${log.key} of ${to.key}`);
});

test('all changes of a transaction are notified to a new owner', async () => {
  const { to, call, log } = await twoVoyages();
  const subscription = await subscribe(service, { eventType: `Voyage.U.${to.key}` });
  const changing = await openTransaction(pool);
  await changing.run(setDate(log.key, 17));
  await pool.query(move(call.key, to.key));
  await changing.run(setDate(log.key, 18));
  await changing.commit();
  const changed = `EventLog.U.${log.key} of ${to.key}`;
  expect(await changesHeardBy(service, subscription)).toEqual([expect.any(String), changed, changed]);
});

test.each([true, false])(
  'a new order at a port call shows or hears what changes there (first: %s)',
  async (isFirst) => {
    const { call, log } = await twoVoyages();
    const eventTypes = ['BunkerOrder.C', 'BunkerOrder.U'];
    const subscription = await subscribe(service, { eventTypes, json: orderWithLogs });
    const [ordering, changing] = [await openTransaction(pool), await openTransaction(pool)];
    const { rows } = await ordering.run(insertOrder(call.key));
    await changing.run(setDate(log.key, 17));
    for (const each of isFirst ? [ordering, changing] : [changing, ordering]) await each.commit();
    const order = rows[0].key;
    const changed = isFirst ? [`EventLog.U.${log.key} of ${order}`] : [];
    expect(await changesHeardBy(service, subscription)).toEqual([`BunkerOrder.C.${order}`, ...changed]);
    expect((await heardBy(service, subscription)).at(-1)!.text).toContain('2026-11-17');
  },
);

test.each([true, false])('so does an order that is moved to a port call (first: %s)', async (isFirst) => {
  const { from, call, log } = await twoVoyages();
  const { key } = await create(service, 'BunkerOrder', bunkerOrderBody(fleet, from.portCalls[1].key));
  const subscription = await subscribe(service, { eventType: `BunkerOrder.U.${key}`, json: orderWithLogs });
  const [moving, changing] = [await openTransaction(pool), await openTransaction(pool)];
  await changing.run(setDate(log.key, 17));
  await moving.run(`update flaghoist.bunker_order set port_call = ${call.key} where key = ${key}`);
  for (const each of isFirst ? [moving, changing] : [changing, moving]) await each.commit();
  const changed = isFirst ? [`EventLog.U.${log.key} of ${key}`] : [];
  expect(await changesHeardBy(service, subscription)).toEqual([`BunkerOrder.U.${key}`, ...changed]);
  expect((await heardBy(service, subscription)).at(-1)!.text).toContain('2026-11-17');
});

test('an object that another transaction has deleted before the COMMIT is not notified', async () => {
  const { call } = await twoVoyages();
  const { key } = await create(service, 'BunkerOrder', bunkerOrderBody(fleet, call.key));
  const subscription = await subscribe(service, { eventTypes: ['BunkerOrder.U', 'BunkerOrder.D'] });
  const changing = await openTransaction(pool);
  await changing.run(`update flaghoist.port_call set speed = 12 where key = ${call.key}`);
  await pool.query(`delete from flaghoist.bunker_order where key = ${key}`);
  await changing.commit();
  expect((await changesHeardBy(service, subscription)).at(-1)).toBe(`BunkerOrder.D.${key}`);
  expect(await lastOf(subscription, key)).toMatchObject({ reason: 'OBJECT_DELETED' });
});

test('a transaction that does not see the move notifies the new owner nevertheless', async () => {
  const { to, call, log } = await twoVoyages();
  const subscription = await subscribe(service, { eventType: `Voyage.U.${to.key}`, json: withLogs });
  const changing = await openTransaction(pool, 'repeatable read');
  await changing.run(setDate(log.key, 17));
  await pool.query(move(call.key, to.key));
  await changing.commit();
  const last = (await heardBy(service, subscription)).at(-1)!;
  expect(last).toMatchObject({ objectType: 'EventLog', objectKey: log.key });
  expect(last.text).toContain('2026-11-17');
});

test('with savepoints and immediate constraints', async () => {
  const { to, call, log } = await twoVoyages();
  const subscription = await subscribe(service, { eventType: `Voyage.U.${to.key}` });
  const changing = await openTransaction(pool);
  await changing.run('savepoint a');
  await changing.run(setDate(log.key, 17));
  await pool.query(move(call.key, to.key));
  await changing.run('set constraints all immediate');
  await changing.run('savepoint b');
  await changing.run(setDate(log.key, 18));
  await changing.commit();
  const changed = `EventLog.U.${log.key} of ${to.key}`;
  expect(await changesHeardBy(service, subscription)).toEqual([expect.any(String), changed, changed]);
});

test('a dry run of the event shows what was sent', async () => {
  const { call, log } = await twoVoyages();
  const subscription = await subscribe(service, { eventType: 'BunkerOrder.U', json: orderWithLogs });
  const changing = await openTransaction(pool);
  await changing.run(setDate(log.key, 17));
  const { rows } = await pool.query(insertOrder(call.key));
  await changing.commit();
  const [sent] = await heardBy(service, subscription);
  expect(sent).toMatchObject({ objectKey: log.key, subscribedObjectKey: rows[0].key });
  const { status, body } = await service.post('/ws/rest/WebhookSubscription/test', {
    subscription,
    event: sent!.body.sequence,
    objectKey: rows[0].key,
  });
  expect([status, body.reason]).toEqual([200, 'NOTIFIED']);
  expect(JSON.parse(body.body).resource).toEqual(sent!.body.resource);
});

test('transactions that notify a new order at the same time do not deadlock', async () => {
  const { call } = await twoVoyages();
  const logs = await Promise.all([1, 2].map(() => create(service, 'EventLog', { portCall: call.key, event: 'DEP' })));
  for (let day = 10; day < 30; day += 1) {
    const late = await openTransaction(pool);
    await late.run(setDate(logs[0]!.key, day));
    await pool.query(insertOrder(call.key));
    const early = await openTransaction(pool);
    await early.run(setDate(logs[1]!.key, day));
    // The first one has locked the port call, and then finds the order, which the other one has locked.
    await Promise.all([late.commit(), early.commit()]);
  }
});
