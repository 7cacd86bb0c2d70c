// A batch is loaded in a handful of statements, however many events it has.

import { beforeAll, expect, test } from 'vitest';
import type { ChangeEvent } from '../../src/events/change-event.ts';
import type { View } from '../../src/query/view.ts';
import { renderResource } from '../../src/render/render-resource.ts';
import { loadStates } from '../../src/snapshots/load-states.ts';
import { bunkerOrderBody, create, createFleet, createVoyage, type Fleet } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { bothSides, changesDuring, charsMax, countRuns, model, othersEnded, viewOf } from './payload-fixture.ts';

const service = useTestService();
const { database } = service;
let fleet: Fleet;
let events: ChangeEvent[];
beforeAll(async () => {
  fleet = await createFleet(service);
  const [{ key: portCall }] = (await createVoyage(service, fleet)).portCalls;
  const order = {
    ...bunkerOrderBody(fleet, portCall),
    bunkerSupplier: fleet.partner.key,
    currency: fleet.currency.key,
  };
  await service.post(
    '/ws/rest/BunkerOrder',
    Array.from({ length: 500 }, () => order),
  );
  await othersEnded(database);
  events = await changesDuring(database, () =>
    database.pool.query('update flaghoist.bunker_order set exchange_rate = 1.5'),
  );
  expect(events).toHaveLength(500);
});

async function load(views: View[], of: readonly ChangeEvent[] = events) {
  const { run, roundTrips } = countRuns(database);
  const wanted = of.flatMap((event) => bothSides(event, event.key, views));
  const stateOf = await loadStates(wanted, { run, model });
  for (const event of of)
    for (const view of views)
      expect(renderResource(stateOf(event, event.key, 'after'), view, event.key, { restUrl: '' }, charsMax)).toMatch(
        /.{9}/,
      );
  return roundTrips;
}

test('the whole view of 500 objects takes two round trips', async () => {
  const roundTrips = await load([viewOf('BunkerOrder')]);
  // PortCall, Vessel, BusinessPartner, Currency, the lines, and whether any have left; then Port and BunkerType.
  expect(roundTrips.map((statements) => statements.length)).toEqual([6, 2]);
});

test('a view takes one round trip per level, and many views no more than the deepest one', async () => {
  const deep =
    '{"portCall":{"port":"*","voyage":{"portCalls":{"eventLogs":"*","port":"*"},"vessel":"*"}},' +
    '"bunkerOrderLines":{"bunkerType":"*"}}';
  const levels = (await load([viewOf('BunkerOrder', deep)])).length;
  expect(levels).toBe(4);
  const views = ['{"vessel":"*"}', '{"portCall":{"port":"*"}}', '{"bunkerOrderLines":"*"}', deep].map((fields) =>
    viewOf('BunkerOrder', fields),
  );
  expect(await load(views)).toHaveLength(levels);
});

test('a view of the changed row alone takes none, not even for keys of references', async () => {
  expect(await load([viewOf('BunkerOrder', '{"exchangeRate":"*","vessel":{},"portCall":{}}')])).toEqual([]);
});

test('the statements are the same for every batch, so they are prepared', async () => {
  const texts = async (of: ChangeEvent[]) =>
    (await load([viewOf('BunkerOrder')], of))
      .flat()
      .map(({ text }) => text)
      .sort();
  expect(await texts(events.slice(0, 1))).toEqual(await texts(events.slice(1)));
});

test('500 deleted trees take one round trip per level', async () => {
  const voyages: number[] = [];
  const body = {
    portCalls: [{ port: fleet.port.key, reasonForCall: 'L', eventLogs: [{ event: 'ARR' }, { event: 'DEP' }] }],
  };
  const created = await service.post(
    '/ws/rest/Voyage',
    Array.from({ length: 500 }, () => body),
  );
  for (const { key } of created.body) voyages.push(key);
  await othersEnded(database);
  const deleted = await changesDuring(database, () =>
    database.pool.query('delete from flaghoist.voyage where key = any($1)', [voyages]),
  );
  const roots = deleted.filter(({ type }) => type.name === 'Voyage');
  const view = viewOf('Voyage', '{"portCalls":{"port":"*","eventLogs":"*"}}');
  const { run, roundTrips } = countRuns(database);
  const stateOf = await loadStates(
    roots.map((event) => ({ event, key: event.key, side: 'before', view })),
    { run, model },
  );
  const shown = roots.map((event) =>
    JSON.parse(renderResource(stateOf(event, event.key, 'before'), view, event.key, { restUrl: '' }, charsMax)!),
  );
  expect(shown.every(({ portCalls }) => portCalls.length === 1 && portCalls[0].eventLogs.length === 2)).toBe(true);
  expect(roundTrips.map((statements) => statements.length)).toEqual([2, 3]);
});

test('files are never loaded', async () => {
  // Attachments are loaded through their remarks, so there must be one.
  await create(service, 'Remarks', { source: events[0]!.key, remarkText: 'with a file' });
  const texts = (await load([viewOf('BunkerOrder', '{"remarks":{"attachments":"*"}}')])).flat().map(({ text }) => text);
  expect(texts.some((text) => text.includes('"file_name"'))).toBe(true);
  expect(texts.some((text) => text.includes('"file"'))).toBe(false);
});

test('without views, nothing is loaded', async () => {
  expect(await load([])).toEqual([]);
});
