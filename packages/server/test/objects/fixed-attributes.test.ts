// What is fixed keeps the value that it had when the object was created.

import { beforeAll, describe, expect, test } from 'vitest';
import { type Shown, violationsOf } from './objects-fixture.ts';
import { route, useTickets } from './tickets-fixture.ts';

const { create, change, newTicket } = useTickets();

let ticket: Shown;
let depot: Shown;
let other: Shown;
beforeAll(async () => {
  ticket = await newTicket({});
  depot = ticket.depot;
  other = await create('Depot', { depotCode: 'BERGEN' });
});

const put = (body: unknown) => change('Ticket', ticket.key, body);

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
