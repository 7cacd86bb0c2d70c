// Clients write while workers are stopped or cut off from their database at random statements, two of three at a time.
// At the end, compares what was accepted with what was delivered, and reports how long a worker that was not stalled
// was idle.

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DeliveryCourse, type GroundPlan, type StartProcesses, withGround } from '../delivery/delivery-ground.ts';
import type { Interruption } from '../delivery/delivery-ledger.ts';
import { keepPace, settleAndBalance } from '../delivery/delivery-outcome.ts';
import { DeliveryProcess } from '../delivery/delivery-processes.ts';
import { renderProgress } from '../delivery/delivery-run.ts';
import { countLeftFor, selectOldestWaiting } from '../delivery/delivery-table.ts';
import { behaviours } from '../delivery/receivers.ts';
import { Dice } from '../dice.ts';
import type { Finding } from '../finding.ts';
import { IdleWatch, type Line, lines } from './idle-watch.ts';
import { type Stall, StalledWorker, type StallWish, stallKinds } from './stalled-worker.ts';
import type { StallsResult } from './stalls-report.ts';

export interface StallsPlan extends GroundPlan {
  stalls: number;
  /** Another version of the service, compiled. */
  dist?: string | undefined;
}

const workerCount = 3;
/** One is always healthy. */
const stalledAtOnce = workerCount - 1;
const idleMsMax = 15_000;
const settledMsMax = 60_000;

export async function runStalls(plan: StallsPlan): Promise<StallsResult> {
  const workers: StalledWorker[] = [];
  const start: StartProcesses = async ({ databaseUrl, folder }, stops) => {
    const script = plan.dist === undefined ? undefined : join(plan.dist, 'main.js');
    const api = await DeliveryProcess.start({ databaseUrl, folder, roles: 'api', script });
    stops.push(() => api.stop());
    for (let count = 0; count < workerCount; count += 1) {
      const worker = await StalledWorker.start({ databaseUrl, folder, script });
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
  const watch = new IdleWatch(workers, () => selectOldestWaiting(connection.ask.bind(connection), well));
  watch.start();
  const stalls = await stallAll(run, workers, plan);
  // The queue of a dead receiver fails slowly by design, so only receivers that respond are judged.
  const answering = run.receivers.urls.filter((_, index) => behaviours[index] !== 'dead');
  const settling = settleAndBalance(run);
  const [books, settledMs] = await Promise.all([
    settling,
    lastBusyMs(settling, () => countLeftFor(connection.ask.bind(connection), answering)),
  ]);
  await watch.stop();
  const seconds = (performance.now() - startedAt) / 1000;
  const findings = [...books.findings, ...watch.longestMs.flatMap(judgeIdle), ...judgeSettled(settledMs)];
  return { ...books, findings, seconds, stalls, idleMs: watch.longestMs };
}

function judgeIdle(longestMs: Record<Line, number>, index: number): Finding[] {
  return lines
    .filter((line) => longestMs[line] > idleMsMax)
    .map((line) => {
      const seconds = Math.round(longestMs[line] / 1_000);
      return {
        kind: 'worker idle',
        text: `worker ${index + 1}: ${line} stood idle for ${seconds} s with work waiting`,
      };
    });
}

/** How long after the start work was last seen, until `end`. */
async function lastBusyMs(end: Promise<unknown>, countLeft: () => Promise<number>): Promise<number> {
  const startedAt = performance.now();
  let [lastMs, isOver] = [0, false];
  const finish = () => {
    isOver = true;
  };
  end.then(finish, finish);
  while (!isOver) {
    if ((await countLeft()) > 0) lastMs = performance.now() - startedAt;
    await sleep(500);
  }
  return lastMs;
}

/** When no worker is stalled, the rest for receivers that respond is sent soon. */
function judgeSettled(ms: number): Finding[] {
  const text = `the queues of receivers that answer were empty after ${Math.round(ms)} ms`;
  return ms > settledMsMax ? [{ kind: 'too late', text }] : [];
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
        run.interruptions.push(...edgesOf(stall));
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

/**
 * A duplicate was first sent near the start of a stall, before the worker knew that its lease had expired, or near its
 * end. In between, the worker sends nothing.
 */
function edgesOf({ from, until }: Stall): Interruption[] {
  return [
    { from, until: Math.min(until, from + sendsOnMs) },
    { from: until, until: until + 1_000 },
  ];
}

/** The lease of a worker, plus the response time of a receiver. */
const sendsOnMs = 6_000;

/**
 * Half are longer than every lease, and some so long that a worker that waits for a stalled one would be found idle.
 * Half are at rare statements, because random choice would hardly ever hit a deactivation.
 */
function wishOf(dice: Dice): StallWish {
  const [min, max] = dice.pick(lengthsMs)!;
  return {
    kind: dice.pick(stallKinds)!,
    statements: dice.between(0, 60),
    isRare: dice.between(0, 1) === 1,
    ms: dice.between(min, max),
  };
}

const lengthsMs = [
  ...Array<[number, number]>(5).fill([300, 5_000]),
  ...Array<[number, number]>(4).fill([11_000, 16_000]),
  [30_000, 35_000] as [number, number],
];
