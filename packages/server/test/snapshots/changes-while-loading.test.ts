// Other transactions commit between the round trips of loading. A row that was already loaded is not loaded anew for
// other states, so no state loses it or shows a later change.

import { beforeAll, expect, test } from 'vitest';
import type { Run } from '../../src/database/database.ts';
import { renderResource } from '../../src/render/render-resource.ts';
import { loadStates } from '../../src/snapshots/load-states.ts';
import { createFleet, createVoyage, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { bothSides, changeDuring, charsMax, countRuns, model, viewOf } from './payload-fixture.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api' });
const { database } = service;
let voyage: Shown;
beforeAll(async () => {
  voyage = await createVoyage(service, await createFleet(service));
});

test.each([
  ['changed', 'speed = 99'],
  ['moved', 'voyage = (select max(key) from flaghoist.voyage)'],
])('a port call that is %s between two round trips is shown as each event left it', async (_, set) => {
  await createVoyage(service, await createFleet(service));
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
  const counted = countRuns(database);
  const run: Run = async (...statements) => {
    const results = await counted.run(...statements);
    if (counted.roundTrips.length === 2)
      await database.pool.query(`update flaghoist.port_call set ${set} where key = ${portCall.key}`);
    return results;
  };
  const wanted = [...bothSides(first, log, [short]), ...bothSides(second, log, [long])];
  const stateOf = await loadStates(wanted, { run, model });
  for (const { event, side, view } of wanted) {
    const text = renderResource(stateOf(event, log, side), view, log, { restUrl: 'https://example.org' }, charsMax)!;
    const shown = JSON.parse(text).portCall;
    expect(shown.speed).toBe(12);
    if (view === long) expect(shown.voyage.portCalls.map(({ speed }: Shown) => speed)).toEqual([12, null]);
  }
});
