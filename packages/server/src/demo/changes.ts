// The kinds of changes that the demo makes, as a table. The demo runs faster than real ships: what is due next happens
// now, whatever the date. Pure; `run-demo.ts` chooses a step and carries it out.

import { commodities } from '../reference-data/commodities.ts';
import { ports } from '../reference-data/ports.ts';
import { between, type Random, roundTo, sum } from './chance.ts';
import { dayMs, delayed, fromWire, hourMs, shortDate, toWire } from './dates.ts';
import { type Trade, trades } from './fleet.ts';
import type { FleetState, PortCall, Voyage, VoyageStatus } from './fleet-state.ts';
import { planBunkerOrder, planDisbursement, planFreightInvoice, planRemark } from './plan-paperwork.ts';
import { planCargo, planVoyage, portEvents, tradeOf } from './plan-voyage.ts';

/** An object to change, or to create if there is no key. `line` is printed after the resource and its number. */
export interface Step {
  resource: string;
  key?: number;
  body: object;
  line: string;
}

interface ChangeKind {
  /** How often this kind is tried first, relative to the others. */
  weight: number;
  /** What share of the steps that are possible in a new fleet is carried out at once. */
  atStart?: number;
  /** The steps of this kind that are possible now. */
  steps: (fleet: FleetState, random: Random, nowMs: number) => Step[];
}

export const changeKinds: ChangeKind[] = [
  { weight: 20, steps: reviseEta },
  { weight: 30, steps: logPortEvent },
  { weight: 14, steps: advanceVoyage },
  { weight: 14, steps: openVoyage },
  { weight: 20, atStart: 1, steps: bookCargo },
  { weight: 6, atStart: 0.3, steps: orderBunkers },
  { weight: 14, atStart: 0.7, steps: advanceBunkerOrder },
  { weight: 8, steps: adjustCargo },
  { weight: 8, steps: reviseFuelPrice },
  { weight: 8, atStart: 1, steps: writeInvoice },
  { weight: 6, atStart: 0.2, steps: advanceDocument },
  { weight: 3, atStart: 0.1, steps: writeRemark },
];

/** Ships are late more often than early. */
const delaysHours = [-6, -3.5, -2, 1.5, 2, 3, 4.5, 5.5, 8, 12, 16];

/** Moves a call ahead, as far as it stays between the call before and the call after. */
function reviseEta({ voyages }: FleetState): Step[] {
  return unfinished(voyages).flatMap(({ portCalls }) => {
    const firstAhead = portCalls.findLastIndex(({ eventLogs }) => eventLogs.length > 0) + 1;
    return portCalls.flatMap(({ key, port, eta, etb, etd }, index) => {
      if (index < firstAhead || !eta || !etb || !etd) return [];
      const [earliest, latest] = [portCalls[index - 1]?.etd ?? '', portCalls[index + 1]?.eta ?? '9'];
      return delaysHours.flatMap((hours) => {
        const later = (date: string) => delayed(date, hours * hourMs);
        const body = { eta: later(eta), etb: later(etb), etd: later(etd) };
        // Dates on the wire sort as text.
        if (body.eta <= earliest || body.etd >= latest) return [];
        const line = `${port.portName}: ETA ${shortDate(eta)} → ${shortDate(body.eta)}`;
        return [{ resource: 'PortCall', key, body, line }];
      });
    });
  });
}

const estimates = { ARR: 'eta', BRT: 'etb', DEP: 'etd' } as const;

/** What a ship does at a port, and at a canal. */
const verbs = { ARR: ['arrived', 'arrived'], BRT: ['berthed', 'entered the canal'], DEP: ['sailed', 'left the canal'] };

/** Logs the earliest event that is due, and estimates the later ones of its call anew. */
function logPortEvent({ voyages }: FleetState, random: Random): Step[] {
  const due = voyages.flatMap(({ voyageStatus, vessel, portCalls }) => {
    const call = portCalls.find(missingEvent);
    const event = call && missingEvent(call);
    const estimate = event && call[estimates[event]];
    return voyageStatus === 'OPR' && vessel && estimate ? [{ call, event, estimate, vessel, portCalls }] : [];
  });
  const [first] = due.sort((a, b) => fromWire(a.estimate) - fromWire(b.estimate));
  if (!first) return [];
  const { call, event, estimate, vessel, portCalls } = first;
  const loggedMs = portCalls.flatMap(({ eventLogs }) => eventLogs.map((log) => fromWire(log.eventLogDate) || 0));
  const estimateMs = fromWire(estimate) + between(random, -2, 4, 0.1) * hourMs;
  const date = toWire(Math.max(estimateMs, ...loggedMs.map((timeMs) => timeMs + hourMs / 2)));
  const later = (other: string | null) => other && delayed(other, fromWire(date) - fromWire(estimate));
  const dates = {
    ARR: { eta: date, arrivalFixed: true, etb: later(call.etb), etd: later(call.etd) },
    BRT: { etb: date, etd: later(call.etd) },
    DEP: { etd: date, departureFixed: true },
  }[event];
  const eventLogs = [...call.eventLogs.map(({ key }) => ({ key })), { event, eventLogDate: date, isDateFixed: true }];
  const verb = verbs[event][call.reasonForCall === 'C' ? 1 : 0];
  const line = `${call.port.portName}: ${vessel.vesselName} ${verb} ${shortDate(date)}`;
  return [{ resource: 'PortCall', key: call.key, body: { ...dates, eventLogs }, line }];
}

function missingEvent({ eventLogs }: PortCall) {
  return portEvents.find((event) => !eventLogs.some((log) => log.event === event));
}

/** A ship sails one voyage at a time, the oldest first, and closes it when it has the next one. */
function advanceVoyage({ voyages }: FleetState): Step[] {
  return voyages.flatMap((voyage) => {
    const { key, voyageStatus, vessel, cargos, portCalls } = voyage;
    const others = voyages.filter((other) => other.vessel?.key === vessel?.key && other.key !== key);
    const isFree = unfinished(others).every((other) => other.voyageStatus !== 'OPR' && other.key > key);
    const [next, isDue] = {
      EST: ['NOM', cargos.length > 0 || !tradeOf(voyage)],
      NOM: ['OPR', isFree],
      OPR: ['FIN', !portCalls.some(missingEvent)],
      FIN: ['CLO', others.some((other) => other.key > key)],
      CLO: ['CLO', false],
    }[voyageStatus];
    const line = `${vessel?.vesselName}: ${voyageStatus} → ${next}`;
    return isDue ? [{ resource: 'Voyage', key, body: { voyageStatus: next }, line }] : [];
  });
}

/** A vessel without work gets a trade that starts where its last voyage ended, or any of its own if there is none. */
function openVoyage({ vessels, voyages }: FleetState, random: Random, nowMs: number): Step[] {
  return vessels.flatMap(({ key: vessel, vesselName, imoNumber }) => {
    const hers = voyages.filter((voyage) => voyage.vessel?.key === vessel);
    if (unfinished(hers).length > 0) return [];
    const last = hers.at(-1)?.portCalls.at(-1);
    const lastMs = fromWire(last?.etd);
    // A vessel whose voyages are far ahead of the calendar starts again from today.
    const fromMs = lastMs > nowMs && lastMs < nowMs + 60 * dayMs ? lastMs : nowMs;
    const all = trades.filter((trade) => trade.imoNumber === imoNumber);
    const near = all.filter(({ ballastPort }) => ballastPort === last?.port.unLoCode);
    return (near.length > 0 ? near : all).map((trade) => {
      const mark = { externalObjectKey: `demo-voyage-of-${vessel}`, vessel, voyageStatus: 'EST' };
      const body = { ...mark, ...planVoyage(trade, fromMs, 0, random) };
      return { resource: 'Voyage', body, line: `${vesselName}: opened, ${describe(trade)}` };
    });
  });
}

function describe({ commodity, quantity, cargoMeasurement, calls }: Trade): string {
  const nameOf = (code = '') => ports.find(({ unLoCode }) => unLoCode === code)?.portName;
  const from = nameOf(calls.find(({ reasonForCall }) => reasonForCall === 'L')?.port);
  const goods = `${amount(quantity)} ${cargoMeasurement} ${nameOfCommodity(commodity)}`;
  return `${goods} from ${from} to ${nameOf(calls.at(-1)?.port)}`;
}

function nameOfCommodity(code: string): string | undefined {
  return commodities.find(({ commodityCode }) => commodityCode === code)?.commodityName;
}

function bookCargo({ voyages }: FleetState, random: Random, nowMs: number): Step[] {
  return voyages.flatMap((voyage) => {
    const trade = tradeOf(voyage);
    if (!trade || voyage.cargos.length > 0) return [];
    const line = `${nameOfCommodity(trade.commodity)}: booked for voyage ${voyage.referenceNo}`;
    return [{ resource: 'Cargo', body: planCargo(trade, voyage, nowMs, random), line }];
  });
}

/** Bunkers are delivered at the berth. */
function advanceBunkerOrder({ bunkerOrders }: FleetState, random: Random): Step[] {
  return bunkerOrders.flatMap(({ key, bunkerOrderStatus: status, portCall, bunkerOrderLines }) => {
    const isBerthed = portCall.eventLogs.some(({ event }) => event === 'BRT');
    const next = { PLN: random() < 0.1 ? 'CAN' : 'REQ', REQ: 'ORD', ORD: 'DLV', DLV: 'INV', INV: '', CAN: '' }[status];
    if (!next || (next === 'DLV' && !isBerthed)) return [];
    const step = { resource: 'BunkerOrder', key, line: `${portCall.port.portName}: ${status} → ${next}` };
    if (next !== 'DLV') return [{ ...step, body: { bunkerOrderStatus: next } }];
    const lines = bunkerOrderLines.map((line) => ({
      key: line.key,
      bunkeredQuantity: between(random, line.minQuantity, line.maxQuantity, 0.001),
    }));
    const tons = sum(lines.map(({ bunkeredQuantity }) => bunkeredQuantity));
    const body = { bunkerOrderStatus: next, bunkeredDate: portCall.etb, bunkerOrderLines: lines };
    return [{ ...step, body, line: `${step.line}, ${amount(tons)} t bunkered` }];
  });
}

/** At a call ahead that has no order yet. */
function orderBunkers({ voyages, bunkerOrders }: FleetState, random: Random): Step[] {
  const ordered = new Set(bunkerOrders.map(({ portCall }) => portCall.key));
  return unfinished(voyages).flatMap(({ vessel, portCalls }) => {
    const isOpen = (call: PortCall) =>
      !(call.eventLogs.length > 0 || call.reasonForCall === 'C' || ordered.has(call.key));
    return (vessel ? portCalls.filter(isOpen) : []).map(({ key, port }) => {
      const body = planBunkerOrder(key, vessel!.key, random);
      const { minQuantity, maxQuantity, bunkerType } = body.bunkerOrderLines[0]!;
      const fuel = `${amount(minQuantity)} to ${amount(maxQuantity)} t ${bunkerType}`;
      return { resource: 'BunkerOrder', body, line: `${port.portName}: ${fuel} planned for ${vessel!.vesselName}` };
    });
  });
}

function adjustCargo({ voyages }: FleetState, random: Random): Step[] {
  const cargos = unfinished(voyages).flatMap((voyage) => voyage.cargos);
  return cargos.flatMap(({ key, quantity: before, cargoMeasurement, commodity }) => {
    const quantity = roundTo((before ?? 0) * (1 + between(random, -0.012, 0.012, 0.0005)), 0.001);
    if (!before || quantity === before) return [];
    const line = `${commodity.commodityName}: quantity ${amount(before)} → ${amount(quantity)} ${cargoMeasurement}`;
    return [{ resource: 'Cargo', key, body: { quantity }, line }];
  });
}

function reviseFuelPrice({ voyages }: FleetState, random: Random): Step[] {
  return unfinished(voyages).flatMap(({ key, vessel, foPrice, foConsumption }) => {
    const before = foPrice ?? 580;
    const price = Math.max(roundTo(before + between(random, -9.5, 10, 0.5), 0.01), 300);
    const body = { foPrice: price, foCost: roundTo(price * (foConsumption ?? 0), 0.01) };
    const line = `${vessel?.vesselName}: fuel ${amount(before)} → ${amount(price)} USD/t`;
    return price === before ? [] : [{ resource: 'Voyage', key, body, line }];
  });
}

/** For each voyage, what the agent charges while it sails and the freight when it is finished. */
const invoices: Partial<Record<VoyageStatus, typeof planDisbursement>> = {
  OPR: planDisbursement,
  FIN: planFreightInvoice,
};

function writeInvoice({ voyages, documents }: FleetState, random: Random): Step[] {
  const written = new Set(documents.map(({ externalObjectKey }) => externalObjectKey));
  return voyages.flatMap((voyage) => {
    const body = invoices[voyage.voyageStatus]?.(voyage, random);
    if (!body || written.has(body.externalObjectKey)) return [];
    const line = `${body.documentNo}: ${amount(body.documentAmount)} USD, ${body.documentText}`;
    return [{ resource: 'Document', body, line }];
  });
}

function advanceDocument({ documents }: FleetState): Step[] {
  const open = documents.filter(({ invoicingStatus }) => invoicingStatus !== 'PST');
  return open.map(({ key, documentNo, invoicingStatus: status }) => {
    const next = status === 'PEN' ? 'RFP' : 'PST';
    return { resource: 'Document', key, body: { invoicingStatus: next }, line: `${documentNo}: ${status} → ${next}` };
  });
}

function writeRemark({ voyages }: FleetState, random: Random): Step[] {
  const calls = voyages.flatMap(({ portCalls }) => portCalls);
  return calls.map(({ key, port }) => {
    const body = planRemark(key, random);
    return { resource: 'Remarks', body, line: `on PortCall ${key} ${port.portName}: ${body.remarkTitle}` };
  });
}

function unfinished(voyages: readonly Voyage[]): Voyage[] {
  return voyages.filter(({ voyageStatus }) => voyageStatus !== 'FIN');
}

function amount(value: number): string {
  return value.toLocaleString('en-GB', { maximumFractionDigits: 2 });
}
