// Lets clients write while workers are stopped and cut off from their database at random statements, two of three at a time; balances at the
// end what was accepted with what was delivered, and tells how long a worker that was not stalled has stood idle.

import { setTimeout as sleep } from 'node:timers/promises';
import { type DeliveryCourse, type GroundPlan, type StartProcesses, withGround } from '../delivery/delivery-ground.ts';
import { keepPace, settleAndBalance } from '../delivery/delivery-outcome.ts';
import { DeliveryProcess } from '../delivery/delivery-processes.ts';
import { renderProgress } from '../delivery/delivery-run.ts';
import { isWorkWaiting } from '../delivery/delivery-table.ts';
import { behaviours } from '../delivery/receivers.ts';
import { Dice } from '../dice.ts';
import type { Finding } from '../finding.ts';
import { IdleWatch } from './idle-watch.ts';
import { type Stall, StalledWorker, type StallWish, stallKinds } from './stalled-worker.ts';
import type { StallsResult } from './stalls-report.ts';

export interface StallsPlan extends GroundPlan {
  stalls: number;
}

const workerCount = 3;
/** One is always well. */
const stalledAtOnce = workerCount - 1;
export const idleMsMax = 15_000;

export async function runStalls(plan: StallsPlan): Promise<StallsResult> {
  const workers: StalledWorker[] = [];
  const start: StartProcesses = async ({ databaseUrl, folder }, stops) => {
    const api = await DeliveryProcess.start({ databaseUrl, folder, roles: 'api' });
    stops.push(() => api.stop());
    for (let count = 0; count < workerCount; count += 1) {
      const worker = await StalledWorker.start(databaseUrl, folder);
      stops.push(() => worker.stop());
      workers.push(worker);
    }
    return [api, ...workers.map(({ process }) => process)];
  };
  return withGround(plan, start, (run) => stallAndBalance(run, workers, plan));
}

async function stallAndBalance(
  run: DeliveryCourse,
  workers: readonly StalledWorker[],
  plan: StallsPlan,
): Promise<StallsResult> {
  const startedAt = performance.now();
  for (const client of run.clients) client.resume();
  run.unsubscriber.start();
  const connection = run.connect();
  const well = run.receivers.urls.filter((_, index) => behaviours[index] === 'well');
  const watch = new IdleWatch(workers, () => isWorkWaiting(connection.ask.bind(connection), well));
  watch.start();
  const stalls = await stallAll(run, workers, plan);
  await watch.stop();
  const books = await settleAndBalance(run);
  const seconds = (performance.now() - startedAt) / 1000;
  const findings = [...books.findings, ...watch.longestMs.flatMap(judgeIdle)];
  return { ...books, findings, seconds, stalls, idleMs: watch.longestMs };
}

function judgeIdle(ms: number, index: number): Finding[] {
  const text = `worker ${index + 1} stood idle for ${Math.round(ms)} ms with work waiting`;
  return ms > idleMsMax ? [{ kind: 'worker idle', text }] : [];
}

async function stallAll(run: DeliveryCourse, workers: readonly StalledWorker[], plan: StallsPlan): Promise<Stall[]> {
  const stalls: Stall[] = [];
  const free = [...workers];
  const dice = new Dice(plan.seed);
  let begun = 0;
  const stallOneByOne = async () => {
    while (begun < plan.stalls) {
      begun += 1;
      const worker = free.splice(dice.between(0, free.length - 1), 1)[0]!;
      const stall = await worker.stall(wishOf(dice));
      if (stall) {
        stalls.push(stall);
        run.interruptions.push(stall);
      } else run.findings.push({ kind: 'worker idle', text: 'a worker sent no statement for 20 s' });
      free.push(worker);
      if (stalls.length % 10 === 0) plan.tell(await renderProgress(run, `${stalls.length} stalls`));
      await keepPace(run);
      await sleep(dice.between(100, 1_500));
    }
  };
  await Promise.all(Array.from({ length: stalledAtOnce }, stallOneByOne));
  return stalls;
}

/** Half of them for longer than the lease of a worker, and than the time after which the server ends an idle transaction. */
function wishOf(dice: Dice): StallWish {
  const isLong = dice.isBelow(0.5);
  return {
    kind: dice.pick(stallKinds)!,
    statements: dice.between(0, 60),
    ms: isLong ? dice.between(11_000, 16_000) : dice.between(300, 5_000),
  };
}
