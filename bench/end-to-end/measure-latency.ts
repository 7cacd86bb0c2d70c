// From the moment that a change is due, by a schedule that waits for nobody, until its receiver has it.

import type { ChangePlan, ChangeResult } from '../delivery/change-generator.ts';
import { type LatencyRound, latenciesOf, summarise } from '../delivery/latencies.ts';
import type { Sink } from '../delivery/sink-process.ts';
import type { Ledger } from '../harness/ledger.ts';
import type { NodeProgram } from '../harness/node-program.ts';
import type { Contender } from './contenders.ts';
import { awaitRecorded, selectMarks } from './end-to-end-table.ts';

export interface LatencyRun {
  generator: NodeProgram;
  sink: Sink;
  ledger: Ledger;
}

let turns = 0;

export async function measureLatency(
  { generator, sink, ledger }: LatencyRun,
  { name, databaseUrl, statements }: Contender,
  { by, perSecond, durationMs }: Pick<ChangePlan, 'by' | 'perSecond'> & { durationMs: number },
): Promise<LatencyRound> {
  turns += 1;
  const count = Math.round((perSecond * durationMs) / 1000);
  const plan: ChangePlan = { by, perSecond, count, mark: `l${turns}` };
  await sink.begin();
  const made = await generator.ask<ChangeResult>(plan);
  await sink.wait(count);
  await awaitRecorded(databaseUrl, statements);
  const received = await sink.take();
  const marks = await selectMarks(databaseUrl, statements);
  const latencies = latenciesOf(plan, made, received, (id) => marks.get(id)!);
  ledger.expect(
    `${by.kind}, ${Math.round(perSecond)}/s, ${name}, turn ${turns}: changes, failures, received, each once`,
    [count, '{}', count, count].join(', '),
    [made.done, JSON.stringify(made.failures), received.ids.length, latencies.length].join(', '),
  );
  return summarise(latencies);
}
