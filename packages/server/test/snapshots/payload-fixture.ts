// Changes as matching reads them, and the resource in the states before and after each.

import type { ObjectReader } from '@flaghoist/expressions';
import { vi } from 'vitest';
import type { Run, Statement } from '../../src/database/database.ts';
import { type ChangeEvent, readEvent } from '../../src/events/change-event.ts';
import { type EventRow, selectEvents } from '../../src/events/event-table.ts';
import { buildModel } from '../../src/model/build-model.ts';
import { catalogue } from '../../src/model/catalogue/catalogue.ts';
import type { Model, ObjectType } from '../../src/model/object-type.ts';
import { parseFieldSelectionText } from '../../src/query/field-selection.ts';
import { type View, wholeView } from '../../src/query/view.ts';
import { renderResource } from '../../src/render/render-resource.ts';
import { loadStates, type Wanted } from '../../src/snapshots/load-states.ts';
import { readerOf } from '../../src/snapshots/state-reader.ts';
import type { TestDatabase } from '../support/test-database.ts';

export const model = buildModel(catalogue);

export function typeOf(name: string): ObjectType {
  return model.types.get(name)!;
}

/** The whole view if no fields are given. */
export function viewOf(type: string, fields?: string): View {
  return fields === undefined ? wholeView(typeOf(type)) : parseFieldSelectionText(fields, typeOf(type));
}

/** The events written during the work, in order. */
export async function changesDuring(
  { pool }: TestDatabase,
  work: () => Promise<unknown>,
  of: Model = model,
): Promise<ChangeEvent[]> {
  const { rows: last } = await pool.query('select coalesce(max(id), 0) as id from flaghoist_system.event');
  await work();
  const { rows: ids } = await pool.query('select id::int from flaghoist_system.event where id > $1', [last[0].id]);
  const { rows } = await pool.query<EventRow>(selectEvents(ids.map(({ id }) => id)));
  return rows.map((row) => readEvent(row, of)!);
}

/**
 * Until all transactions that were running, also in other databases of the server, have ended. The next change surely
 * includes what was committed before, and need not look it up.
 */
export async function othersEnded({ pool }: TestDatabase): Promise<void> {
  const { rows } = await pool.query('select pg_current_xact_id()::text as id');
  const haveEnded = async () =>
    (await pool.query('select pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8 as ended', [rows[0].id])).rows[0]
      .ended;
  await vi.waitUntil(haveEnded, { timeout: 30_000, interval: 10 });
}

/** The one event with this name, such as `PortCall.U`, written during the work. */
export async function changeDuring(
  database: TestDatabase,
  name: string,
  work: () => Promise<unknown>,
): Promise<ChangeEvent> {
  const events = await changesDuring(database, work);
  const found = events.filter(({ type, operation }) => `${type.name}.${operation}` === name);
  if (found.length !== 1) throw new Error(`${found.length} events are ${name}.`);
  return found[0]!;
}

/** The same change, as if it were the last one to be committed. */
export function asLast(event: ChangeEvent): ChangeEvent {
  const { id, transactionId, type, operation, key, oldRow, newRow, roots, userKey, time, occurredAt } = event;
  const rest = { roots, userKey, time, occurredAt, snapshot: null, isRepeated: false };
  return { id, transactionId, type, operation, key, oldRow, newRow, ...rest };
}

export interface CountedRun {
  run: Run;
  /** How many statements each round trip had. */
  readonly roundTrips: Statement[][];
}

export function countRuns({ connections }: TestDatabase): CountedRun {
  const roundTrips: Statement[][] = [];
  const run: Run = (...statements) => {
    roundTrips.push(statements);
    return connections.runTogether({ userKey: undefined, client: 'test' }, statements);
  };
  return { run, roundTrips };
}

/** Both sides of each view. */
export function bothSides(event: ChangeEvent, key: number, views: readonly View[]): Wanted[] {
  return views.flatMap((view) => (['after', 'before'] as const).map((side) => ({ event, key, side, view })));
}

interface SeenObject {
  view: View;
  key: number;
  of?: Model;
}

async function statesOf(database: TestDatabase, event: ChangeEvent, { view, key, of = model }: SeenObject) {
  const { run } = countRuns(database);
  const stateOf = await loadStates(bothSides(event, key, [view]), { run, model: of });
  return { after: stateOf(event, key, 'after'), before: stateOf(event, key, 'before') };
}

/** More than any object of these tests needs. */
export const charsMax = 10_000_000;

export interface Seen {
  /** JSON. */
  after: string;
  before: string;
}

/** How a subscription on the object would see the change. */
export async function seeChange(
  database: TestDatabase,
  event: ChangeEvent,
  { restUrl = 'https://example.org', ...object }: SeenObject & { restUrl?: string },
): Promise<Seen> {
  const { view, key } = object;
  const { after, before } = await statesOf(database, event, object);
  return {
    after: renderResource(after, view, key, { restUrl }, charsMax)!,
    before: renderResource(before, view, key, { restUrl }, charsMax)!,
  };
}

/** The same through readers. */
export async function readChange(
  database: TestDatabase,
  event: ChangeEvent,
  { view, key }: { view: View; key: number },
): Promise<{ after: ObjectReader | null; before: ObjectReader | null }> {
  const { after, before } = await statesOf(database, event, { view, key });
  const links = { restUrl: 'https://example.org' };
  return { after: readerOf(after, view.type, key, links), before: readerOf(before, view.type, key, links) };
}
