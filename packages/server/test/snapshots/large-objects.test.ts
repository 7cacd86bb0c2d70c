// However much a selection multiplies, its cost is bounded: there is a limit of rows to load, and a limit of text to
// render.

import { expect, test } from 'vitest';
import { renderResource } from '../../src/render/render-resource.ts';
import { loadStates } from '../../src/snapshots/load-states.ts';
import type { ObjectState } from '../../src/snapshots/object-state.ts';
import { cargoBody, createFleet, createVoyage } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { bothSides, changeDuring, charsMax, countRuns, model, viewOf } from './payload-fixture.ts';

const service = useTestService();
const { database } = service;
const links = { restUrl: 'https://example.org' };
const multiplied = '{"portCalls":{"voyage":{"cargos":{"cargoPorts":{"cargo":{"voyage":{"remarks":"*"}}}}}}}';

/** Every collection has 300 rows, and all rows lead to all others. */
function endlessState(): { state: ObjectState; rowsRead: () => number } {
  let count = 0;
  const row = { key: 1, voyage: 1, cargo: 1 };
  const elements = Array.from({ length: 300 }, () => row);
  const counted = <T>(value: T): T => {
    count++;
    return value;
  };
  const state = { row: () => counted(row), elements: () => counted(elements), isCutOff: () => false };
  return { state, rowsRead: () => count };
}

test('rendering stops at the length limit', () => {
  const { state, rowsRead } = endlessState();
  expect(renderResource(state, viewOf('Voyage', multiplied), 1, links, 1_000_000)).toBe(undefined);
  expect(rowsRead()).toBeLessThan(1000);
});

test('a resource of exactly the maximum length is rendered, and one that is longer by one character is not', () => {
  const { state } = endlessState();
  const view = viewOf('Voyage', '{"portCalls":{"voyage":{"comments":"*"}},"cargos":"*","comments":"*"}');
  const text = renderResource(state, view, 1, links, charsMax)!;
  expect(JSON.parse(text).portCalls).toHaveLength(300);
  expect(renderResource(state, view, 1, links, text.length)).toBe(text);
  expect(renderResource(state, view, 1, links, text.length - 1)).toBe(undefined);
});

test('loading stops at 20,000 rows of a view, and only this view is cut off', async () => {
  const fleet = await createFleet(service);
  const { key } = await createVoyage(service, fleet);
  await database.pool.query(
    `insert into flaghoist.port_call (voyage, port, reason_for_call, port_call_sequence)
     select $1, $2, 'L', 100 + n from generate_series(1, 200) n`,
    [key, fleet.port.key],
  );
  const cargo = { ...cargoBody(fleet), voyage: key };
  await service.post(
    '/ws/rest/Cargo',
    Array.from({ length: 200 }, () => cargo),
  );
  const event = await changeDuring(database, 'Voyage.U', () =>
    service.put(`/ws/rest/Voyage/${key}`, { comments: 'large' }),
  );
  const [large, small] = [viewOf('Voyage', multiplied), viewOf('Voyage', '{"portCalls":{"port":"*"},"cargos":"*"}')];
  const { run } = countRuns(database);
  const wanted = [{ event, key, side: 'after', view: large } as const, ...bothSides(event, key, [small])];
  const stateOf = await loadStates(wanted, { run, model });
  const [after, before] = [stateOf(event, key, 'after'), stateOf(event, key, 'before')];
  expect([after.isCutOff(large), after.isCutOff(small), before.isCutOff(small)]).toEqual([true, false, false]);
  expect(JSON.parse(renderResource(after, small, key, links, charsMax)!).cargos).toHaveLength(200);
});
