// What the indexes of the lists cost: changes from the commit to the record of their deliveries, on two copies of the
// filled database, one with the indexes and one without, in turns. Processor time counts, which other work on the
// machine disturbs less than the time that passes.

import { awaitRecorded } from '../delivery/delivery-table.ts';
import { type Service, startService } from '../delivery/servers.ts';
import { Sink } from '../delivery/sink-process.ts';
import type { Ledger } from '../harness/ledger.ts';
import { processorMs, startMeter } from '../harness/process-usage.ts';
import { measureInRounds } from '../harness/rounds.ts';
import { copyDatabase } from '../matching/matching-table.ts';
import { selectBackendPids } from '../rest/fleet-table.ts';
import type { Sizes } from './sizes.ts';
import { changeVoyages, countDelivered, dropListIndexes, subscribeReceivers } from './write-table.ts';

export interface WriteRound {
  /** Microseconds of processor time for each notification. */
  workerUs: number;
  databaseUs: number;
}

export interface WriteCost {
  with: WriteRound[];
  without: WriteRound[];
}

export interface WriteRun {
  filledUrl: string;
  folder: string;
  sizes: Sizes['writes'];
  ledger: Ledger;
  tell: (line: string) => void;
}

export async function measureWrites(run: WriteRun): Promise<WriteCost> {
  const { sizes, ledger } = run;
  const sink = await Sink.start(Array.from({ length: sizes.receivers }, () => ({ kind: 'prompt' })));
  const stands: Stand[] = [];
  try {
    for (const name of ['with', 'without'] as const) stands.push(await openStand(run, name, sink));
    const contenders = stands.map((stand) => ({ name: stand.name, measure: () => deliverChanges(run, stand, sink) }));
    const measured = await measureInRounds(contenders, { rounds: sizes.rounds, durationMs: 1, warmUpMs: 0 });
    for (const { name, url, changes } of stands)
      ledger.expect(
        `${name} the indexes: delivered`,
        changes.made * sizes.receivers,
        await countDelivered(url, changes.mark),
      );
    return { with: measured.get('with')!, without: measured.get('without')! };
  } finally {
    for (const { service } of stands) await service.program.stop();
    await sink.stop();
  }
}

interface Stand {
  name: 'with' | 'without';
  url: string;
  service: Service;
  changes: { mark: string; made: number };
}

async function openStand({ filledUrl, folder }: WriteRun, name: Stand['name'], sink: Sink): Promise<Stand> {
  const url = await copyDatabase(filledUrl, `bench_${name}`);
  if (name === 'without') await dropListIndexes(url);
  await subscribeReceivers(url, sink.urls);
  const service = await startService({ databaseUrl: url, roles: 'worker', folder });
  return { name, url, service, changes: { mark: `of ${name}`, made: 0 } };
}

async function deliverChanges({ sizes, tell }: WriteRun, stand: Stand, sink: Sink): Promise<WriteRound> {
  const { name, url, service, changes } = stand;
  const notifications = sizes.changes * sizes.receivers;
  await sink.begin();
  const backends = await selectBackendPids(url);
  const meter = await startMeter(backends);
  const before = (await processorMs(service.program.pid)) ?? Number.NaN;
  await changeVoyages(url, { ...changes, count: sizes.changes });
  changes.made += sizes.changes;
  await sink.wait(notifications, 120_000);
  await awaitRecorded(url, 60_000);
  const workerMs = ((await processorMs(service.program.pid)) ?? Number.NaN) - before;
  const round = {
    workerUs: (workerMs * 1000) / notifications,
    databaseUs: ((await meter()) * 1000) / notifications,
  };
  tell(`  ${name}: ${round.workerUs.toFixed(0)} + ${round.databaseUs.toFixed(0)} µs for each notification`);
  return round;
}
