// Subscriptions with a rate and as many without, over two processes. More is changed than the rates allow. At the end,
// everything must have arrived, at the rates, and those without a rate must not have waited.

import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { readMachineFacts } from '../../bench/harness/machine-facts.ts';
import { authorize } from '../../bench/harness/service-client.ts';
import { DeliveryProcess } from '../delivery/delivery-processes.ts';
import { KilledConnection, KilledDatabase } from '../delivery/killed-database.ts';
import type { Finding } from '../finding.ts';
import { createObject } from '../matching/matching-world.ts';
import { changeObjects, countLeft } from '../order/order-table.ts';
import { ServiceAnswers } from '../writes/service-answers.ts';
import { balanceThrottle } from './throttle-ledger.ts';
import { ThrottleReceiver } from './throttle-receiver.ts';
import type { ThrottleResult } from './throttle-report.ts';

export interface ThrottlePlan {
  /** With a rate, and as many without. */
  subscriptions: number;
  ratePerSecond: number;
  seconds: number;
  tell: (line: string) => void;
}

interface ThrottleCourse {
  plan: ThrottlePlan;
  processes: readonly DeliveryProcess[];
  receiver: ThrottleReceiver;
  connection: KilledConnection;
}

/** The backlog of each subscription with a rate grows all the time. */
const changesPerRate = 1.4;
/** Of the backlog, beyond the time that the rate asks for. */
const settleMs = 60_000;

export async function runThrottle(plan: ThrottlePlan): Promise<ThrottleResult> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'flaghoist-endurance-')));
  const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const database = await KilledDatabase.start(join(folder, 'database'));
    stops.push(() => database.stop());
    const receiver = await ThrottleReceiver.start(2 * plan.subscriptions);
    stops.push(() => receiver.stop());
    const processes: DeliveryProcess[] = [];
    stops.push(() => Promise.all(processes.map((process) => process.stop())));
    for (const roles of ['api,worker', 'worker'])
      processes.push(await DeliveryProcess.start({ databaseUrl: database.url, folder, roles }));
    const connection = new KilledConnection(database.url);
    stops.push(() => connection.end());
    return await changeAndBalance({ plan, processes, receiver, connection });
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

async function changeAndBalance(run: ThrottleCourse): Promise<ThrottleResult> {
  const { plan, processes, receiver } = run;
  const facts = readMachineFacts('embedded');
  const vessel = await prepare(run);
  const startedAt = performance.now();
  const changedAt = await change(run, vessel, startedAt);
  plan.tell(`${changedAt.length} changes; the rest is sent`);
  const left = await settle(run);
  const subscriptions = receiver.arrivals.map((arrivals, index) => ({
    ratePerSecond: index < plan.subscriptions ? plan.ratePerSecond : null,
    arrivals: arrivals.map((each) => ({ ...each, atMs: each.atMs - startedAt })),
  }));
  const balance = balanceThrottle({ subscriptions, changedAt, measuredMs: plan.seconds * 1_000 });
  const findings = [...left, ...balance.findings, ...processes.flatMap((process) => process.findings)];
  const { subscriptions: count, ratePerSecond, seconds } = plan;
  return { subscriptions: count, ratePerSecond, seconds, balance, findings, facts };
}

/** Returns the vessel that is changed. */
async function prepare({ plan, processes, receiver }: ThrottleCourse): Promise<number> {
  const { origin } = processes[0]!;
  const agent = new Agent();
  try {
    const service = new ServiceAnswers({ origin, dispatcher: agent, headers: await authorize(origin) });
    const create = (path: string, body: object) => createObject(service, { method: 'POST', path, body });
    for (let index = 0; index < 2 * plan.subscriptions; index += 1) {
      const ratePerSecond = index < plan.subscriptions ? plan.ratePerSecond : null;
      const wishes = { eventType: 'Vessel.U', rawObject: true, url: receiver.urlOf(index), ratePerSecond };
      await create('WebhookSubscription', wishes);
    }
    return (await create('Vessel', { vesselName: 'Throttled' })).key;
  } finally {
    await agent.destroy();
  }
}

/** One at a time, at a steady rate. Returns when each was committed. */
async function change({ plan, connection }: ThrottleCourse, vessel: number, startedAt: number): Promise<number[]> {
  const changedAt: number[] = [];
  const everyMs = 1_000 / (changesPerRate * plan.ratePerSecond);
  const query = connection.query.bind(connection);
  while (performance.now() - startedAt < plan.seconds * 1_000) {
    await changeObjects(query, [vessel], `change ${changedAt.length}`);
    changedAt.push(performance.now() - startedAt);
    if (changedAt.length % 100 === 0) plan.tell(`${changedAt.length} changes`);
    await sleep(Math.max(0, startedAt + changedAt.length * everyMs - performance.now()));
  }
  return changedAt;
}

async function settle({ plan, connection }: ThrottleCourse): Promise<Finding[]> {
  const ask = connection.ask.bind(connection);
  const until = performance.now() + plan.seconds * changesPerRate * 1_000 + settleMs;
  for (let left = await countLeft(ask); left > 0; left = await countLeft(ask)) {
    if (performance.now() > until) return [{ kind: 'notification left', text: `${left} in the queues` }];
    await sleep(100);
  }
  return [];
}
