// One round: changes that all subscriptions are notified of, until everything is delivered, and what that has taken.

import { awaitRecorded } from '../delivery/delivery-table.ts';
import type { Sink } from '../delivery/sink-process.ts';
import type { Ledger } from '../harness/ledger.ts';
import { startMeter } from '../harness/process-usage.ts';
import { selectBackendPids } from '../rest/fleet-table.ts';
import { beginRound, makeChanges, readLogPosition, type Stored, selectBody, selectStored } from './fan-out-table.ts';
import type { FanOutContender } from './fan-out-world.ts';

export interface FanOutRound {
  stored: Stored;
  /** Written to the log of PostgreSQL. */
  logBytes: number;
  /** Processor time. */
  serverMs: number;
  serviceMs: number;
  tookMs: number;
}

export interface RoundPlan {
  changes: number;
  subscriptions: number;
  sink: Sink;
  ledger: Ledger;
}

export async function measureFanOut(contender: FanOutContender, plan: RoundPlan): Promise<FanOutRound> {
  const { databaseUrl, changed, keys, program } = contender;
  const { changes, subscriptions, sink } = plan;
  await beginRound(databaseUrl);
  await sink.begin();
  const server = await startMeter(await selectBackendPids(databaseUrl));
  const service = await startMeter([program.pid]);
  const [logBefore, startedAt] = [await readLogPosition(databaseUrl), performance.now()];
  await makeChanges(databaseUrl, changed, keys, changes);
  await sink.wait(changes * subscriptions);
  await awaitRecorded(databaseUrl, 10_000);
  const tookMs = performance.now() - startedAt;
  const [serverMs, serviceMs] = [await server(), await service()];
  const logBytes = (await readLogPosition(databaseUrl)) - logBefore;
  const stored = await selectStored(databaseUrl);
  await keepBooks(contender, stored, plan);
  return { stored, logBytes, serverMs, serviceMs, tookMs };
}

async function keepBooks({ name, changed, databaseUrl }: FanOutContender, stored: Stored, plan: RoundPlan) {
  const { changes, subscriptions, sink, ledger } = plan;
  const count = changes * subscriptions;
  const { ids, samples } = await sink.take();
  const { notifications, delivered, pending, contents } = stored;
  ledger.expect(
    `${name}, ${changed}: received, each once, stored, delivered at once, left, contents`,
    [count, count, count, count, 0, name === 'whole bodies' ? 0 : changes].join(),
    [ids.length, new Set(ids).size, notifications, delivered, pending, contents].join(),
  );
  const differing = [];
  for (const sample of samples) {
    const id = /\r\nwebhook-id: *([^\r]+)/i.exec(sample)?.[1] ?? '';
    const body = sample.slice(sample.indexOf('\r\n\r\n') + 4);
    if (body !== (await selectBody(databaseUrl, id))) differing.push(id);
  }
  ledger.expect(`${name}, ${changed}: requests whose body differs from that in the log`, '', differing.join());
}
