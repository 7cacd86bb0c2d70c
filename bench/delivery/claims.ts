// What one claim costs with few and with very many pending notifications, in turns, with the statement and connection
// of the service. Also with statistics from when the queue was empty, and while an old transaction blocks vacuum.

import { Database } from '../../packages/server/src/database/database.ts';
import { claimPending } from '../../packages/server/src/deliver/queue/pending-table.ts';
import { readClaim } from '../../packages/server/src/deliver/queue/ready-notification.ts';
import { insertWorker } from '../../packages/server/src/deliver/workers/worker-table.ts';
import type { Ledger } from '../harness/ledger.ts';
import { deletePending, fillPending, holdSnapshot, insertPending, vacuumPending } from './claims-table.ts';
import { reserveKeys } from './delivery-table.ts';
import { Sink } from './sink-process.ts';
import type { Sizes } from './sizes.ts';
import { openStand, type World } from './world.ts';

export interface ClaimSeries {
  when: string;
  /** Milliseconds of each claim, for the smaller and for the larger queue. */
  few: number[];
  many: number[];
}

export interface Claims {
  sizes: Sizes['claims'];
  series: ClaimSeries[];
}

export interface ClaimsRun {
  world: World;
  sizes: Sizes['claims'];
  ledger: Ledger;
  tell: (line: string) => void;
}

/** As the service asks. */
const rowsMax = 500;
const bytesMax = 8_000_000;
const lanesMax = 200;
const roomInOthers = 200;

interface Queue {
  url: string;
  database: Database;
  workerId: number;
  nextKey: number;
  lanes: readonly number[];
  claimed: number;
  claims: number;
}

export async function measureClaims(run: ClaimsRun): Promise<Claims> {
  const { sizes, ledger, tell } = run;
  const sink = await Sink.start(Array.from({ length: sizes.lanes }, () => ({ kind: 'prompt' })));
  const queues: Queue[] = [];
  try {
    for (const pending of sizes.pending) {
      tell(`  filling a queue of ${pending}`);
      queues.push(await openQueue(run, `claims_${pending}`, sink.urls, pending));
    }
    const series: ClaimSeries[] = [];
    const measure = async (when: string) => {
      series.push({ when, ...(await claimInTurns(queues, sizes.claims)) });
      tell(`  ${when}`);
    };
    await measure('statistics of an empty queue');
    for (const { url } of queues) await vacuumPending(url);
    await measure('statistics of the queue as it is');
    const releases = await Promise.all(queues.map(({ url }) => holdSnapshot(url)));
    await measure('an old transaction is open');
    for (const release of releases) await release();
    const expected = sizes.claims * series.length;
    for (const { claims, claimed } of queues)
      ledger.expect(
        'claims, and rows that they brought',
        [expected, expected * rowsMax].join(),
        [claims, claimed].join(),
      );
    return { sizes, series };
  } finally {
    for (const { database } of queues) await database.close();
    await sink.stop();
  }
}

async function openQueue({ world }: ClaimsRun, name: string, urls: readonly string[], pending: number): Promise<Queue> {
  const { databaseUrl: url, subscribed } = await openStand(world, name, urls);
  const lanes = subscribed.map(({ key }) => key);
  const firstKey = await reserveKeys(url, 2 * pending);
  await fillPending(url, { lanes, firstKey, count: pending });
  const database = new Database({
    url,
    observe: () => undefined,
    connectionsMax: 4,
    statementTimeoutMs: 30_000,
    isForQueues: true,
  });
  const [worker] = await database.run(insertWorker(3_600_000));
  return { url, database, workerId: Number(worker!.id), nextKey: firstKey + pending, lanes, claimed: 0, claims: 0 };
}

async function claimInTurns(queues: readonly Queue[], count: number): Promise<Pick<ClaimSeries, 'few' | 'many'>> {
  const times: number[][] = queues.map(() => []);
  for (let n = 0; n < count; n += 1)
    for (const [index, queue] of queues.entries()) times[index]!.push(await claim(queue));
  return { few: times[0]!, many: times[1]! };
}

/** Adds as many as were claimed, so that the queue keeps its length. */
async function claim(queue: Queue): Promise<number> {
  const { database, workerId, url, lanes } = queue;
  const statement = claimPending({
    workerId,
    afterLane: 0,
    lanesMax,
    rowsMax,
    capacities: { named: new Map(), others: roomInOthers },
    bytesMax,
  });
  const startedAt = performance.now();
  const { ready, withoutBody, surplus } = readClaim(await database.run(statement));
  const tookMs = performance.now() - startedAt;
  const keys = [...ready.map(({ key }) => key), ...withoutBody, ...surplus];
  await deletePending(url, keys);
  await insertPending(url, { lanes, firstKey: queue.nextKey, count: keys.length });
  queue.nextKey += keys.length;
  queue.claimed += keys.length;
  queue.claims += 1;
  return tookMs;
}
