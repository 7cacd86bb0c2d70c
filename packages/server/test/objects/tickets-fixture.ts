// Tickets: objects of a small model that uses everything that a declaration can say of an attribute.

import { beforeAll } from 'vitest';
import type { Declarations } from '../../src/model/build-model.ts';
import { withColumns } from '../../src/objects/object-change.ts';
import { type Shown, type TestObjects, useObjects } from './objects-fixture.ts';

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

export const route = {
  legs: [
    { from: 'OSLO', miles: 12.5 },
    { from: 'BERGEN', miles: 7 },
  ],
  isDirect: false,
};

export interface TestTickets extends TestObjects {
  /** With a value for everything that is fixed; its depot is `OSLO`. */
  newTicket(members: object): Promise<Shown>;
}

/** To be called at the top of a test file. */
export function useTickets(): TestTickets {
  let serials = 0;
  const objects = useObjects(
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
  beforeAll(async () => {
    await objects.create('Depot', { depotCode: 'OSLO' });
  });
  return {
    ...objects,
    newTicket: (members) => {
      const fixed = { ticketNo: 'T-1', depot: 'OSLO', issued: '2026-05-01T10:00:00', terms: ['b', 'a'], route };
      return objects.create('Ticket', { ...fixed, ...members });
    },
  };
}
