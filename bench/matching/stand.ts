// A database with a worker of its own, measured round by round: how fast the worker matches given changes, and how much
// processor time that takes.

import type { Ledger } from '../harness/ledger.ts';
import { startMeter } from '../harness/process-usage.ts';
import { selectBackendPids } from '../rest/fleet-table.ts';
import { type Found, forgetNotifications, selectFound, selectLastEventId } from './matching-table.ts';
import { countMatched, rateOf, type Worker, watchProgress } from './worker.ts';

export interface Stand {
  name: string;
  worker: Worker;
  /** Of every change. */
  notificationsPerEvent: number;
  expectedEvents: number;
  /** Round by round. */
  found: Found[];
}

export interface MatchingRound {
  eventsPerSecond: number;
  /** Per event, of the worker and of its PostgreSQL processes; unknown if the system does not report it. */
  workerUs: number;
  databaseUs: number;
}

export type Cost = (round: MatchingRound) => number;

export const timeUs: Cost = ({ eventsPerSecond }) => 1_000_000 / eventsPerSecond;

export const processorUs: Cost = ({ workerUs, databaseUs }) => workerUs + databaseUs;

export interface Changes {
  events: number;
  /** Prepares the changes without letting the worker match them. Returns a function that does let it. */
  prepare(databaseUrl: string): Promise<() => Promise<void>>;
}

export function standOf(name: string, worker: Worker, notificationsPerEvent: number): Stand {
  return { name, worker, notificationsPerEvent, expectedEvents: 0, found: [] };
}

export async function measureRound(stand: Stand, { events, prepare }: Changes): Promise<MatchingRound> {
  const { worker } = stand;
  const { databaseUrl, origin, program } = worker;
  await forgetNotifications(databaseUrl);
  const lastEventId = await selectLastEventId(databaseUrl);
  const matchedBefore = await countMatched(origin);
  const release = await prepare(databaseUrl);
  const used = await startMeter([program.pid]);
  const usedByDatabase = await startMeter(await selectBackendPids(databaseUrl));
  const [samples] = await Promise.all([watchProgress(worker, matchedBefore + events), release()]);
  const [workerMs, databaseMs] = [await used(), await usedByDatabase()];
  stand.found.push(await selectFound(databaseUrl, lastEventId));
  stand.expectedEvents += events;
  return {
    eventsPerSecond: rateOf(samples),
    workerUs: (workerMs * 1000) / events,
    databaseUs: (databaseMs * 1000) / events,
  };
}

/** Over all rounds, including the untimed one. */
export function keepBooks(ledger: Ledger, { name, found, expectedEvents, notificationsPerEvent }: Stand): void {
  const sum = (what: keyof Found) => found.reduce((total, round) => total + Number(round[what]), 0);
  ledger.expect(
    `${name}: events; notifications`,
    `${expectedEvents}; ${expectedEvents * notificationsPerEvent}`,
    `${sum('events')}; ${sum('notifications')}`,
  );
  ledger.expect(
    `${name}: unmatched, missing, uncalled for, double`,
    '0, 0, 0, 0',
    [sum('unmatched'), sum('missing'), sum('uncalledFor'), sum('double')].join(', '),
  );
}
