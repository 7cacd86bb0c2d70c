// The voyages that the demo starts with, in all stages. Their dates are chosen so that the logged events have just
// happened and the next ones are near.

import { between, type Random } from './chance.ts';
import { dryTrades } from './dry-trades.ts';
import type { BunkerOrderStatus, VoyageStatus } from './fleet-view.ts';
import { dayMs, hourMs, type Leg, planLegs, planVoyage } from './plan-voyage.ts';
import { tankerTrades } from './tanker-trades.ts';
import type { Trade } from './trade.ts';

export interface FirstVoyage {
  externalObjectKey: string;
  imoNumber: string;
  trade: Trade;
  voyageStatus: VoyageStatus;
  /** See `Progress`. */
  eventsLogged: number;
  bunkers?: BunkerOrderStatus;
}

export const firstVoyages: FirstVoyage[] = [
  firstVoyage(1, '9741839', 'IRONORE', 'OPR', 3, 'DLV'),
  firstVoyage(2, '9852262', 'SOYBEANS', 'OPR', 5, 'INV'),
  firstVoyage(3, '9629079', 'WHEAT', 'NOM', 0, 'PLN'),
  firstVoyage(4, '9436185', 'COALCOKING', 'OPR', 10),
  firstVoyage(5, '9901544', 'GASOLINE', 'FIN', 9),
  firstVoyage(6, '9783411', 'NAPHTHA', 'OPR', 6, 'ORD'),
  firstVoyage(7, '9682904', 'WOODPELLETS', 'EST', 0),
  firstVoyage(8, '9364722', 'CAUSTICSODA', 'CLO', 15, 'INV'),
  firstVoyage(9, '9364722', 'PALMOIL', 'NOM', 0, 'REQ'),
  firstVoyage(10, '9436185', 'CORN', 'EST', 0),
];

function firstVoyage(
  number: number,
  imoNumber: string,
  commodity: string,
  voyageStatus: VoyageStatus,
  eventsLogged: number,
  bunkers?: BunkerOrderStatus,
): FirstVoyage {
  const trade = [...dryTrades, ...tankerTrades].find(
    (one) => one.commodity === commodity && one.imoNumber === imoNumber,
  );
  if (trade === undefined) throw new RangeError(`Vessel ${imoNumber} carries no ${commodity}.`);
  const externalObjectKey = `demo-voyage-${number}`;
  return { externalObjectKey, imoNumber, trade, voyageStatus, eventsLogged, ...(bunkers && { bunkers }) };
}

export function planFirstVoyage(first: FirstVoyage, vessel: number | null, now: Date, random: Random) {
  const { externalObjectKey, trade, voyageStatus, eventsLogged } = first;
  const legs = planLegs(trade, random);
  const start = startOf(legs, eventsLogged, now, random);
  return { externalObjectKey, vessel, voyageStatus, ...planVoyage(trade, legs, { start, eventsLogged }, random) };
}

function startOf(legs: readonly Leg[], eventsLogged: number, now: Date, random: Random): Date {
  const events = legs.flatMap((leg) => leg.eventsMs);
  const last = events[eventsLogged - 1];
  if (last === undefined) return new Date(now.getTime() + between(random, 1, 6) * dayMs);
  const next = events[eventsLogged] ?? last + 10 * dayMs;
  return new Date(now.getTime() - last - Math.min((next - last) / 2, between(random, 2, 30) * hourMs));
}
