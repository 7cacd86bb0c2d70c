import { expect, test } from 'vitest';
import type { Random } from '../../src/demo/chance.ts';
import { firstVoyages, partners, trades, vessels } from '../../src/demo/fleet.ts';
import { planCargo, planVoyage } from '../../src/demo/plan-voyage.ts';
import { bunkerTypes } from '../../src/reference-data/bunker-types.ts';
import { commodities } from '../../src/reference-data/commodities.ts';
import { ports } from '../../src/reference-data/ports.ts';
import { seededRandom } from './seeded-random.ts';

const nowMs = Date.parse('2026-11-14T06:00:00Z');

test('every trade and voyage is read whole', () => {
  const texts = trades.flatMap(({ quantity, freightRate, calls, ...trade }) => [
    ...Object.values(trade),
    ...calls.flatMap(({ port, reasonForCall }) => [port, reasonForCall]),
  ]);
  const numbers = trades.flatMap(({ quantity, freightRate, calls }) => [
    quantity,
    freightRate,
    ...calls.flatMap(({ miles, daysInPort }) => [miles, daysInPort]),
  ]);
  expect(texts.filter((text) => text === '')).toEqual([]);
  expect(numbers.filter((number) => !(number > 0))).toEqual([]);
  expect(firstVoyages.filter(({ trade }) => trade === undefined)).toEqual([]);
});

test('every IMO number of the fleet has a right check digit, and no two are the same', () => {
  for (const { imoNumber } of vessels) {
    const digits = [...imoNumber].map(Number);
    const sum = digits.slice(0, 6).reduce((total, digit, index) => total + digit * (7 - index), 0);
    expect(imoNumber).toMatch(/^\d{7}$/);
    expect(sum % 10, imoNumber).toBe(digits[6]);
  }
  expect(new Set(vessels.map((vessel) => vessel.imoNumber)).size).toBe(vessels.length);
});

test('vessels and partners fit their columns', () => {
  for (const { vesselName, callSignal } of vessels) {
    expect(vesselName.length).toBeLessThanOrEqual(40);
    expect(callSignal.length).toBeLessThanOrEqual(7);
  }
  for (const { businessPartnerCode } of partners) expect(businessPartnerCode.length).toBeLessThanOrEqual(32);
});

test('partners of every type are there', () => {
  const types = new Set(partners.map((partner) => partner.businessPartnerType));
  expect([...types].sort()).toEqual(['AGT', 'BRK', 'CHR', 'CMP', 'OTH', 'OWN', 'SUP']);
});

test('trades use only ports, goods and partners that exist, and every vessel has at least two', () => {
  const known = new Set([
    ...ports.map((port) => port.unLoCode),
    ...commodities.map((commodity) => commodity.commodityCode),
    ...partners.map((partner) => partner.businessPartnerCode),
  ]);
  const named = trades.flatMap(({ commodity, charterer, ballastPort, calls }) => [
    commodity,
    charterer,
    ballastPort,
    ...calls.map((call) => call.port),
  ]);
  expect(named.filter((code) => !known.has(code))).toEqual([]);
  expect(bunkerTypes.map((type) => type.bunkerTypeCode)).toEqual(expect.arrayContaining(['VLSFO', 'LSMGO']));
  for (const { imoNumber } of vessels) {
    expect(trades.filter((trade) => trade.imoNumber === imoNumber).length).toBeGreaterThanOrEqual(2);
  }
});

test('a trade has three to six calls, canals are passed as canals, and it loads before it discharges', () => {
  for (const { calls } of trades) {
    expect(calls.length).toBeGreaterThanOrEqual(3);
    expect(calls.length).toBeLessThanOrEqual(6);
    const reasons = calls.map((call) => call.reasonForCall);
    expect(reasons.lastIndexOf('L')).toBeLessThan(reasons.indexOf('D'));
    expect(reasons.indexOf('L')).toBeGreaterThanOrEqual(0);
    for (const call of calls) {
      const port = ports.find(({ unLoCode }) => unLoCode === call.port);
      expect(port?.isCanal, call.port).toBe(call.reasonForCall === 'C');
    }
  }
});

test('wherever a voyage ends, another of the same ship starts', () => {
  for (const { imoNumber, calls } of trades) {
    const end = calls.at(-1)?.port;
    expect(
      trades.some((next) => next.imoNumber === imoNumber && next.ballastPort === end),
      `${imoNumber} ${end}`,
    ).toBe(true);
  }
});

test('no cargo is heavier than the ship can carry', () => {
  for (const { imoNumber, quantity, cargoMeasurement } of trades) {
    const vessel = vessels.find((one) => one.imoNumber === imoNumber);
    if (cargoMeasurement === 'MT') expect(quantity).toBeLessThan(vessel?.dwtSummer ?? 0);
  }
});

test('the first voyages are in all stages but closed, and what is logged at them has happened', () => {
  expect(new Set(firstVoyages.map((first) => first.voyageStatus))).toEqual(new Set(['EST', 'NOM', 'OPR', 'FIN']));
  for (const first of firstVoyages) {
    const { portCalls } = planVoyage(first.trade, nowMs, first.eventsLogged, seededRandom(7));
    const logged = portCalls.flatMap((call) => call.eventLogs.map((log) => `${log.eventLogDate}Z`));
    expect(logged).toHaveLength(first.eventsLogged);
    for (const date of logged) expect(new Date(date).getTime()).toBeLessThanOrEqual(nowMs);
    const ahead = portCalls.find((call) => call.eventLogs.length === 0);
    if (ahead) expect(new Date(`${ahead.eta}Z`).getTime()).toBeGreaterThan(nowMs);
  }
});

test('a ship is never in two places at once', () => {
  for (const trade of trades) {
    const { portCalls } = planVoyage(trade, nowMs, 0, seededRandom(11));
    const times = portCalls.flatMap(({ eta, etb, etd }) => [eta, etb, etd]);
    expect(times).toEqual([...times].sort());
    expect(new Set(times).size).toBe(times.length);
  }
});

test('no amount has more than eight digits after the point', () => {
  const numbers: number[] = [];
  for (const trade of trades) {
    const random = seededRandom(13);
    const voyage = planVoyage(trade, nowMs, 0, random);
    const cargo = planCargo(trade, { key: 1, portCalls: [] }, nowMs, random);
    JSON.stringify([voyage, cargo], (_key, value) => {
      if (typeof value === 'number') numbers.push(value);
      return value;
    });
  }
  expect(numbers.filter((number) => !/^\d+(\.\d{1,8})?$/.test(String(number)))).toEqual([]);
});

test('what a cargo loads it discharges', () => {
  for (const trade of trades) {
    const { cargoPorts } = planCargo(trade, { key: 1, portCalls: [] }, nowMs, seededRandom(17));
    const total = (reason: string) =>
      cargoPorts.filter((port) => port.reasonForCall === reason).reduce((sum, port) => sum + port.quantity, 0);
    expect(total('L')).toBeCloseTo(trade.quantity, 1);
    expect(total('D')).toBeCloseTo(trade.quantity, 1);
  }
});

test('the same dice plan the same voyage', () => {
  const plan = (random: Random) => trades.map((trade) => planVoyage(trade, nowMs, 0, random));
  expect(plan(seededRandom(3))).toEqual(plan(seededRandom(3)));
  expect(plan(seededRandom(3))).not.toEqual(plan(seededRandom(4)));
});
