// For any change, the state before it is what a GET returned before, and the state after it is what a GET returns now.

import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { compileRead } from '../../src/query/read-statement.ts';
import { asTexts } from '../support/as-texts.ts';
import { cargoBody, create, createFleet, createVoyage, type Fleet } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { changesDuring, seeChange, viewOf } from './payload-fixture.ts';

const service = useTestService();
const { database } = service;
const restUrl = 'https://example.org/ws/rest';
let fleet: Fleet;
beforeAll(async () => {
  fleet = await createFleet(service);
});

const view = viewOf(
  'Voyage',
  `{"comments":"*","vessel":"*","portCalls":{"portCallSequence":"*","port":"*",
    "voyage":{"comments":"*"},"eventLogs":{"event":"*"}},
    "cargos":{"quantity":"*","cargoPorts":{"portCall":{"speed":"*"},"port":{"portName":"*"},"cargo":{"voyage":"*"}}}}`,
);
const readText = compileRead(view, { restUrl });

/** `null` if it does not exist. */
async function read(key: number): Promise<string> {
  const { rows } = await database.pool.query({ text: readText, values: [key], types: asTexts });
  return rows[0]?.object ?? 'null';
}

async function pick(table: string, chance: number, where = 'true'): Promise<number | undefined> {
  const { rows } = await database.pool.query(`select key from flaghoist.${table} where ${where} order by key`);
  return rows.length === 0 ? undefined : Number(rows[Math.floor(chance * rows.length)].key);
}

interface Change {
  table: string;
  /** Which row, and which row it may reference. */
  chance: number;
  other: number;
  sql: (key: number, voyage: number, portCall: number) => string;
  where?: string;
}

const unreferred = 'not exists (select from flaghoist.cargo_port p where p.port_call = port_call.key)';
const kinds: Pick<Change, 'table' | 'sql' | 'where'>[] = [
  {
    table: 'voyage',
    sql: (key) => `update flaghoist.voyage set comments = 'c' || clock_timestamp() where key = ${key}`,
  },
  { table: 'voyage', sql: (key) => `update flaghoist.voyage set vessel = null where key = ${key}` },
  { table: 'port_call', sql: (key, voyage) => `update flaghoist.port_call set voyage = ${voyage} where key = ${key}` },
  {
    table: 'port_call',
    sql: (key) => `update flaghoist.port_call set speed = coalesce(speed, 0) + 1.25 where key = ${key}`,
  },
  {
    table: 'port_call',
    sql: (key) => `update flaghoist.port_call set port_call_sequence = 9 - port_call_sequence where key = ${key}`,
  },
  { table: 'port_call', sql: (key) => `delete from flaghoist.port_call where key = ${key}`, where: unreferred },
  { table: 'port_call', sql: (key) => `insert into flaghoist.event_log (port_call, event) values (${key}, 'DEP')` },
  { table: 'event_log', sql: (key) => `delete from flaghoist.event_log where key = ${key}` },
  { table: 'cargo', sql: (key, voyage) => `update flaghoist.cargo set voyage = ${voyage} where key = ${key}` },
  { table: 'cargo', sql: (key) => `update flaghoist.cargo set voyage = null where key = ${key}` },
  { table: 'cargo', sql: (key) => `delete from flaghoist.cargo where key = ${key}` },
  {
    table: 'cargo_port',
    sql: (key, _, portCall) => `update flaghoist.cargo_port set port_call = ${portCall} where key = ${key}`,
  },
  { table: 'port', sql: (key) => `update flaghoist.port set port_name = 'p' || clock_timestamp() where key = ${key}` },
  {
    table: 'voyage',
    sql: (key) => `delete from flaghoist.voyage where key = ${key}`,
    where: `not exists (select from flaghoist.cargo c where c.voyage = voyage.key)
      and not exists (select from flaghoist.cargo_port p join flaghoist.port_call c on c.key = p.port_call
        where c.voyage = voyage.key)`,
  },
];

/** Makes the change and returns whether anything happened. Compares both states of every voyage. */
async function expectSeen(voyages: number[], { table, chance, other, sql, where }: Change): Promise<boolean> {
  const key = await pick(table, chance, where);
  const [voyage, portCall] = [await pick('voyage', other), await pick('port_call', other)];
  if (key === undefined || voyage === undefined || portCall === undefined) return false;
  const before = await Promise.all(voyages.map(read));
  const events = await changesDuring(database, () => database.pool.query(sql(key, voyage, portCall)));
  const event = events.find((candidate) => candidate.key === key) ?? events[0];
  if (!event) return false;
  const after = await Promise.all(voyages.map(read));
  for (const [index, root] of voyages.entries()) {
    // One that was deleted before the change is in no hierarchy any more.
    if (before[index] === 'null') continue;
    const seen = await seeChange(database, event, { view, key: root, restUrl });
    expect(seen).toEqual({ before: before[index], after: after[index] });
  }
  return true;
}

test('both states are what a GET returned, for random creates, updates, moves and deletes', async () => {
  const chance = fc.double({ min: 0, max: 0.999, noNaN: true });
  const changes = fc.array(
    fc
      .record({ kind: fc.constantFrom(...kinds), chance, other: chance })
      .map(({ kind, ...rest }) => ({ ...kind, ...rest })),
    { minLength: 6, maxLength: 14 },
  );
  let seen = 0;
  await fc.assert(
    fc.asyncProperty(changes, async (sequence) => {
      await database.pool.query('delete from flaghoist.cargo; delete from flaghoist.voyage');
      const voyages: number[] = [];
      for (let count = 0; count < 3; count += 1) voyages.push((await createVoyage(service, fleet)).key);
      for (const voyage of voyages) await create(service, 'Cargo', { ...cargoBody(fleet), voyage });
      for (const change of sequence) if (await expectSeen(voyages, change)) seen += 1;
    }),
    { numRuns: 25 },
  );
  expect(seen).toBeGreaterThan(125);
}, 120_000);
