// A subscription with a random list of event types is notified of exactly what subscriptions with one plain event type
// each are notified of together, once per change and subscribed object. EVENT_TYPES_SEED repeats a run.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildModel } from '../../src/model/build-model.ts';
import { catalogue } from '../../src/model/catalogue/catalogue.ts';
import { subscribableTypes } from '../../src/subscriptions/subscribable-types.ts';
import { bunkerOrderBody, cargoBody, create, createFleet, createVoyage, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { matched, subscribe } from './heard.ts';

const seed = Number(process.env.EVENT_TYPES_SEED ?? Math.floor(Math.random() * 2 ** 31));
const service = useTestService();
const operations = ['C', 'U', 'D'] as const;
/** The types that the changes below are about. The others are only covered by `*`. */
const named = ['Voyage', 'PortCall', 'EventLog', 'BunkerOrder', 'BunkerOrderLine', 'Cargo', 'Vessel'];
const listCount = 60;

test(`random lists are the union of their event types (EVENT_TYPES_SEED=${seed})`, { timeout: 120_000 }, async () => {
  const fleet = await createFleet(service);
  const voyages = [await createVoyage(service, fleet), await createVoyage(service, fleet)];
  const order = await create(service, 'BunkerOrder', bunkerOrderBody(fleet, voyages[0].portCalls[0].key));
  const keyed: [type: string, key: number][] = [
    ...voyages.map(({ key }): [string, number] => ['Voyage', key]),
    ['PortCall', voyages[0].portCalls[0].key],
    ['BunkerOrder', order.key],
  ];
  const plain = await subscribePlain(keyed);
  const lists = fc.sample(listOfEventTypes(keyed), { numRuns: listCount, seed });
  const listed = [];
  for (const { eventTypes, onlyMainObject } of lists)
    listed.push({ eventTypes, onlyMainObject, key: await subscribe(service, { eventTypes, onlyMainObject }) });

  await changeEverything(fleet, voyages, order);
  await matched(service, 60_000);

  const found = await notified();
  let notifications = 0;
  for (const { eventTypes, onlyMainObject, key } of listed) {
    const singles = eventTypes.flatMap((eventType) => expand(eventType, plain, onlyMainObject));
    const union = new Set(singles.flatMap((single) => found.get(single) ?? []));
    expect((found.get(key) ?? []).sort(), `${eventTypes} EVENT_TYPES_SEED=${seed}`).toEqual([...union].sort());
    notifications += union.size;
  }
  // With hardly any notifications, hardly anything was tested.
  expect(notifications).toBeGreaterThan(listCount * 5);
});

type Plain = ReadonlyMap<string, number>;

/** One subscription for each plain event type, with and without the hierarchy. By event type and `onlyMainObject`. */
async function subscribePlain(keyed: readonly [string, number][]): Promise<Plain> {
  const types = [...subscribableTypes(buildModel(catalogue)).keys()];
  const eventTypes = [
    ...types.flatMap((type) => operations.map((operation) => `${type}.${operation}`)),
    ...keyed.flatMap(([type, key]) => [`${type}.U.${key}`, `${type}.D.${key}`]),
  ];
  const plain = new Map<string, number>();
  for (const onlyMainObject of [false, true])
    for (const eventType of eventTypes)
      plain.set(`${eventType} ${onlyMainObject}`, await subscribe(service, { eventType, onlyMainObject }));
  return plain;
}

function listOfEventTypes(keyed: readonly [string, number][]) {
  const operation = fc.constantFrom(...operations, '*');
  const eventType = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(fc.constantFrom(...named), operation).map((parts) => parts.join('.')) },
    { weight: 1, arbitrary: operation.map((letter) => `*.${letter}`) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom(...keyed), fc.constantFrom('U', 'D', '*'))
        .map(([[type, key], letter]) => `${type}.${letter}.${key}`),
    },
  );
  return fc.record({ eventTypes: fc.array(eventType, { minLength: 1, maxLength: 6 }), onlyMainObject: fc.boolean() });
}

/** The subscriptions with the plain event types that an event type stands for. */
function expand(eventType: string, plain: Plain, onlyMainObject: boolean): number[] {
  const [type, operation, key] = eventType.split('.');
  return [...plain].flatMap(([name, subscription]) => {
    const [single = '', isMain] = name.split(' ');
    const [singleType, singleOperation, singleKey] = single.split('.');
    const isMeant =
      (type === '*' || type === singleType) &&
      (operation === '*' || operation === singleOperation) &&
      key === singleKey &&
      isMain === String(onlyMainObject);
    return isMeant ? [subscription] : [];
  });
}

/** Creates, updates, moves and deletes objects of several types, over REST and by SQL. */
async function changeEverything(
  fleet: Awaited<ReturnType<typeof createFleet>>,
  [first, second]: readonly Shown[],
  order: Shown,
): Promise<void> {
  const put = async (path: string, body: object) => {
    const answer = await service.put(`/ws/rest/${path}`, body);
    expect(answer.status, answer.text).toBe(200);
  };
  const call = first.portCalls[0].key;
  await put(`Voyage/${first.key}`, { comments: 'changed' });
  await put(`Voyage/${second.key}`, { comments: 'changed' });
  await put(`PortCall/${call}`, { speed: 11 });
  await put(`PortCall/${second.portCalls[1].key}`, { voyage: first.key });
  const log = await create(service, 'EventLog', { portCall: call, event: 'DEP' });
  await put(`EventLog/${log.key}`, { isDateFixed: true });
  const [line] = order.bunkerOrderLines;
  await put(`BunkerOrder/${order.key}`, { extraCost: 7, bunkerOrderLines: [{ key: line.key, extraCost: 5 }] });
  const cargo = await create(service, 'Cargo', cargoBody(fleet));
  await put(`Cargo/${cargo.key}`, { voyage: first.key });
  await service.database.pool.query('update flaghoist.vessel set flag = $1', ['PT']);
  await service.delete(`/ws/rest/EventLog/${log.key}`);
  await service.delete(`/ws/rest/BunkerOrder/${order.key}`);
  await service.delete(`/ws/rest/Voyage/${second.key}`);
}

/** Subscription → its notifications, as event and subscribed object. */
async function notified(): Promise<Map<number, string[]>> {
  const { rows } = await service.database.pool.query(
    `select subscription::int as subscription,
      array_agg(split_part(id, '-', 1) || ' of ' || subscribed_object_key) as heard
    from flaghoist_service.webhook_notification group by subscription`,
  );
  return new Map(rows.map(({ subscription, heard }) => [subscription, heard]));
}
