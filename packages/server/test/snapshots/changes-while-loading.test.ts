// Other transactions commit between the round trips of loading. A row that was already loaded is not loaded anew for
// other states, so no state loses it or shows a later change.

import { beforeAll, expect, test } from 'vitest';
import type { Run } from '../../src/database/database.ts';
import { renderResource } from '../../src/render/render-resource.ts';
import { loadStates } from '../../src/snapshots/load-states.ts';
import { cargoBody, create, createFleet, createVoyage, type Fleet, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { bothSides, changeDuring, charsMax, countRuns, model, viewOf } from './payload-fixture.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api' });
const { database } = service;
let fleet: Fleet;
let voyage: Shown;
beforeAll(async () => {
  fleet = await createFleet(service);
  voyage = await createVoyage(service, fleet);
});

/** Runs statements, and this one after the second round trip. */
function changingAfterTwo(sql: string): Run {
  const counted = countRuns(database);
  return async (...statements) => {
    const results = await counted.run(...statements);
    if (counted.roundTrips.length === 2) await database.pool.query(sql);
    return results;
  };
}

test.each([
  ['changed', 'speed = 99'],
  ['moved', 'voyage = (select max(key) from flaghoist.voyage)'],
])('a port call that is %s between two round trips is shown as each event left it', async (_, set) => {
  await createVoyage(service, fleet);
  const [portCall] = voyage.portCalls;
  const log = (await service.get(`/ws/rest/PortCall/${portCall.key}`)).body.eventLogs[0].key;
  await service.put(`/ws/rest/PortCall/${portCall.key}`, { speed: 12, voyage: voyage.key });
  const changeLog = () =>
    changeDuring(database, 'EventLog.U', () =>
      database.pool.query(
        `update flaghoist.event_log set event_log_date = coalesce(event_log_date, now()) + interval '1 day'
         where key = $1`,
        [log],
      ),
    );
  const [first, second] = [await changeLog(), await changeLog()];
  // The first state has the port call by its key. The second one loads it again as an element of its voyage.
  const short = viewOf('EventLog', '{"portCall":{"speed":"*"}}');
  const long = viewOf('EventLog', '{"portCall":{"speed":"*","voyage":{"portCalls":{"speed":"*"}}}}');
  const run = changingAfterTwo(`update flaghoist.port_call set ${set} where key = ${portCall.key}`);
  const wanted = [...bothSides(first, log, [short]), ...bothSides(second, log, [long])];
  const stateOf = await loadStates(wanted, { run, model });
  for (const { event, side, view } of wanted) {
    const text = renderResource(stateOf(event, log, side), view, log, { restUrl: 'https://example.org' }, charsMax)!;
    const shown = JSON.parse(text).portCall;
    expect(shown.speed).toBe(12);
    if (view === long) expect(shown.voyage.portCalls.map(({ speed }: Shown) => speed)).toEqual([12, null]);
  }
});

test('a port call that leaves between two collections of its voyage is in the later one', async () => {
  const { key, portCalls } = await createVoyage(service, fleet);
  await create(service, 'Cargo', { ...cargoBody(fleet), voyage: key });
  const event = await changeDuring(database, 'Voyage.U', () =>
    service.put(`/ws/rest/Voyage/${key}`, { comments: 'changed' }),
  );
  // After this, it is known that elements may have left.
  await service.delete(`/ws/rest/PortCall/${(await createVoyage(service, fleet)).portCalls[0].key}`);
  const view = viewOf('Voyage', '{"cargos":{"voyage":{"portCalls":{"portCallSequence":"*"}}}}');
  const run = changingAfterTwo(`delete from flaghoist.port_call where key = ${portCalls[0].key}`);
  const stateOf = await loadStates(bothSides(event, key, [view]), { run, model });
  for (const side of ['before', 'after'] as const) {
    const links = { restUrl: 'https://example.org' };
    const text = renderResource(stateOf(event, key, side), view, key, links, charsMax)!;
    expect(JSON.parse(text).cargos[0].voyage.portCalls).toHaveLength(portCalls.length);
  }
});
