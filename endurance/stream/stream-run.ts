// A consumer fetches the notifications of a subscription while clients change objects. The consumer, two processes and
// their database are killed repeatedly. At the end, compares what the consumer wrote down with what is recorded.

import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { readMachineFacts } from '../../bench/harness/machine-facts.ts';
import { authorize } from '../../bench/harness/service-client.ts';
import { isDatabaseAway } from '../../packages/server/src/database/database-away.ts';
import { DeliveryProcess } from '../delivery/delivery-processes.ts';
import { KilledConnection, KilledDatabase } from '../delivery/killed-database.ts';
import { Dice } from '../dice.ts';
import type { Finding } from '../finding.ts';
import { createObject } from '../matching/matching-world.ts';
import { changeObjects, countLeft } from '../order/order-table.ts';
import { ServiceAnswers } from '../writes/service-answers.ts';
import { Consumer, type ConsumerName } from './consumer.ts';
import { balanceStream } from './stream-ledger.ts';
import type { StreamResult } from './stream-report.ts';
import { selectRecords } from './stream-table.ts';

export interface StreamPlan {
  consumer: ConsumerName;
  changes: number;
  /** Of the consumer. */
  kills: number;
  processKills: number;
  databaseKills: number;
  seed: number;
  tell: (line: string) => void;
}

interface StreamCourse {
  plan: StreamPlan;
  folder: string;
  database: KilledDatabase;
  processes: readonly DeliveryProcess[];
  connection: KilledConnection;
  connect: () => KilledConnection;
}

const vessels = 50;
const writers = 3;
const acknowledgeSeconds = 5;
const settleMs = 180_000;

export async function runStream(plan: StreamPlan): Promise<StreamResult> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'flaghoist-endurance-')));
  const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const database = await KilledDatabase.start(join(folder, 'database'));
    stops.push(() => database.stop());
    const processes: DeliveryProcess[] = [];
    stops.push(() => Promise.all(processes.map((process) => process.stop())));
    for (const roles of ['api,worker', 'api'])
      processes.push(await DeliveryProcess.start({ databaseUrl: database.url, folder, roles }));
    const connect = () => {
      const connection = new KilledConnection(database.url);
      stops.push(() => connection.end());
      return connection;
    };
    return await killAndBalance({ plan, folder, database, processes, connection: connect(), connect });
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

async function killAndBalance(run: StreamCourse): Promise<StreamResult> {
  const { plan, processes, connection } = run;
  const facts = readMachineFacts('embedded');
  const startedAt = performance.now();
  const { consumer, subscription, objects } = await prepare(run);
  await consumer.start();
  try {
    const progress = { written: 0, due: 0 };
    const writing = Promise.all(Array.from({ length: writers }, (_, n) => write(run, objects, progress, n)));
    const kills = await killRepeatedly(run, consumer, progress);
    await writing;
    const findings = await settle(run);
    await consumer.kill();
    const records = await selectRecords(connection.ask.bind(connection), subscription);
    const balance = balanceStream({ records, taken: await consumer.taken() });
    const seconds = (performance.now() - startedAt) / 1000;
    const all = [...findings, ...balance.findings, ...processes.flatMap((process) => process.findings)];
    return { seed: plan.seed, consumer: plan.consumer, kills, balance, findings: all, seconds, facts };
  } finally {
    await consumer.kill();
  }
}

async function prepare({ plan, folder, processes }: StreamCourse) {
  const { origin } = processes[0]!;
  const agent = new Agent();
  try {
    const headers = await authorize(origin);
    const service = new ServiceAnswers({ origin, dispatcher: agent, headers });
    const create = (path: string, body: object) => createObject(service, { method: 'POST', path, body });
    const objects: number[] = [];
    while (objects.length < vessels) objects.push((await create('Vessel', { vesselName: 'Streamed' })).key);
    const wishes = { eventType: 'Vessel.U', channelInfo: { channelType: 'STREAM' }, acknowledgeSeconds };
    const { key: subscription } = await create('WebhookSubscription', wishes);
    const ledger = join(folder, 'ledger');
    await writeFile(ledger, '');
    const origins = processes.map((process) => process.origin);
    const consumer = new Consumer(plan.consumer, { origins, ...headers, subscription, ledger, seed: plan.seed });
    return { consumer, subscription, objects };
  } finally {
    await agent.destroy();
  }
}

/** Changes are written between kills, the same number each time. */
async function killRepeatedly({ plan, processes, database }: StreamCourse, consumer: Consumer, progress: Progress) {
  const dice = new Dice(plan.seed);
  const kills = { consumer: 0, process: 0, database: 0 };
  const isDue = (planned: number, done: number) => done < Math.floor((planned * kills.consumer) / plan.kills);
  while (kills.consumer < plan.kills) {
    progress.due = Math.ceil((plan.changes * (kills.consumer + 1)) / plan.kills);
    await sleep(dice.between(500, 4_000));
    await consumer.kill();
    kills.consumer += 1;
    if (isDue(plan.processKills, kills.process)) {
      await dice.pick(processes)!.kill();
      kills.process += 1;
    }
    if (isDue(plan.databaseKills, kills.database)) {
      if (database.killServer()) kills.database += 1;
      for (const process of processes) process.onDatabaseKilled();
    }
    await consumer.start();
    const taken = (await consumer.taken()).length;
    plan.tell(`${kills.consumer} kills, ${progress.written} changes, ${taken} written down`);
  }
  return kills;
}

interface Progress {
  written: number;
  /** How many changes are to be made before the next kill. */
  due: number;
}

/** Changes up to twenty objects in one transaction. */
async function write({ plan, connect }: StreamCourse, objects: readonly number[], progress: Progress, n: number) {
  const dice = new Dice(plan.seed + n + 1);
  const connection = connect();
  const query = connection.query.bind(connection);
  while (progress.written < plan.changes) {
    if (progress.written < progress.due) {
      const chosen = [...new Set(Array.from({ length: dice.between(1, 20) }, () => dice.pick(objects)!))].sort();
      try {
        await changeObjects(query, chosen, `${n} ${progress.written} ${dice.roll()}`);
        progress.written += chosen.length;
      } catch (error) {
        // A deadlock between two writers is rolled back.
        if (!isDatabaseAway(error) && (error as { code?: string }).code !== '40P01') throw error;
      }
    }
    await sleep(dice.between(0, 20));
  }
}

async function settle({ connection, processes }: StreamCourse): Promise<Finding[]> {
  await Promise.all(processes.map((process) => process.awaitReady()));
  const ask = connection.ask.bind(connection);
  const until = performance.now() + settleMs;
  for (let left = await countLeft(ask); left > 0; left = await countLeft(ask)) {
    if (performance.now() > until) return [{ kind: 'notification left', text: `${left} in the queues` }];
    await sleep(100);
  }
  return [];
}
