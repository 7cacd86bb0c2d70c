// Plans a voyage from a trade: when the ship is where, what it carries, and what it earns. Pure; `ensure-fleet.ts` and
// `voyage-changes.ts` send the result.

import { renderDateTime } from '../clock.ts';
import { between, pick, type Random, roundTo } from './chance.ts';
import { agents } from './fleet.ts';
import type { Trade, TradeCall } from './trade.ts';

export type PortEvent = 'ARR' | 'BRT' | 'DEP';

/** The events of each call, in order. */
export const portEvents: readonly PortEvent[] = ['ARR', 'BRT', 'DEP'];

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/**
 * A call and the passage to it. `eventsMs` has the time of each of the `portEvents`, counted from the start of the
 * voyage.
 */
export interface Leg {
  call: TradeCall;
  speed: number;
  daysAtSea: number;
  eventsMs: number[];
}

export function planLegs(trade: Trade, random: Random): Leg[] {
  let at = 0;
  return trade.calls.map((call) => {
    const speed = between(random, 11.5, 13.5, 0.1);
    const daysAtSea = roundTo(call.miles / speed / 24, 0.01);
    const arrival = at + daysAtSea * dayMs;
    const berthing = arrival + between(random, 1, 9) * hourMs;
    const departure = berthing + call.daysInPort * dayMs;
    at = departure;
    return { call, speed, daysAtSea, eventsMs: [arrival, berthing, departure] };
  });
}

/** `eventsLogged` counts over all calls, three per call: 4 means "arrived at the second port". */
export interface Progress {
  start: Date;
  eventsLogged: number;
}

/** The body of a new voyage, without its vessel and status. The figures of its estimate add up. */
export function planVoyage(trade: Trade, legs: readonly Leg[], progress: Progress, random: Random) {
  const firstLoading = trade.calls.findIndex((call) => call.reasonForCall === 'L');
  const daysAtSea = sum(legs.map((leg) => leg.daysAtSea));
  const grossFreight = roundTo(trade.quantity * trade.freightRate, 0.01);
  const commission = roundTo(grossFreight * 0.0375, 0.01);
  const foPrice = between(random, 540, 620, 0.5);
  const foConsumption = roundTo(daysAtSea * between(random, 22, 34, 0.5), 0.1);
  return {
    estimatedVoyageStartDate: renderDateTime(toSixMinutes(progress.start.getTime())),
    isTc: false,
    ballastPort: trade.ballastPort,
    daysTotal: roundTo(daysAtSea + daysFor(trade, 'L', 'D', 'B', 'C'), 0.01),
    daysLoading: daysFor(trade, 'L'),
    daysDischarging: daysFor(trade, 'D'),
    daysWaiting: between(random, 0, 2, 0.25),
    milesBallast: sum(trade.calls.slice(0, firstLoading + 1).map((call) => call.miles)),
    milesLoaded: sum(trade.calls.slice(firstLoading + 1).map((call) => call.miles)),
    grossFreight,
    commission,
    freight: roundTo(grossFreight - commission, 0.01),
    foPrice,
    foConsumption,
    foCost: roundTo(foPrice * foConsumption, 0.01),
    portCalls: legs.map((leg, index) => planCall(leg, index, progress, random)),
  };
}

function planCall(leg: Leg, index: number, { start, eventsLogged }: Progress, random: Random) {
  const dates = leg.eventsMs.map((time) => renderDateTime(toSixMinutes(start.getTime() + time)));
  const done = Math.min(Math.max(eventsLogged - index * portEvents.length, 0), portEvents.length);
  return {
    port: leg.call.port,
    reasonForCall: leg.call.reasonForCall,
    portCallSequence: index + 1,
    eta: dates[0],
    etb: dates[1],
    etd: dates[2],
    arrivalFixed: done > 0,
    departureFixed: done === portEvents.length,
    speed: leg.speed,
    daysAtSea: leg.daysAtSea,
    distanceActual: leg.call.miles,
    agent: pick(random, agents),
    currency: 'USD',
    eventLogs: portEvents
      .slice(0, done)
      .map((event, which) => ({ event, eventLogDate: dates[which], isDateFixed: true })),
  };
}

/** Ships' logs record time in tenths of an hour. */
export function toSixMinutes(time: number): Date {
  return new Date(Math.round(time / (hourMs / 10)) * (hourMs / 10));
}

/** The body of the trade's cargo. `portCallOf` finds the key of the voyage's call. */
export function planCargo(
  trade: Trade,
  voyage: number,
  portCallOf: (call: TradeCall) => number | undefined,
  cpDate: Date,
  random: Random,
) {
  const cargoCalls = trade.calls.filter(({ reasonForCall }) => reasonForCall === 'L' || reasonForCall === 'D');
  return {
    externalObjectKey: `demo-cargo-${voyage}`,
    voyage,
    cargoReference: `CP-${between(random, 10_000, 99_999)}`,
    cargoType: pick(random, ['SPOT', 'COA']),
    cpDate: renderDateTime(toSixMinutes(cpDate.getTime())),
    quantity: trade.quantity,
    cargoMeasurement: trade.cargoMeasurement,
    freightRate: trade.freightRate,
    freightCurrency: 'USD',
    isOption: false,
    commodity: trade.commodity,
    charterer: trade.charterer,
    cargoPorts: cargoCalls.map((call) => ({
      port: call.port,
      portCall: portCallOf(call) ?? null,
      reasonForCall: call.reasonForCall,
      quantity: share(trade, call),
    })),
  };
}

function share(trade: Trade, { reasonForCall }: TradeCall): number {
  const calls = trade.calls.filter((call) => call.reasonForCall === reasonForCall).length;
  return roundTo(trade.quantity / calls, 0.01);
}

function daysFor(trade: Trade, ...reasons: TradeCall['reasonForCall'][]): number {
  const calls = trade.calls.filter((call) => reasons.includes(call.reasonForCall));
  return roundTo(sum(calls.map((call) => call.daysInPort)), 0.01);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
