// Clients change the same objects while two processes, their database and the receiver of an ordered subscription are
// killed repeatedly. At the end, compares the order of arrival with the order of the changes.

import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { readMachineFacts } from '../../bench/harness/machine-facts.ts';
import { authorize } from '../../bench/harness/service-client.ts';
import { isDatabaseAway } from '../../packages/server/src/database/database-away.ts';
import type { Interruption } from '../delivery/delivery-ledger.ts';
import { attemptsMax, DeliveryProcess } from '../delivery/delivery-processes.ts';
import type { Kill } from '../delivery/delivery-report.ts';
import { killOne } from '../delivery/interrupt.ts';
import { KilledConnection, KilledDatabase } from '../delivery/killed-database.ts';
import { Dice } from '../dice.ts';
import type { Finding } from '../finding.ts';
import { createObject } from '../matching/matching-world.ts';
import { ServiceAnswers } from '../writes/service-answers.ts';
import { balanceOrder } from './order-ledger.ts';
import { OrderReceiver } from './order-receiver.ts';
import type { OrderResult } from './order-report.ts';
import * as table from './order-table.ts';

export interface OrderPlan {
  objects: number;
  changes: number;
  kills: number;
  seed: number;
  tell: (line: string) => void;
}

interface OrderCourse {
  plan: OrderPlan;
  database: KilledDatabase;
  processes: readonly DeliveryProcess[];
  receiver: OrderReceiver;
  connection: KilledConnection;
  connect: () => KilledConnection;
  interruptions: Interruption[];
}

const writers = 3;
const settleMs = 180_000;

export async function runOrder(plan: OrderPlan): Promise<OrderResult> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'flaghoist-endurance-')));
  const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const database = await KilledDatabase.start(join(folder, 'database'));
    stops.push(() => database.stop());
    const receiver = await OrderReceiver.start(new Dice(plan.seed));
    stops.push(() => receiver.stop());
    const processes: DeliveryProcess[] = [];
    stops.push(() => Promise.all(processes.map((process) => process.stop())));
    for (const roles of ['api,worker', 'worker'])
      processes.push(await DeliveryProcess.start({ databaseUrl: database.url, folder, roles }));
    const connect = () => {
      const connection = new KilledConnection(database.url);
      stops.push(() => connection.end());
      return connection;
    };
    const connection = connect();
    return await killAndBalance({ plan, database, processes, receiver, connection, connect, interruptions: [] });
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

async function killAndBalance(run: OrderCourse): Promise<OrderResult> {
  const { plan, processes, receiver, connection } = run;
  const facts = readMachineFacts('embedded');
  const startedAt = performance.now();
  const { subscription, objects } = await prepare(run);
  const progress = { written: 0 };
  const writing = Promise.all(Array.from({ length: writers }, (_, n) => write(run, objects, progress, n)));
  const kills: Kill[] = [];
  const dice = new Dice(plan.seed);
  for (let count = 1; count <= plan.kills; count += 1) {
    await sleep(dice.between(100, 1_500));
    kills.push(await killOne(run, dice, count === plan.kills));
    if (dice.isBelow(0.3)) await receiver.interrupt(dice.between(50, 800));
    plan.tell(`${count} kills, ${progress.written} changes, ${receiver.arrivals.length} arrivals`);
  }
  await writing;
  const findings = await settle(run);
  const ask = connection.ask.bind(connection);
  const records = await table.selectRecords(ask, subscription);
  const balance = balanceOrder({ records, arrivals: receiver.arrivals, attemptsMax });
  const seconds = (performance.now() - startedAt) / 1000;
  const all = [...findings, ...balance.findings, ...processes.flatMap((process) => process.findings)];
  return { seed: plan.seed, objects: plan.objects, kills, balance, findings: all, seconds, facts };
}

async function prepare({ plan, processes, receiver }: OrderCourse) {
  const { origin } = processes[0]!;
  const agent = new Agent();
  try {
    const service = new ServiceAnswers({ origin, dispatcher: agent, headers: await authorize(origin) });
    const create = (path: string, body: object) => createObject(service, { method: 'POST', path, body });
    const objects: number[] = [];
    while (objects.length < plan.objects) objects.push((await create('Vessel', { vesselName: 'Ordered' })).key);
    const wishes = { eventType: 'Vessel.U', url: receiver.url, ordering: 'OBJECT', doNotUnsubscribe: true };
    return { subscription: (await create('WebhookSubscription', wishes)).key, objects };
  } finally {
    await agent.destroy();
  }
}

/** Changes up to five objects in one transaction, until enough changes are made. */
async function write(run: OrderCourse, objects: readonly number[], progress: { written: number }, n: number) {
  const { plan, connect } = run;
  const dice = new Dice(plan.seed + n + 1);
  const connection = connect();
  const query = connection.query.bind(connection);
  while (progress.written < plan.changes) {
    const chosen = [...new Set(Array.from({ length: dice.between(1, 5) }, () => dice.pick(objects)!))].sort();
    try {
      await table.changeObjects(query, chosen, `${n} ${progress.written} ${dice.roll()}`);
      progress.written += chosen.length;
    } catch (error) {
      // A deadlock between two writers is rolled back.
      if (!isDatabaseAway(error) && (error as { code?: string }).code !== '40P01') throw error;
    }
    await sleep(dice.between(0, 20));
  }
}

async function settle({ connection, processes }: OrderCourse): Promise<Finding[]> {
  await Promise.all(processes.map((process) => process.awaitReady()));
  const ask = connection.ask.bind(connection);
  const until = performance.now() + settleMs;
  for (let left = await table.countLeft(ask); left > 0; left = await table.countLeft(ask)) {
    if (performance.now() > until) return [{ kind: 'notification left', text: `${left} in the queues` }];
    await sleep(100);
  }
  return [];
}
