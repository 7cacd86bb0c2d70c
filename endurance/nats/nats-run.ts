// Two processes publish changes to a stream on three NATS servers, of which one is killed every few seconds and started
// again. Afterwards the stream is read back and compared with the changes.

import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { readMachineFacts } from '../../bench/harness/machine-facts.ts';
import { authorize } from '../../bench/harness/service-client.ts';
import { DeliveryProcess } from '../delivery/delivery-processes.ts';
import { KilledConnection, KilledDatabase } from '../delivery/killed-database.ts';
import { Dice } from '../dice.ts';
import type { Finding } from '../finding.ts';
import { createObject } from '../matching/matching-world.ts';
import * as table from '../order/order-table.ts';
import { ServiceAnswers } from '../writes/service-answers.ts';
import { findNatsServer } from './find-nats-server.ts';
import { NatsClient } from './nats-client.ts';
import { balanceNats } from './nats-ledger.ts';
import { type NatsNode, startCluster } from './nats-node.ts';
import type { NatsResult } from './nats-report.ts';

export interface NatsPlan {
  seconds: number;
  killEvery: number;
  objects: number;
  seed: number;
  tell: (line: string) => void;
}

interface NatsCourse {
  plan: NatsPlan;
  nodes: readonly NatsNode[];
  processes: readonly DeliveryProcess[];
  connection: KilledConnection;
}

const stream = 'CHANGES';
const settleMs = 180_000;
/** So that every repeat of the run is within it. */
const duplicateWindowNs = 3_600 * 1e9;

export async function runNats(plan: NatsPlan): Promise<NatsResult> {
  const program = findNatsServer();
  if (program === undefined) throw new Error('This needs nats-server, or Go to install it.');
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'flaghoist-endurance-')));
  const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const database = await KilledDatabase.start(join(folder, 'database'));
    stops.push(() => database.stop());
    const nodes = await startCluster(program, join(folder, 'nats'), 3);
    stops.push(() => Promise.all(nodes.map((node) => node.kill())));
    const processes: DeliveryProcess[] = [];
    stops.push(() => Promise.all(processes.map((process) => process.stop())));
    for (const roles of ['api,worker', 'worker'])
      processes.push(await DeliveryProcess.start({ databaseUrl: database.url, folder, roles }));
    const connection = new KilledConnection(database.url);
    stops.push(() => connection.end());
    return await killAndBalance({ plan, nodes, processes, connection });
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

async function killAndBalance(run: NatsCourse): Promise<NatsResult> {
  const { plan, nodes, processes, connection } = run;
  const facts = readMachineFacts('embedded');
  await untilDone(() => withClient(nodes, (client) => client.createStream(stream, streamWishes)));
  const { subscription, objects } = await prepare(run);
  const load = { isOver: false, written: 0 };
  const writing = write(run, objects, load);
  const kills = await killNodes(run, load);
  load.isOver = true;
  await writing;
  const findings = await settle(run);
  const records = await table.selectRecords(connection.ask.bind(connection), subscription);
  const stored = await untilDone(() => withClient(nodes, (client) => client.readStream(stream)));
  const balance = balanceNats(records, stored);
  const all = [...findings, ...balance.findings, ...processes.flatMap((process) => process.findings)];
  return { ...plan, kills, balance, findings: all, facts };
}

const streamWishes = { subjects: ['fleet.>'], num_replicas: 3, duplicate_window: duplicateWindowNs };

async function prepare({ plan, nodes, processes }: NatsCourse) {
  const { origin } = processes[0]!;
  const agent = new Agent();
  try {
    const service = new ServiceAnswers({ origin, dispatcher: agent, headers: await authorize(origin) });
    const create = (path: string, body: object) => createObject(service, { method: 'POST', path, body });
    const objects: number[] = [];
    while (objects.length < plan.objects) objects.push((await create('Vessel', { vesselName: 'Published' })).key);
    const { key } = await create('WebhookSubscription', {
      eventType: 'Vessel.U',
      channelInfo: {
        channelType: 'NATS',
        URL: nodes.map(({ url }) => url).join(','),
        subject: 'fleet.{objectType}.{operation}.{objectKey}',
      },
      retryPolicy: { attempts: 100, intervalSeconds: 1 },
    });
    return { subscription: key, objects };
  } finally {
    await agent.destroy();
  }
}

/** Changes up to five objects in one transaction, about forty times a second. */
async function write({ plan, connection }: NatsCourse, objects: readonly number[], load: Load): Promise<void> {
  const dice = new Dice(plan.seed);
  const query = connection.query.bind(connection);
  while (!load.isOver) {
    const chosen = [...new Set(Array.from({ length: dice.between(1, 5) }, () => dice.pick(objects)!))].sort();
    await table.changeObjects(query, chosen, `${load.written} ${dice.roll()}`);
    load.written += chosen.length;
    await sleep(dice.between(5, 40));
  }
}

interface Load {
  isOver: boolean;
  written: number;
}

/** Each is started again half-way to the next kill, so that two of three are always running. */
async function killNodes({ plan, nodes }: NatsCourse, load: Load): Promise<number> {
  const dice = new Dice(plan.seed);
  const endsAtMs = performance.now() + plan.seconds * 1_000;
  let kills = 0;
  for (; performance.now() < endsAtMs; kills += 1) {
    const node = dice.pick(nodes)!;
    await node.kill();
    await sleep(plan.killEvery * 500);
    await node.start();
    plan.tell(`${kills + 1} kills, ${load.written} changes`);
    await sleep(plan.killEvery * 500);
  }
  return kills;
}

async function settle({ connection, processes }: NatsCourse): Promise<Finding[]> {
  await Promise.all(processes.map((process) => process.awaitReady()));
  const ask = connection.ask.bind(connection);
  const until = performance.now() + settleMs;
  for (let left = await table.countLeft(ask); left > 0; left = await table.countLeft(ask)) {
    if (performance.now() > until) return [{ kind: 'notification left', text: `${left} in the queues` }];
    await sleep(100);
  }
  return [];
}

async function withClient<T>(nodes: readonly NatsNode[], use: (client: NatsClient) => Promise<T>): Promise<T> {
  const client = await NatsClient.connect(nodes[0]!.port);
  try {
    return await use(client);
  } finally {
    client.close();
  }
}

/** A cluster takes a while to elect its leaders. */
async function untilDone<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = 60; ; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      if (left === 0) throw error;
      await sleep(1_000);
    }
  }
}
