// One measurement: a closed loop of changes on an installation, until every receiver has every change.

import { awaitRecorded } from '../delivery/delivery-table.ts';
import type { Sink } from '../delivery/sink-process.ts';
import type { LoadDriver } from '../harness/drive-load.ts';
import { failureCount, type LoadPlan } from '../harness/load.ts';
import { startMeter } from '../harness/process-usage.ts';
import { type Contention, ContentionWatch } from './contention.ts';
import type { Installation } from './installation.ts';

/** What is varied. */
export interface Point {
  processes: number;
  connections: number;
  receivers: number;
}

/** Microseconds of processor time for a change with all its notifications. */
export interface ProcessorUs {
  api: number;
  worker: number;
  database: number;
  /** The load generator and the receivers, which share the machine. */
  bench: number;
}

export interface Measured {
  changes: number;
  failures: number;
  notifications: number;
  /** Until every receiver had every change. */
  changesPerSecond: number;
  /** The mean time from a request to its response. */
  responseMs: number;
  p99Ms: number;
  processorUs: ProcessorUs;
  /** Processor time over time: how many processors were busy. */
  busyProcessors: number;
  contention: Contention;
}

export interface PointRun {
  installation: Installation;
  databaseUrl: string;
  voyageKeys: readonly number[];
  driver: LoadDriver;
  sink: Sink;
}

const patienceMs = 120_000;

export async function measurePoint(
  { installation, databaseUrl, voyageKeys, driver, sink }: PointRun,
  { connections, receivers }: Point,
  durationMs: number,
): Promise<Measured> {
  const { origins, headers, apiPids, workerPids } = installation;
  await sink.begin();
  const watch = new ContentionWatch(databaseUrl);
  await watch.start();
  const meters = {
    api: await startMeter(apiPids),
    worker: await startMeter(workerPids),
    database: await startMeter(await watch.serverPids()),
    bench: await startMeter([driver.pid, sink.pid]),
  };
  const startedAt = performance.now();
  const load = await driver.generate({
    origins: [...origins],
    connections,
    expectedStatus: 200,
    durationMs,
    ...changesOf(voyageKeys, headers),
  });
  const notifications = await sink.wait(load.acknowledged * receivers, patienceMs);
  const tookMs = performance.now() - startedAt;
  // The outcomes of the last deliveries are recorded after they were received.
  await awaitRecorded(databaseUrl, patienceMs);
  const used = async (name: keyof typeof meters) => ((await meters[name]()) * 1000) / load.acknowledged;
  const processorUs = {
    api: await used('api'),
    worker: await used('worker'),
    database: await used('database'),
    bench: await used('bench'),
  };
  return {
    changes: load.acknowledged,
    failures: failureCount(load),
    notifications,
    changesPerSecond: (load.acknowledged * 1000) / tookMs,
    // Each connection always has one request in progress (Little's law).
    responseMs: (connections * durationMs) / load.completed,
    p99Ms: load.latencyMs.p99,
    processorUs,
    busyProcessors: (totalUs(processorUs) * load.acknowledged) / (tookMs * 1000),
    contention: await watch.stop(),
  };
}

export function totalUs({ api, worker, database, bench }: ProcessorUs): number {
  return api + worker + database + bench;
}

let loads = 0;

/** Each comment is new, because a PUT that changes nothing writes no event. */
function changesOf(
  voyageKeys: readonly number[],
  headers: Record<string, string>,
): Pick<LoadPlan, 'method' | 'paths' | 'headers' | 'body'> {
  loads += 1;
  return {
    method: 'PUT',
    paths: voyageKeys.map((key) => `/ws/rest/Voyage/${key}`),
    headers: { ...headers, 'content-type': 'application/json' },
    body: `{"comments":"load ${loads}, change {n}"}`,
  };
}
