// Filters over attributes, references and collections.

import { beforeAll, describe, expect, test } from 'vitest';
import { create, createFleet, type Fleet, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService();
const vessels = [
  { vesselName: 'alpha', flag: 'NO', builtYear: 2001, dwtSummer: 1000.5 },
  { vesselName: 'Beta', flag: 'PA', builtYear: 2010, dwtSummer: 50_000 },
  { vesselName: 'Gamma, "the (third)"', flag: 'NO', builtYear: 2015 },
  { vesselName: 'a_b%c\\d', builtYear: null },
];
let fleet: Fleet;
let otherFleet: Fleet;
beforeAll(async () => {
  fleet = await createFleet(service);
  otherFleet = await createFleet(service);
  await create(
    service,
    'Vessel',
    vessels.map((vessel) => ({ ...vessel, vesselType: 'filtered' })),
  );
});

/** The query with each filter encoded as a client would. */
function query(filters: string[]): string {
  return filters.map((filter) => `filter=${encodeURIComponent(filter)}`).join('&');
}

async function list(resource: string, ...filters: string[]): Promise<Shown[]> {
  const answer = await service.get(`/ws/rest/${resource}?${query(filters)}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

async function names(...filters: string[]): Promise<string[]> {
  const found = await list('Vessel', 'vesselType(EQ)filtered', ...filters);
  return found.map(({ vesselName }) => vesselName.slice(0, 5));
}

describe('operators', () => {
  test.each([
    ['vesselName(EQ)alpha', ['alpha']],
    ['vesselName(NE)alpha', ['Beta', 'Gamma', 'a_b%c']],
    ['builtYear(GT)2010', ['Gamma']],
    ['builtYear(GTE)2010', ['Beta', 'Gamma']],
    ['builtYear(LT)2010', ['alpha']],
    ['builtYear(LTE)2010', ['alpha', 'Beta']],
    ['builtYear(IN)(2001,2015,1900)', ['alpha', 'Gamma']],
    ['builtYear(NIN)(2001,2015)', ['Beta', 'a_b%c']],
    ['vesselName(LIKE)%a', ['alpha', 'Beta']],
    ['vesselName(LIKE)B_ta', ['Beta']],
    ['vesselName(LIKE)A%', []],
    ['vesselName(ILIKE)A%', ['alpha', 'a_b%c']],
    ['flag(NULL)', ['a_b%c']],
    ['flag(NOTNULL)', ['alpha', 'Beta', 'Gamma']],
    ['builtYear(BETWEEN)(2001,2010)', ['alpha', 'Beta']],
    ['dwtSummer(EQ)1000.50', ['alpha']],
    ['dwtSummer(GT)1000.49999999', ['alpha', 'Beta']],
  ])('%s', async (filter, expected) => {
    expect(await names(filter)).toEqual(expected);
  });

  test('NE and NIN also match null', async () => {
    expect(await names('flag(NE)NO')).toEqual(['Beta', 'a_b%c']);
    expect(await names('flag(NIN)(NO,PA)')).toEqual(['a_b%c']);
    const [bare] = [await create(service, 'Voyage', {})];
    const found = await list('Voyage', 'vessel.vesselName(NE)alpha', `key(EQ)${bare.key}`);
    expect(found).toHaveLength(1);
  });

  test('LIKE supports % and _; a backslash before them escapes them', async () => {
    expect(await names('vesselName(LIKE)%\\%%')).toEqual(['a_b%c']);
    expect(await names('vesselName(LIKE)a\\_%')).toEqual(['a_b%c']);
  });

  test('dates are compared as points in time, whatever zone the filter has', async () => {
    const voyage = await create(service, 'Voyage', { estimatedVoyageStartDate: '2031-05-06T07:00:00' });
    for (const date of ['2031-05-06T07:00:00', '2031-05-06T09:00:00+02:00', '2031-05-06T07:00:00.000Z'])
      expect(await list('Voyage', `estimatedVoyageStartDate(EQ)${date}`)).toMatchObject([{ key: voyage.key }]);
  });

  test.each(['true', '1'])('booleans are true/false/1/0: %s is true', async (written) => {
    const canal = await create(service, 'Port', { unLoCode: `Y${written.slice(0, 1)}YYY`, isCanal: true });
    expect(await list('Port', `isCanal(EQ)${written}`, `key(EQ)${canal.key}`)).toHaveLength(1);
    expect(await list('Port', `isCanal(EQ)${written}`, `key(EQ)${fleet.port.key}`)).toEqual([]);
  });

  test.each(['false', '0'])('booleans are true/false/1/0: %s is false', async (written) => {
    const port = await create(service, 'Port', { unLoCode: `X${written.slice(0, 1)}XXX`, isCanal: false });
    expect(await list('Port', `isCanal(EQ)${written}`, `key(EQ)${port.key}`)).toHaveLength(1);
  });
});

describe('values', () => {
  test('text may be in double quotes', async () => {
    expect(await names('vesselName(EQ)"alpha"')).toEqual(['alpha']);
  });

  test('inside quotes \\" and \\\\ are escapes', async () => {
    expect(await names('vesselName(EQ)"Gamma, \\"the (third)\\""')).toEqual(['Gamma']);
    expect(await names('vesselName(EQ)"a_b%c\\\\d"')).toEqual(['a_b%c']);
  });

  test('a value with a comma or parenthesis inside IN must be quoted', async () => {
    expect(await names('vesselName(IN)("Gamma, \\"the (third)\\"",Beta)')).toEqual(['Beta', 'Gamma']);
    expect((await service.get(`/ws/rest/Vessel?${query(['vesselName(IN)(Gamma (third),Beta)'])}`)).status).toBe(400);
  });

  test('SQL in a value is treated as text', async () => {
    expect(await names(`vesselName(EQ)' or 1=1 --`)).toEqual([]);
    expect(await names(`vesselName(IN)(x'; drop table flaghoist.vessel; --)`)).toEqual([]);
    expect(await names()).toHaveLength(4);
  });
});

describe('several filters', () => {
  test('filter is repeatable, and all filters must match', async () => {
    expect(await names('flag(EQ)NO', 'builtYear(GT)2001')).toEqual(['Gamma']);
  });

  test('filter=(OR) separates groups: the filters of a group are ANDed, the groups ORed', async () => {
    const either = [
      ...['vesselType(EQ)filtered', 'flag(EQ)NO', 'builtYear(GT)2001', '(OR)'],
      ...['vesselType(EQ)filtered', 'flag(EQ)PA', 'builtYear(EQ)2010'],
    ];
    expect((await list('Vessel', ...either)).map(({ flag }) => flag)).toEqual(['PA', 'NO']);
  });

  test.each([[['(OR)']], [['(OR)', 'key(EQ)1']], [['key(EQ)1', '(OR)']], [['key(EQ)1', '(OR)', '(OR)', 'key(EQ)2']]])(
    'an (OR) without filters on both sides is a 400: %j',
    async (filters) => {
      expect((await service.get(`/ws/rest/Vessel?${query(filters)}`)).status).toBe(400);
    },
  );
});

describe('paths', () => {
  let voyage: Shown;
  let orders: Shown[];
  beforeAll(async () => {
    voyage = await create(service, 'Voyage', {
      vessel: fleet.vessel.key,
      portCalls: [
        { port: fleet.port.key, reasonForCall: 'L', eventLogs: [{ event: 'ARR' }] },
        { port: fleet.otherPort.key, reasonForCall: 'D', eventLogs: [{ event: 'DEP' }] },
      ],
    });
    const order = (...lines: [Fleet, number][]) => ({
      portCall: voyage.portCalls[0].key,
      vessel: fleet.vessel.key,
      bunkerOrderStatus: 'PLN',
      bunkerOrderLines: lines.map(([{ bunkerType }, unitPrice]) => ({
        minQuantity: 1,
        maxQuantity: 2,
        unitPrice,
        bunkerType: bunkerType.key,
      })),
    });
    orders = await create(service, 'BunkerOrder', [
      order([fleet, 10], [otherFleet, 20]),
      order([fleet, 20]),
      order([otherFleet, 30]),
    ]);
  });

  test('paths go through references', async () => {
    const found = await list('PortCall', `voyage.vessel.vesselName(EQ)${fleet.vessel.vesselName}`);
    expect(found.map(({ key }) => key)).toEqual(voyage.portCalls.map(({ key }: Shown) => key));
  });

  test('paths go through collections: some element matches', async () => {
    const { bunkerTypeCode } = fleet.bunkerType;
    const found = await list('BunkerOrder', `bunkerOrderLines.bunkerType.bunkerTypeCode(EQ)${bunkerTypeCode}`);
    expect(found.map(({ key }) => key)).toEqual([orders[0].key, orders[1].key]);
    expect(await list('Voyage', `key(EQ)${voyage.key}`, 'portCalls.eventLogs.event(EQ)DEP')).toHaveLength(1);
    expect(await list('Voyage', `key(EQ)${voyage.key}`, 'portCalls.eventLogs.event(EQ)BRT')).toEqual([]);
  });

  test('filters of one group through the same collection apply to the same element', async () => {
    const found = await list(
      'BunkerOrder',
      `bunkerOrderLines.bunkerType.bunkerTypeCode(EQ)${fleet.bunkerType.bunkerTypeCode}`,
      'bunkerOrderLines.unitPrice(EQ)20',
    );
    expect(found.map(({ key }) => key)).toEqual([orders[1].key]);
    const reasonAndEvent = ['portCalls.reasonForCall(EQ)L', 'portCalls.eventLogs.event(EQ)DEP'];
    expect(await list('Voyage', `key(EQ)${voyage.key}`, ...reasonAndEvent)).toEqual([]);
  });

  test('filters of different groups may match different elements', async () => {
    const found = await list(
      'BunkerOrder',
      'bunkerOrderLines.unitPrice(EQ)10',
      '(OR)',
      'bunkerOrderLines.unitPrice(EQ)30',
    );
    expect(found.map(({ key }) => key)).toEqual([orders[0].key, orders[2].key]);
  });

  test('a reference is compared by key or by code', async () => {
    expect(await list('BunkerOrderLine', `bunkerType(EQ)${fleet.bunkerType.key}`)).toHaveLength(2);
    expect(await list('BunkerOrderLine', `bunkerType(EQ)${fleet.bunkerType.bunkerTypeCode}`)).toHaveLength(2);
  });
});

describe('mistakes', () => {
  test.each([
    ['nonsense(EQ)1', 'position 1', 'nonsense'],
    ['vessel.nonsense(EQ)1', 'position 8', 'nonsense'],
    ['comments.length(EQ)1', 'position 10', 'comments'],
    ['comments(EQUALS)1', 'position 10', 'EQUALS'],
    ['comments(eq)1', 'position 10', 'eq'],
    ['comments', 'position 9', 'operator'],
    ['freight(EQ)lots', 'position 12', 'lots'],
    ['freight(EQ)0.123456789', 'position 12', 'digits'],
    ['estimatedVoyageStartDate(GT)2026-02-30', 'position 29', 'date'],
    ['isTc(EQ)yes', 'position 9', 'yes'],
    ['voyageStatus(EQ)XXX', 'position 17', 'XXX'],
    ['referenceNo(LIKE)1%', 'position 13', 'LIKE'],
    ['referenceNo(BETWEEN)(1)', 'position 21', 'two values'],
    ['referenceNo(IN)1', 'position 16', 'parentheses'],
    ['comments(NULL)x', 'position 15', 'no value'],
    ['comments(EQ)"open', 'position 13', 'closing quote'],
    ['key(EQ)0', 'position 8', 'not a key'],
  ])(
    'a bad path, operator or value is a 400 that quotes the filter and points at the place: %s',
    async (filter, place, reason) => {
      const answer = await service.get(`/ws/rest/Voyage?${query([filter])}`);
      expect(answer.status).toBe(400);
      expect(answer.body.message).toContain(filter);
      expect(answer.body.message).toContain(`at ${place}:`);
      expect(answer.body.message).toContain(reason);
    },
  );

  test('a filter with an error never returns the whole list', async () => {
    for (const filter of ['', '()', 'filter', '(EQ)1', 'key(EQ)', '\u0000(EQ)1'])
      expect((await service.get(`/ws/rest/Vessel?${query([filter])}`)).status).toBe(400);
  });

  test('an unknown query parameter is a 400, never ignored', async () => {
    expect((await service.get('/ws/rest/Vessel?fliter=key(EQ)1')).status).toBe(400);
    expect((await service.get('/ws/rest/Vessel/1?filter=key(EQ)1')).status).toBe(400);
  });
});
