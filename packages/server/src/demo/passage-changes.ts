// Demo changes to a ship on passage: its arrival slips, and it arrives, berths and sails. The demo runs faster than
// real ships: each event is logged at its estimated time, whatever the date.

import { renderDateTime } from '../clock.ts';
import { between, pick } from './chance.ts';
import { openVoyages, type PortCallView, type VoyageView, wireDate } from './fleet-view.ts';
import { hourMs, type PortEvent, portEvents, toSixMinutes } from './plan-voyage.ts';
import { tell } from './tell.ts';
import { shortDate } from './wording.ts';
import type { Change } from './world.ts';

export const reviseEta: Change = async ({ client, random }) => {
  const voyages = (await openVoyages(client)).filter(({ voyageStatus }) => voyageStatus !== 'FIN');
  const chosen = pick(random, voyages.flatMap(possibleDelays));
  if (!chosen) return undefined;
  const { call, delayMs } = chosen;
  const eta = delayed(call.eta, delayMs);
  const line = `PortCall ${call.key} ${call.port.portName}: ETA ${say(call.eta)} → ${say(eta)}`;
  const body = { eta, etb: delayed(call.etb, delayMs), etd: delayed(call.etd, delayMs) };
  return tell(line, await client.change('PortCall', call.key, body));
};

/** Ships are late more often than early. */
const delaysHours = [-6, -3.5, -2, 1.5, 2, 3, 4.5, 5.5, 8, 12, 16];

/** The possible delays of the calls ahead. Each fits between the call before and the call after. */
function possibleDelays({ portCalls }: VoyageView) {
  const firstAhead = portCalls.findLastIndex(({ eventLogs }) => eventLogs.length > 0) + 1;
  return portCalls.flatMap((call, index) => {
    const { eta, etd } = call;
    if (index < firstAhead || !eta || !etd) return [];
    const earliest = timeOf(portCalls[index - 1]?.etd) ?? Number.NEGATIVE_INFINITY;
    const latest = timeOf(portCalls[index + 1]?.eta) ?? Number.POSITIVE_INFINITY;
    const delaysMs = delaysHours.map((hours) => hours * hourMs);
    const possible = delaysMs.filter((delayMs) => timeOf(eta) + delayMs > earliest && timeOf(etd) + delayMs < latest);
    return possible.map((delayMs) => ({ call: { ...call, eta }, delayMs }));
  });
}

export const logPortEvent: Change = async ({ client, random }) => {
  const sailing = (await openVoyages(client)).filter(({ voyageStatus }) => voyageStatus === 'OPR');
  const [next] = sailing.flatMap(nextEvent).sort((a, b) => a.estimateMs - b.estimateMs);
  if (next === undefined) return undefined;
  const { call, event, estimateMs } = next;
  const at = toSixMinutes(Math.max(estimateMs + between(random, -2, 4, 0.1) * hourMs, next.earliestMs + hourMs / 2));
  const line = `PortCall ${call.key} ${call.port.portName}: ${next.vesselName} ${verbOf(call, event)} ${shortDate(at)}`;
  const body = loggedEvent(call, event, at, at.getTime() - estimateMs);
  return tell(line, await client.change('PortCall', call.key, body));
};

function verbOf({ reasonForCall }: PortCallView, event: PortEvent): string {
  return (reasonForCall === 'C' ? canalVerbs : verbs)[event];
}

const verbs = { ARR: 'arrived', BRT: 'berthed', DEP: 'sailed' };
const canalVerbs = { ARR: 'arrived', BRT: 'entered the canal', DEP: 'left the canal' };

const estimates = { ARR: 'eta', BRT: 'etb', DEP: 'etd' } as const;

interface NextEvent {
  call: PortCallView;
  event: PortEvent;
  vesselName: string;
  estimateMs: number;
  /** When the previous event was logged. */
  earliestMs: number;
}

function nextEvent({ portCalls, vessel }: VoyageView): NextEvent[] {
  const call = portCalls.find(({ eventLogs }) => missingEvent(eventLogs) !== undefined);
  const event = call && missingEvent(call.eventLogs);
  const estimate = call && event && call[estimates[event]];
  if (!call || !event || !estimate || !vessel) return [];
  const loggedMs = portCalls.flatMap(({ eventLogs }) =>
    eventLogs.flatMap(({ eventLogDate }) => (eventLogDate ? [wireDate(eventLogDate).getTime()] : [])),
  );
  const estimateMs = wireDate(estimate).getTime();
  return [{ call, event, vesselName: vessel.vesselName, estimateMs, earliestMs: Math.max(0, ...loggedMs) }];
}

function missingEvent(logs: PortCallView['eventLogs']): PortEvent | undefined {
  return portEvents.find((event) => !logs.some((log) => log.event === event));
}

/** The logged event, and new estimates for the events after it at the same call. */
function loggedEvent({ eventLogs, etb, etd }: PortCallView, event: PortEvent, at: Date, delayMs: number) {
  const date = renderDateTime(at);
  const logs = [...eventLogs.map(({ key }) => ({ key })), { event, eventLogDate: date, isDateFixed: true }];
  switch (event) {
    case 'ARR':
      return { eta: date, arrivalFixed: true, etb: delayed(etb, delayMs), etd: delayed(etd, delayMs), eventLogs: logs };
    case 'BRT':
      return { etb: date, etd: delayed(etd, delayMs), eventLogs: logs };
    case 'DEP':
      return { etd: date, departureFixed: true, eventLogs: logs };
  }
}

function timeOf<T extends string | null | undefined>(date: T): T extends string ? number : number | undefined;
function timeOf(date: string | null | undefined): number | undefined {
  return date ? wireDate(date).getTime() : undefined;
}

function delayed<T extends string | null>(date: T, delayMs: number): T | string {
  return date === null ? date : renderDateTime(new Date(wireDate(date).getTime() + delayMs));
}

function say(date: string): string {
  return shortDate(wireDate(date));
}
