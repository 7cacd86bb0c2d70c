// A closed loop of changes, until their receivers have all of them and the outcomes are recorded.

import type { Sink } from '../delivery/sink-process.ts';
import type { LoadDriver } from '../harness/drive-load.ts';
import type { Ledger } from '../harness/ledger.ts';
import { failureCount } from '../harness/load.ts';
import { startMeter } from '../harness/process-usage.ts';
import { type Contender, loadOf, type Method } from './contenders.ts';
import { awaitRecorded, selectCounts, selectServerPids } from './end-to-end-table.ts';

export interface RateRound {
  changes: number;
  /** Until all were received. */
  perSecond: number;
  /** Processor time for each change, until all outcomes were recorded. */
  programUs: number;
  databaseUs: number;
}

export interface RateRun {
  driver: LoadDriver;
  sink: Sink;
  ledger: Ledger;
  connections: number;
}

let turns = 0;

export async function measureRate(
  { driver, sink, ledger, connections }: RateRun,
  contender: Contender,
  method: Method,
  durationMs: number,
): Promise<RateRound> {
  turns += 1;
  const { name, databaseUrl, statements, program } = contender;
  await sink.begin();
  const before = await selectCounts(databaseUrl, statements);
  const programTime = await startMeter([program.pid]);
  const databaseTime = await startMeter(await selectServerPids(databaseUrl));
  const startedAt = performance.now();
  const load = await driver.generate({ ...loadOf(contender, method, `t${turns}`), connections, durationMs });
  await sink.wait(load.acknowledged);
  const tookMs = performance.now() - startedAt;
  await awaitRecorded(databaseUrl, statements);
  const perChange = (ms: number) => (ms * 1000) / load.acknowledged;
  const round = {
    changes: load.acknowledged,
    perSecond: (load.acknowledged * 1000) / tookMs,
    programUs: perChange(await programTime()),
    databaseUs: perChange(await databaseTime()),
  };
  const after = await selectCounts(databaseUrl, statements);
  const { ids } = await sink.take();
  ledger.expect(
    `${method}, ${name}, turn ${turns}: failed requests, received, different ones, recorded, open`,
    [0, load.acknowledged, load.acknowledged, load.acknowledged, 0].join(', '),
    [failureCount(load), ids.length, new Set(ids).size, after.delivered - before.delivered, after.open].join(', '),
  );
  return round;
}
