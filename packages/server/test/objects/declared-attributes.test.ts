// What a declaration can say of an attribute holds for every write: defaults, what is fixed, filled in or shown once,
// lists, JSON, formats, and attributes that came with a later API version.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Declarations } from '../../src/model/build-model.ts';
import { withColumns } from '../../src/objects/object-change.ts';
import { readStoredList, storedList } from '../../src/objects/stored-list.ts';
import { backdate } from '../support/backdate.ts';
import { type Shown, useObjects, violationsOf } from './objects-fixture.ts';

const declarations: Declarations = {
  Depot: {
    shownBy: ['depotCode'],
    attributes: { depotCode: { kind: 'text', maxLength: 10, isCode: true }, depotName: { kind: 'text' } },
  },
  Ticket: {
    attributes: {
      ticketNo: { kind: 'text', maxLength: 20, isRequired: true, isFixed: true },
      depot: { kind: 'reference', to: 'Depot', isFixed: true },
      issued: { kind: 'dateTime', isFixed: true },
      terms: { kind: 'textList', isFixed: true, isOnDemand: true },
      route: { kind: 'json', isFixed: true },
      serial: { kind: 'text', isRequired: true, isFilledIn: true },
      hash: { kind: 'text', isHidden: true },
      scan: { kind: 'binary' },
      badge: { kind: 'text', isShownOnce: true, isReadOnly: true },
      state: { kind: 'code', values: ['NEW', 'DONE'], default: 'NEW' },
      priority: { kind: 'integer', default: -3 },
      share: { kind: 'decimal', default: 0.5 },
      isOpen: { kind: 'boolean', default: true },
      note: { kind: 'text', maxLength: 20, default: "it's \\ none" },
      tags: { kind: 'textList' },
      roles: { kind: 'textList', values: ['LOAD', 'SAIL', 'MOOR'], minItems: 1 },
      about: { kind: 'key' },
      details: { kind: 'json' },
      contact: { kind: 'text', maxLength: 254, format: 'email' },
      colour: { kind: 'text', since: '5.23' },
      size: { kind: 'integer', since: '6.10', default: 7 },
    },
  },
  TicketLine: {
    attributes: {
      lineNo: { kind: 'integer', isRequired: true, isFixed: true },
      isPaid: { kind: 'boolean', default: false },
      ticket: { kind: 'owner', to: 'Ticket', collection: 'ticketLines', isRequired: true },
    },
  },
};

let serials = 0;
const { database, create, change, type } = useObjects(
  declarations,
  new Map([
    [
      'Ticket',
      {
        create: ({ bodies, check }) => ({
          objects: bodies.map(({ body, path }) => {
            const { change, violations } = check(body, path);
            serials += 1;
            const filled = new Map([['hash', `hash ${serials}`]]);
            if (!change.columns.has('serial')) filled.set('serial', `serial ${serials}`);
            return { change: withColumns(change, filled), violations, shownOnce: new Map([['badge', 'shown']]) };
          }),
        }),
      },
    ],
  ]),
);

let depot: Shown;
let other: Shown;
let ticket: Shown;
beforeAll(async () => {
  depot = await create('Depot', { depotCode: 'OSLO' });
  other = await create('Depot', { depotCode: 'BERGEN' });
  ticket = await newTicket({});
});

const route = {
  legs: [
    { from: 'OSLO', miles: 12.5 },
    { from: 'BERGEN', miles: 7 },
  ],
  isDirect: false,
};

function newTicket(members: object): Promise<Shown> {
  const fixed = { ticketNo: 'T-1', depot: 'OSLO', issued: '2026-05-01T10:00:00', terms: ['b', 'a'], route };
  return create('Ticket', { ...fixed, ...members });
}

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

describe('what is fixed', () => {
  test('is ignored when it is sent back unchanged, in every form', async () => {
    for (const same of [
      { ticketNo: 'T-1' },
      { depot: depot.key },
      { depot: { key: depot.key } },
      { depot: 'OSLO' },
      { depot: ticket.depot },
      { issued: '2026-05-01T12:00:00+02:00' },
      { terms: ['a', 'b'] },
      { terms: ['b', 'a'] },
      { route },
      { route: { isDirect: false, legs: route.legs } },
    ])
      expect(await put({ ...same, priority: 5 }), JSON.stringify(same)).toMatchObject({
        ticketNo: 'T-1',
        depot: { key: depot.key },
        priority: 5,
      });
  });

  test('is rejected when another value is sent', async () => {
    const stays = 'is set when the object is created and cannot be changed.';
    for (const [name, values] of Object.entries({
      ticketNo: ['T-2', 5, null],
      depot: [other.key, { key: other.key }, 'BERGEN', 'NOWHERE', 99999999, null],
      issued: ['2026-05-01T10:00:01', null],
      terms: [['a'], ['a', 'b', 'c'], ['a', 'a'], [], null],
      route: [
        {},
        { legs: route.legs },
        { legs: route.legs, isClosed: false },
        { ...route, isClosed: true },
        { ...route, legs: [] },
        { ...route, legs: route.legs.slice(0, 1) },
        { ...route, legs: [{ from: 'OSLO' }, route.legs[1]] },
        null,
      ],
    })) {
      for (const value of values)
        expect(await violationsOf(put({ [name]: value })), JSON.stringify(value)).toEqual([`${name}: ${stays}`]);
    }
  });

  test('is checked like any other reference', async () => {
    expect(await violationsOf(put({ depot: { key: depot.key, depotCode: 'BERGEN' } }))).toEqual([
      `depot.depotCode: is not what Depot ${depot.key} has; change it there.`,
    ]);
    expect(await violationsOf(put({ depot: { key: depot.key, depotCod: 'x' } }))).toEqual([
      'depot.depotCod: is not an attribute of Depot. Did you mean "depotCode"?',
    ]);
  });

  test('applies to the elements of a collection, and is set on new ones', async () => {
    const { key, ticketLines } = await newTicket({ ticketLines: [{ lineNo: 1 }] });
    const [line] = ticketLines;
    const changed = await change('Ticket', key, { ticketLines: [{ ...line, isPaid: true }, { lineNo: 2 }] });
    expect(changed.ticketLines).toMatchObject([
      { key: line.key, lineNo: 1, isPaid: true },
      { lineNo: 2, isPaid: false },
    ]);
    expect(await violationsOf(change('Ticket', key, { ticketLines: [{ key: line.key, lineNo: 9 }] }))).toEqual([
      'ticketLines[0].lineNo: is set when the object is created and cannot be changed.',
    ]);
  });

  test('stays null where it was null', async () => {
    const { key } = await create('Ticket', { ticketNo: 'T-10' });
    expect(await change('Ticket', key, { depot: null, issued: null })).toMatchObject({ depot: null, issued: null });
    expect(await violationsOf(change('Ticket', key, { depot: 'OSLO' }))).toHaveLength(1);
  });
});

describe('a list of texts', () => {
  const awkward = ['a', 'A', ' ', 'a,b', '{}', '"', '\\', 'NULL', 'null', "'", '\n', '👍', '{"a"}', 'x'.repeat(255)];

  test('keeps any text that was sent, when created and when changed', async () => {
    const tags = [...awkward].sort();
    const created = await newTicket({ tags: awkward });
    expect(created.tags).toEqual(tags);
    expect((await change('Ticket', created.key, { tags: ['one'] })).tags).toEqual(['one']);
    expect((await change('Ticket', created.key, { tags: awkward })).tags).toEqual(tags);
    expect((await change('Ticket', created.key, { tags: [] })).tags).toEqual([]);
    expect((await change('Ticket', created.key, { tags: null })).tags).toBeNull();
    expect(readStoredList(storedList(awkward))).toEqual(awkward);
  });

  test('is a set: another order is not a change', async () => {
    const { key, roles, modifiedDate } = await newTicket({ roles: ['MOOR', 'LOAD'] });
    expect(roles).toEqual(['LOAD', 'MOOR']);
    await backdate(database.pool, 'flaghoist.ticket', key, '2001-01-01');
    const before = await change('Ticket', key, {});
    expect(before.modifiedDate).not.toBe(modifiedDate);
    expect(await change('Ticket', key, { roles: ['MOOR', 'LOAD'] })).toEqual(before);
  });

  test.each<[unknown, string]>([
    ['LOAD', 'must be an array of texts, not text.'],
    [{}, 'must be an array of texts, not an object.'],
    [[], 'must have at least 1 element.'],
    [['LOAD', 'NONE'], '[1] must be one of LOAD, SAIL, MOOR, not "NONE".'],
    [['LOAD', 'LOAD'], '[1] "LOAD" is in the array twice.'],
    [[null], '[0] must be text, not null.'],
    [[1], '[0] must be text, not a number.'],
    [[['LOAD']], '[0] must be text, not an array.'],
  ])('of declared values accepts no other: %j', async (roles, mistake) => {
    expect(await violationsOf(newTicket({ roles }))).toEqual([`roles: ${mistake}`]);
    expect(await violationsOf(put({ roles }))).toEqual([`roles: ${mistake}`]);
  });

  test('has limits', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `tag ${index}`);
    expect((await newTicket({ tags: many(100) })).tags).toHaveLength(100);
    expect(await violationsOf(newTicket({ tags: many(101) }))).toEqual([
      'tags: may have at most 100 elements; this has 101.',
    ]);
    expect(await violationsOf(newTicket({ tags: ['x'.repeat(256)] }))).toEqual([
      'tags: [0] may have at most 255 characters; this has 256.',
    ]);
    expect((await newTicket({ tags: ['👍'.repeat(255)] })).tags).toHaveLength(1);
    expect(await violationsOf(newTicket({ tags: [''] }))).toEqual(['tags: [0] cannot be empty.']);
  });

  test('rejects other values by SQL too', async () => {
    await expect(
      database.pool.query("update flaghoist.ticket set roles = '{LOAD,NONE}' where key = $1", [ticket.key]),
    ).rejects.toThrow(/ticket__roles__values/);
  });
});

describe('JSON', () => {
  const values = [
    '{"b":[1,2.50,{"c":null}],"a":"\\"\\\\ \\n"}',
    '[]',
    '{}',
    '"text"',
    '"{}"',
    'true',
    '0',
    '12345678901234567890.123456789012345678901234567890',
    '1e300',
    '-1E-300',
  ];

  test.each(values)('keeps its meaning, when created and when changed: %s', async (text) => {
    const body = `{"ticketNo":"J","details":${text}}`;
    const created = await create('Ticket', body);
    expect(created.details).toEqual(JSON.parse(text));
    const { key } = await newTicket({});
    expect((await change('Ticket', key, `{"details":${text}}`)).details).toEqual(JSON.parse(text));
  });

  test('keeps every digit of a number', async () => {
    const { key } = await create('Ticket', `{"ticketNo":"J","details":{"n":${values[7]}}}`);
    const { rows } = await database.pool.query("select details ->> 'n' as n from flaghoist.ticket where key = $1", [
      key,
    ]);
    expect(rows[0].n).toBe(values[7]!.replace(/0+$/, ''));
  });

  test('null means no value', async () => {
    const { key } = await newTicket({ details: {} });
    expect((await change('Ticket', key, { details: null })).details).toBeNull();
    const { rows } = await database.pool.query('select details from flaghoist.ticket where key = $1', [key]);
    expect(rows[0].details).toBeNull();
  });

  test.each(['1e400', '-1e-401', '9'.repeat(401)])(
    'with a number that nothing can hold is a mistake: %s',
    async (n) => {
      expect(await violationsOf(put(`{"details":{"a":[${n}]}}`))).toEqual([
        'details: has a number of more than 400 digits.',
      ]);
    },
  );
});

test('a plain key does not have to exist', async () => {
  expect((await newTicket({ about: 999_999_999 })).about).toBe(999_999_999);
  for (const about of [0, -1, 1.5, '1', true]) expect(await violationsOf(put({ about }))).toHaveLength(1);
});

describe('an e-mail address', () => {
  test.each([
    'a@b',
    'ops@agent.example',
    'first.last+tag@sub.agent.example',
    "o'neil!#$%&*/=?^_`{|}~-@x.example",
    'jørgen@blåbær.example',
  ])('is accepted: %s', async (contact) => {
    expect((await newTicket({ contact })).contact).toBe(contact);
  });

  test.each([
    '',
    'a',
    'a@',
    '@b',
    'a@b@c',
    'a b@c',
    'a@b c',
    'a,b@c',
    '<a@b>',
    'A <a@b>',
    'a@b,c@d',
    'a@b\n',
    'a\u200b@b',
    '.a@b',
    'a.@b',
    'a..b@c',
    'a@b.',
    'a@[::1]',
    `${'a'.repeat(250)}@b.cd`,
  ])('is rejected: %j', async (contact) => {
    expect(await violationsOf(put({ contact }))).toEqual([
      expect.stringMatching(/^contact: (must be one e-mail address|may have at most 254 characters)/),
    ]);
  });
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
