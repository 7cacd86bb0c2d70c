// How the processor time of matching is spent: a CPU profile of a worker, in an untimed run.

import { processorMs } from '../harness/process-usage.ts';
import { timeByArea } from '../harness/profile-areas.ts';
import { inspectorArgument, recordProfile } from '../harness/record-profile.ts';
import { changeOrders } from './matching-table.ts';
import { startWorker, watchProgress } from './worker.ts';

export interface SpendingPlan {
  databaseUrl: string;
  changed: readonly number[];
  changes: number;
}

/** Microseconds per event, by area. */
export async function profileMatching({ databaseUrl, changed, changes }: SpendingPlan): Promise<Map<string, number>> {
  const worker = await startWorker(databaseUrl, [inspectorArgument]);
  const { program } = worker;
  const events = changed.length * changes;
  try {
    // The first events load the subscriptions and compile code.
    await Promise.all([watchProgress(worker, events), changeOrders(databaseUrl, changed, changes)]);
    let usedMs = 0;
    const profile = await recordProfile(program.output, async () => {
      const before = (await processorMs(program.pid)) ?? Number.NaN;
      await Promise.all([watchProgress(worker, 2 * events), changeOrders(databaseUrl, changed, changes)]);
      usedMs = ((await processorMs(program.pid)) ?? Number.NaN) - before;
    });
    return shareOut(timeByArea(profile), (usedMs * 1000) / events);
  } finally {
    await program.stop();
  }
}

/**
 * A profile samples wall time, so it gives only the shares. The total is the processor time that the system counted.
 */
function shareOut(times: Map<string, number>, eventUs: number): Map<string, number> {
  const sampledUs = [...times.values()].reduce((sum, time) => sum + time, 0);
  return new Map([...times].map(([area, time]) => [area, (time / sampledUs) * eventUs]));
}
