// Values of the kinds that have rules of their own: lists of texts, JSON, and e-mail addresses.

import { beforeAll, describe, expect, test } from 'vitest';
import { readStoredList, storedList } from '../../src/objects/stored-list.ts';
import { backdate } from '../support/backdate.ts';
import { type Shown, violationsOf } from './objects-fixture.ts';
import { useTickets } from './tickets-fixture.ts';

const { database, create, change, newTicket } = useTickets();

let ticket: Shown;
beforeAll(async () => {
  ticket = await newTicket({});
});

const put = (body: unknown) => change('Ticket', ticket.key, body);

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
