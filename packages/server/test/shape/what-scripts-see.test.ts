// What a script sees: the object as GET shows it, before and after the change, and an environment that is the same each
// time.

import { beforeAll, describe, expect, test } from 'vitest';
import { startHooks, subscribeTo } from '../deliver/hooks.ts';
import { inBase64 } from '../subscriptions/subscribe.ts';
import { createClient } from '../support/access.ts';
import { bunkerOrderBody, create, createFleet, createVoyage, type Fleet, read, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { decisionsOf, makeScript, prepared, put } from './shaped.ts';

const service = useTestService();
let fleet: Fleet;
beforeAll(async () => {
  fleet = await createFleet(service);
});

/** A script that sends what it sees. */
const showAll =
  'message.body = { svcObject, oldSvcObject, user, parameters, now: new Date().toISOString(), random: ' +
  '[Math.random(), Math.random()] };';

interface Seen {
  svcObject: Shown;
  oldSvcObject: Shown;
  user: Shown;
  parameters: Shown;
  now: string;
  random: number[];
}

/** A subscription whose receiver gets what its script sees. */
async function watch(wishes: Record<string, unknown>, script: object = {}) {
  const hooks = await startHooks();
  const { code } = await makeScript(service, showAll, script);
  const subscription = await subscribeTo(service, {
    url: hooks.url,
    dlpAlertScript: code,
    useMsg: true,
    ...wishes,
  });
  const seen = async (count = 1): Promise<Seen[]> => {
    await expect.poll(() => hooks.received.length, { timeout: 10_000 }).toBe(count);
    return hooks.received.map(({ body }) => JSON.parse(body));
  };
  return { subscription, seen, hooks };
}

describe('svcObject and oldSvcObject', () => {
  test('are the object as GET shows it: decimals, dates, references and collections', async () => {
    const voyage = await createVoyage(service, fleet);
    const order = await create(service, 'BunkerOrder', {
      ...bunkerOrderBody(fleet, voyage.portCalls[0].key),
      bunkeredDate: '2026-09-16T06:00:00',
      exchangeRate: 1.25,
    });
    const { seen } = await watch({ eventType: `BunkerOrder.U.${order.key}` });
    const before = await read(service, 'BunkerOrder', order.key);
    await put(service, 'BunkerOrder', order.key, { extraCost: 0.1, bunkerOrderStatus: 'ORD' });
    const after = await read(service, 'BunkerOrder', order.key);
    const [{ svcObject, oldSvcObject }] = (await seen()) as [Seen];
    expect(svcObject).toEqual(after);
    expect(oldSvcObject).toEqual(before);
    expect(svcObject).toMatchObject({ extraCost: 0.1, exchangeRate: 1.25, bunkeredDate: '2026-09-16T06:00:00' });
    expect(svcObject.bunkerOrderLines).toHaveLength(2);
  });

  test('on create there is no old object', async () => {
    const { seen } = await watch({ eventType: 'Commodity.C' });
    const made = await create(service, 'Commodity', { commodityCode: 'SEEN-C', commodityName: 'Seen' });
    const [{ svcObject, oldSvcObject }] = (await seen()) as [Seen];
    expect(oldSvcObject).toBeNull();
    expect(svcObject).toEqual(await read(service, 'Commodity', made.key));
  });

  test('on delete both are the last state, with its sub-objects', async () => {
    const voyage = await createVoyage(service, fleet);
    const last = await read(service, 'Voyage', voyage.key);
    const { seen } = await watch({ eventType: `Voyage.D.${voyage.key}` });
    expect((await service.delete(`/ws/rest/Voyage/${voyage.key}`)).status).toBe(204);
    const [{ svcObject, oldSvcObject }] = (await seen()) as [Seen];
    expect(svcObject).toEqual(last);
    expect(oldSvcObject).toEqual(svcObject);
    expect(svcObject.portCalls).toHaveLength(2);
  });

  test('for a change of a sub-object, they are the subscribed object before and after', async () => {
    const voyage = await createVoyage(service, fleet);
    const fields = { portCalls: { key: '*', speed: '*' } };
    const { seen } = await watch({ eventType: `Voyage.U.${voyage.key}` }, { fields });
    await put(service, 'PortCall', voyage.portCalls[0].key, { speed: 12.5 });
    const [{ svcObject, oldSvcObject }] = (await seen()) as [Seen];
    expect([svcObject.key, oldSvcObject.key]).toEqual([voyage.key, voyage.key]);
    const speeds = (shown: Shown) => shown.portCalls.map((call: Shown) => call.speed);
    expect(speeds(svcObject)).toContain(12.5);
    expect(speeds(oldSvcObject)).not.toContain(12.5);
  });

  test('cannot be changed by the script', async () => {
    const hooks = await startHooks();
    const vessel = await create(service, 'Vessel', { vesselName: 'Frozen' });
    const { code } = await makeScript(service, 'svcObject.vesselName = "Mine"; delete svcObject.key; return true;');
    const made = await subscribeTo(service, {
      eventType: `Vessel.U.${vessel.key}`,
      url: hooks.url,
      dlpAlertScript: code,
    });
    await put(service, 'Vessel', vessel.key, { flag: 'NO' });
    expect(await decisionsOf(service, made)).toMatchObject([
      { reason: 'SCRIPT_ERROR', message: expect.stringContaining('read-only') },
    ]);
    expect(hooks.received).toEqual([]);
  });
});

describe('fields and json', () => {
  test('fields shows more to the script, and not to the receiver', async () => {
    const voyage = await createVoyage(service, fleet);
    const hooks = await startHooks();
    const { code } = await makeScript(
      service,
      'console.log(svcObject.portCalls[0].port.portName, oldSvcObject.vessel.vesselName, ' +
        'svcObject.voyageStatus); return true;',
      { fields: { portCalls: { port: { portName: '*' } }, vessel: { vesselName: '*' } } },
    );
    const json = inBase64('{"voyageStatus":"*"}');
    const made = await subscribeTo(service, {
      eventType: `Voyage.U.${voyage.key}`,
      url: hooks.url,
      json,
      dlpAlertScript: code,
    });
    await put(service, 'Voyage', voyage.key, { comments: 'x' });
    const [{ log }] = (await decisionsOf(service, made)) as [Shown];
    expect(log).toEqual([`Port of Loading ${fleet.vessel.vesselName} NOM`]);
    await expect.poll(() => hooks.received.length).toBe(1);
    expect(Object.keys(JSON.parse(hooks.received[0]!.body).resource).sort()).toEqual(['key', 'self', 'voyageStatus']);
  });

  test('json narrows what the script sees', async () => {
    const voyage = await createVoyage(service, fleet);
    const { seen } = await watch({ eventType: `Voyage.U.${voyage.key}`, json: inBase64('{"comments":"*"}') });
    await put(service, 'Voyage', voyage.key, { comments: 'narrow' });
    const [{ svcObject, oldSvcObject }] = (await seen()) as [Seen];
    expect(svcObject).toMatchObject({ key: voyage.key, comments: 'narrow' });
    expect(svcObject).not.toHaveProperty('voyageStatus');
    expect(Object.keys(oldSvcObject)).toEqual(Object.keys(svcObject));
  });
});

test('user is the owner of the subscription; parameters are the values, else their defaults, else null', async () => {
  const owner = await createClient(service, ['write', 'webhook'], { name: 'Kari' });
  const vessel = await create(service, 'Vessel', { vesselName: 'Owned' });
  const parameters = [
    { name: 'said', type: 'integer', default: 1 },
    { name: 'unsaid', type: 'text', default: 'as declared' },
    { name: 'nothing', type: 'boolean' },
  ];
  const { seen } = await watch(
    { eventType: `Vessel.U.${vessel.key}`, user: owner.userKey, scriptParameterValues: { said: 2 } },
    { parameters },
  );
  await put(service, 'Vessel', vessel.key, { flag: 'A' });
  const [first] = (await seen()) as [Seen];
  const { userCode } = await read(service, 'ApiUser', owner.userKey);
  expect(first.user).toEqual({ key: owner.userKey, userCode, name: 'Kari' });
  expect(first.parameters).toEqual({ said: 2, unsaid: 'as declared', nothing: null });
  await put(service, 'ApiUser', owner.userKey, { name: 'Kari Nordmann' });
  await put(service, 'Vessel', vessel.key, { flag: 'B' });
  expect((await seen(2))[1]!.user.name).toBe('Kari Nordmann');
});

test('the clock shows the time of the change, and the same notification gets the same random numbers', async () => {
  const vessel = await create(service, 'Vessel', { vesselName: 'Timed' });
  const { subscription, seen, hooks } = await watch({ eventType: `Vessel.U.${vessel.key}` });
  await put(service, 'Vessel', vessel.key, { flag: 'A' });
  await put(service, 'Vessel', vessel.key, { flag: 'B' });
  const [one, other] = (await seen(2)) as [Seen, Seen];
  const [decision] = await decisionsOf(service, subscription);
  expect([one.now, other.now]).toContain(`${decision.eventTime}.000Z`);
  expect(one.random).not.toEqual(other.random);
  expect(hooks.received).toHaveLength(2);
  await prepared(service);
});
