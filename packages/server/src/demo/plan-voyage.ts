// Plans a voyage and its cargo from a trade: when the ship is where, what it carries, and what it earns. Pure.

import { between, pick, type Random, roundTo, sum } from './chance.ts';
import { dayMs, hourMs, toWire } from './dates.ts';
import { agents, type Trade, trades } from './fleet.ts';
import type { PortEvent, Voyage } from './fleet-state.ts';

/** The events of each call, in order. */
export const portEvents: readonly PortEvent[] = ['ARR', 'BRT', 'DEP'];

/**
 * The body of a new voyage, without its vessel and status. The figures of its estimate add up. The last of the logged
 * events has happened shortly before `nowMs`. Without any, the voyage starts in a few days.
 */
export function planVoyage(trade: Trade, nowMs: number, eventsLogged: number, random: Random) {
  const { ballastPort, calls, quantity, freightRate } = trade;
  const legs = planLegs(trade, random);
  const startMs = nowMs + startAfter(legs, eventsLogged, random);
  const daysAtSea = sum(legs.map((leg) => leg.daysAtSea));
  const firstLoading = calls.findIndex((call) => call.reasonForCall === 'L');
  const grossFreight = roundTo(quantity * freightRate, 0.01);
  const commission = roundTo(grossFreight * 0.0375, 0.01);
  const foPrice = between(random, 540, 620, 0.5);
  const foConsumption = roundTo(daysAtSea * between(random, 22, 34, 0.5), 0.1);
  return {
    estimatedVoyageStartDate: toWire(startMs),
    isTc: false,
    ballastPort,
    daysTotal: roundTo(daysAtSea + daysInPort(trade, 'LDBC'), 0.01),
    daysLoading: daysInPort(trade, 'L'),
    daysDischarging: daysInPort(trade, 'D'),
    daysWaiting: between(random, 0, 2, 0.25),
    milesBallast: sum(calls.slice(0, firstLoading + 1).map((call) => call.miles)),
    milesLoaded: sum(calls.slice(firstLoading + 1).map((call) => call.miles)),
    grossFreight,
    commission,
    freight: roundTo(grossFreight - commission, 0.01),
    foPrice,
    foConsumption,
    foCost: roundTo(foPrice * foConsumption, 0.01),
    portCalls: legs.map((leg, index) => planCall(leg, startMs, eventsLogged - index * portEvents.length, random)),
  };
}

type Leg = ReturnType<typeof planLegs>[number];

/** Each call, with the passage to it and the time of each of its events since the start of the voyage. */
function planLegs({ calls }: Trade, random: Random) {
  let departure = 0;
  return calls.map(({ port, reasonForCall, miles, daysInPort }) => {
    const speed = between(random, 11.5, 13.5, 0.1);
    const daysAtSea = roundTo(miles / speed / 24, 0.01);
    const arrival = departure + daysAtSea * dayMs;
    const berthing = arrival + between(random, 1, 9) * hourMs;
    departure = berthing + daysInPort * dayMs;
    return { port, reasonForCall, miles, speed, daysAtSea, eventsMs: [arrival, berthing, departure] };
  });
}

function startAfter(legs: readonly Leg[], eventsLogged: number, random: Random): number {
  const events = legs.flatMap((leg) => leg.eventsMs);
  const last = events[eventsLogged - 1];
  if (last === undefined) return between(random, 0.5, 6, 0.25) * dayMs;
  const next = events[eventsLogged] ?? last + 10 * dayMs;
  return -last - Math.min((next - last) / 2, between(random, 2, 30) * hourMs);
}

function planCall({ eventsMs, miles, ...leg }: Leg, startMs: number, eventsLogged: number, random: Random) {
  const dates = eventsMs.map((timeMs) => toWire(startMs + timeMs));
  const logged = portEvents.slice(0, Math.max(eventsLogged, 0));
  return {
    ...leg,
    distanceActual: miles,
    eta: dates[0],
    etb: dates[1],
    etd: dates[2],
    arrivalFixed: logged.includes('ARR'),
    departureFixed: logged.includes('DEP'),
    agent: pick(random, agents),
    currency: 'USD',
    eventLogs: logged.map((event, index) => ({ event, eventLogDate: dates[index], isDateFixed: true })),
  };
}

/** The trade that a voyage was planned from. Undefined if a person has changed its ports. */
export function tradeOf({ vessel, portCalls }: Voyage): Trade | undefined {
  const ports = portCalls.map((call) => call.port.unLoCode).join();
  const hers = trades.filter((trade) => trade.imoNumber === vessel?.imoNumber);
  return hers.find((trade) => trade.calls.map((call) => call.port).join() === ports);
}

export function planCargo(
  trade: Trade,
  voyage: { key: number; portCalls: { key: number }[] },
  nowMs: number,
  random: Random,
) {
  const { imoNumber, ballastPort, calls, ...goods } = trade;
  const cargoPorts = calls.flatMap(({ port, reasonForCall }, index) => {
    if (!'LD'.includes(reasonForCall)) return [];
    const share = goods.quantity / calls.filter((call) => call.reasonForCall === reasonForCall).length;
    return [{ port, portCall: voyage.portCalls[index]?.key, reasonForCall, quantity: roundTo(share, 0.01) }];
  });
  return {
    ...goods,
    externalObjectKey: `demo-cargo-${voyage.key}`,
    voyage: voyage.key,
    cargoReference: `CP-${between(random, 10_000, 99_999)}`,
    cargoType: pick(random, ['SPOT', 'COA']),
    cpDate: toWire(nowMs - between(random, 1, 20) * dayMs),
    freightCurrency: 'USD',
    isOption: false,
    cargoPorts,
  };
}

function daysInPort({ calls }: Trade, reasons: string): number {
  return roundTo(sum(calls.map((call) => (reasons.includes(call.reasonForCall) ? call.daysInPort : 0))), 0.01);
}
