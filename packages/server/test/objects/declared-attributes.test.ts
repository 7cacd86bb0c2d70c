// What a declaration can say of an attribute holds for every write: defaults, what is filled in, hidden or shown once,
// plain keys, and attributes that came with a later API version.

import { beforeAll, describe, expect, test } from 'vitest';
import { type Shown, violationsOf } from './objects-fixture.ts';
import { useTickets } from './tickets-fixture.ts';

const { database, create, change, type, newTicket } = useTickets();

let ticket: Shown;
beforeAll(async () => {
  ticket = await newTicket({});
});

const put = (body: unknown) => change('Ticket', ticket.key, body);

describe('a default', () => {
  const defaults = { state: 'NEW', priority: -3, share: 0.5, isOpen: true, note: "it's \\ none", size: 7 };

  test('is the value of a new object that states none', async () => {
    expect(await create('Ticket', { ticketNo: 'T-2' })).toMatchObject(defaults);
  });

  test('is replaced by a stated value, also in an array with objects that state none', async () => {
    const [one, two] = await create('Ticket', [
      { ticketNo: 'T-3', state: 'DONE', isOpen: false, size: 8 },
      { ticketNo: 'T-4' },
    ]);
    expect(one).toMatchObject({ ...defaults, state: 'DONE', isOpen: false, size: 8 });
    expect(two).toMatchObject(defaults);
  });

  test('applies to elements, and to rows inserted by SQL', async () => {
    const { ticketLines } = await create('Ticket', { ticketNo: 'T-5', ticketLines: [{ lineNo: 1 }] });
    expect(ticketLines).toMatchObject([{ isPaid: false }]);
    const { rows } = await database.pool.query(
      "insert into flaghoist.ticket (ticket_no, serial) values ('T-6', 'x') returning state, priority, " +
        'share::float, is_open, note, size',
    );
    const { isOpen, ...same } = defaults;
    expect(rows).toEqual([{ ...same, is_open: isOpen }]);
  });

  test('cannot be replaced by null', async () => {
    const nulls = Object.fromEntries(Object.keys(defaults).map((name) => [name, null]));
    const expected = Object.keys(defaults).map((name) => `${name}: is required and cannot be null.`);
    expect(await violationsOf(create('Ticket', { ticketNo: 'T-7', ...nulls }))).toEqual(expected);
    expect(await violationsOf(put(nulls))).toEqual(expected);
  });

  test('is not set when an object is changed', async () => {
    const { key } = await newTicket({ state: 'DONE' });
    expect(await change('Ticket', key, { note: 'changed' })).toMatchObject({ state: 'DONE', note: 'changed' });
  });
});

describe('what the service fills in', () => {
  test('can be left out or stated', async () => {
    const [one, two] = await create('Ticket', [{ ticketNo: 'T-8' }, { ticketNo: 'T-9', serial: 'own' }]);
    expect(one.serial).toMatch(/^serial \d+$/);
    expect(two.serial).toBe('own');
  });

  test('does not make other required attributes optional', async () => {
    expect(await violationsOf(create('Ticket', {}))).toEqual(['ticketNo: is required.']);
  });
});

describe('what is hidden', () => {
  test('is stored and never shown', async () => {
    const { rows } = await database.pool.query('select hash from flaghoist.ticket where key = $1', [ticket.key]);
    expect(rows[0].hash).toMatch(/^hash \d+$/);
    expect(JSON.stringify(ticket)).not.toContain('hash');
  });

  test('is not an attribute, and not part of an event', async () => {
    expect(await violationsOf(put({ hash: 'x' }))).toEqual(['hash: is not an attribute of Ticket.']);
    await database.pool.query("update flaghoist.ticket set hash = 'other' where key = $1", [ticket.key]);
    const { rows } = await database.pool.query(
      'select coalesce(old_row, new_row)::jsonb || coalesce(new_row, old_row)::jsonb as row from ' +
        'flaghoist_system.event where object_key = $1',
      [ticket.key],
    );
    expect(rows.length).toBeGreaterThan(1);
    for (const { row } of rows) expect(Object.keys(row)).not.toContain('hash');
  });

  test('neither is a file: its change is an event without it', async () => {
    await database.pool.query("update flaghoist.ticket set scan = 'A', note = 'scanned' where key = $1", [ticket.key]);
    const { rows } = await database.pool.query(
      'select old_row, new_row from flaghoist_system.event where object_key = $1 order by id desc limit 1',
      [ticket.key],
    );
    expect(rows[0].new_row.note).toBe('scanned');
    for (const row of Object.values(rows[0])) expect(Object.keys(row as object)).not.toContain('scan');
  });
});

test('what is shown once is in the response that creates the object, and cannot be sent', async () => {
  expect(ticket.badge).toBe('shown');
  expect(await put({})).not.toHaveProperty('badge');
  const expected = ['badge: is created by the service and shown once; it cannot be sent.'];
  expect(await violationsOf(put({ badge: 'shown' }))).toEqual(expected);
  expect(await violationsOf(newTicket({ badge: 'x' }))).toEqual(expected);
});

test('a plain key does not have to exist', async () => {
  expect((await newTicket({ about: 999_999_999 })).about).toBe(999_999_999);
  for (const about of [0, -1, 1.5, '1', true]) expect(await violationsOf(put({ about }))).toHaveLength(1);
});

describe("an attribute of a later API version than the caller's", () => {
  const later = (version: string) =>
    `came with API version ${version}; this request uses an older one. Ask for it with the header API-Version: ` +
    `${version}.`;

  test('is neither shown nor accepted, and keeps its value', async () => {
    const old = type('Ticket', '5.22');
    const { key } = await newTicket({ colour: 'red', size: 9 });
    const shown = await change(old, key, { note: 'changed' });
    expect(shown).toMatchObject({ note: 'changed' });
    expect(shown).not.toHaveProperty('colour');
    expect(await violationsOf(change(old, key, { colour: 'blue', size: 1, colours: 'x' }))).toEqual([
      `colour: ${later('5.23')}`,
      `size: ${later('6.10')}`,
      'colours: is not an attribute of Ticket.',
    ]);
    expect(await change('Ticket', key, {})).toMatchObject({ colour: 'red', size: 9, note: 'changed' });
  });

  test('has its default in an object that such a caller creates', async () => {
    const { key } = await create(type('Ticket', '5.23'), { ticketNo: 'T-11', colour: 'red' });
    expect(await change('Ticket', key, {})).toMatchObject({ colour: 'red', size: 7 });
  });
});
