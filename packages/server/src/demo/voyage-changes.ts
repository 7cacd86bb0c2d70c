// Demo changes to voyages: they are opened, nominated, sailed, finished and closed, and their estimates follow the
// price of fuel.

import { commodities } from '../reference-data/commodities.ts';
import { ports } from '../reference-data/ports.ts';
import { between, pick, roundTo } from './chance.ts';
import { dryTrades } from './dry-trades.ts';
import {
  openVoyages,
  ourVessels,
  type VesselView,
  type VoyageStatus,
  type VoyageView,
  wireDate,
} from './fleet-view.ts';
import { dayMs, planCargo, planLegs, planVoyage, portEvents } from './plan-voyage.ts';
import type { ServiceClient } from './service-client.ts';
import { tankerTrades } from './tanker-trades.ts';
import { tell } from './tell.ts';
import type { Trade } from './trade.ts';
import { amount } from './wording.ts';
import type { Change, World } from './world.ts';

export const advanceVoyage: Change = async ({ client, random }) => {
  const voyages = await openVoyages(client);
  const ready = voyages.flatMap((voyage) => {
    const next = nextStatus(voyage, voyages);
    return next ? [{ voyage, next }] : [];
  });
  const chosen = pick(random, ready);
  if (chosen === undefined) return undefined;
  const { voyage, next } = chosen;
  const line = `Voyage ${voyage.referenceNo} ${voyage.vessel?.vesselName}: ${voyage.voyageStatus} → ${next}`;
  return tell(line, await client.change('Voyage', voyage.key, { voyageStatus: next }));
};

function nextStatus(voyage: VoyageView, all: readonly VoyageView[]): VoyageStatus | undefined {
  switch (voyage.voyageStatus) {
    case 'EST':
      return 'NOM';
    case 'NOM':
      return isVesselFree(voyage, all) ? 'OPR' : undefined;
    case 'OPR':
      return voyage.portCalls.every(({ eventLogs }) => eventLogs.length >= portEvents.length) ? 'FIN' : undefined;
    case 'FIN':
      return 'CLO';
    case 'CLO':
      return undefined;
  }
}

/** A ship sails one voyage at a time, the oldest first. */
function isVesselFree(voyage: VoyageView, all: readonly VoyageView[]): boolean {
  const isInTheWay = (other: VoyageView) =>
    other.vessel?.key === voyage.vessel?.key &&
    other.key !== voyage.key &&
    (other.voyageStatus === 'OPR' || (other.voyageStatus !== 'FIN' && other.key < voyage.key));
  return !all.some(isInTheWay);
}

export const reviseFuelPrice: Change = async ({ client, random }) => {
  const voyages = (await openVoyages(client)).filter(({ voyageStatus }) => voyageStatus !== 'FIN');
  const voyage = pick(random, voyages);
  if (!voyage) return undefined;
  const before = voyage.foPrice ?? 580;
  const foPrice = Math.max(roundTo(before + between(random, -9.5, 10, 0.5), 0.01), 300);
  if (foPrice === before) return undefined;
  const foCost = roundTo(foPrice * (voyage.foConsumption ?? 0), 0.01);
  const line = `Voyage ${voyage.referenceNo} ${voyage.vessel?.vesselName}: fuel ${amount(before)} → ${amount(foPrice)} USD/t`;
  return tell(line, await client.change('Voyage', voyage.key, { foPrice, foCost }));
};

/** Opens a voyage for a vessel that has no open voyage. */
export const openVoyage: Change = async (world) => {
  const { client, random } = world;
  const busy = new Set((await openVoyages(client)).map(({ vessel }) => vessel?.key));
  const vessel = pick(
    random,
    (await ourVessels(client)).filter(({ key }) => !busy.has(key)),
  );
  if (!vessel) return undefined;
  const last = await lastVoyage(client, vessel);
  const trade = pick(random, tradesFrom(vessel, last?.portCalls.at(-1)?.port.unLoCode));
  if (!trade) return undefined;
  const legs = planLegs(trade, random);
  const voyage = planVoyage(trade, legs, { start: startAfter(world, last), eventsLogged: 0 }, random);
  // The key names the preceding voyage, so that opening the same voyage twice concurrently is detected.
  const externalObjectKey = `demo-voyage-${last ? `after-${last.key}` : `of-${vessel.key}`}`;
  const body = { externalObjectKey, vessel: vessel.key, voyageStatus: 'EST', ...voyage };
  const answer = await client.create<NewVoyage>('Voyage', body);
  if (answer.kind === 'refused') return `Voyage of ${vessel.vesselName} could not be opened: ${answer.reason}`;
  const line = `Voyage ${answer.object.referenceNo} ${vessel.vesselName}: opened, ${describe(trade)}`;
  return tell(line, await bookCargo(world, trade, answer.object));
};

/** The trades that start where the vessel is, or all trades of the vessel if none does. */
function tradesFrom({ imoNumber }: VesselView, port: string | undefined): Trade[] {
  const hers = [...dryTrades, ...tankerTrades].filter((trade) => trade.imoNumber === imoNumber);
  const near = hers.filter((trade) => trade.ballastPort === port);
  return near.length > 0 ? near : hers;
}

interface NewVoyage {
  key: number;
  referenceNo: number;
  portCalls: { key: number }[];
}

interface LastVoyage {
  key: number;
  portCalls: { etd: string | null; port: { unLoCode: string } }[];
}

async function lastVoyage(client: ServiceClient, vessel: VesselView): Promise<LastVoyage | undefined> {
  const fields = { portCalls: { etd: '*', port: { unLoCode: '*' } } };
  const query = { filter: [`vessel.key(EQ)${vessel.key}`], sort: 'key(DS)', limit: 1, fields };
  return (await client.list<LastVoyage>('Voyage', query))[0];
}

function startAfter({ clock, random }: World, last: LastVoyage | undefined): Date {
  const nowMs = clock.now().getTime();
  const endsMs = (last?.portCalls ?? []).map(({ etd }) => (etd ? wireDate(etd).getTime() : nowMs));
  const endMs = Math.max(nowMs, ...endsMs);
  // A vessel whose voyages are far ahead of the calendar starts again from today.
  const fromMs = endMs > nowMs + 60 * dayMs ? nowMs : endMs;
  return new Date(fromMs + between(random, 0.5, 2, 0.25) * dayMs);
}

function bookCargo({ client, clock, random }: World, trade: Trade, voyage: NewVoyage) {
  const portCallOf = (call: Trade['calls'][number]) => voyage.portCalls[trade.calls.indexOf(call)]?.key;
  return client.create('Cargo', planCargo(trade, voyage.key, portCallOf, clock.now(), random));
}

function describe({ commodity, quantity, cargoMeasurement, calls }: Trade): string {
  const goods = commodities.find(({ commodityCode }) => commodityCode === commodity)?.commodityName ?? commodity;
  const nameOf = (code = '') => ports.find(({ unLoCode }) => unLoCode === code)?.portName ?? code;
  const from = calls.find(({ reasonForCall }) => reasonForCall === 'L')?.port;
  return `${amount(quantity)} ${cargoMeasurement} ${goods} from ${nameOf(from)} to ${nameOf(calls.at(-1)?.port)}`;
}
