// Clients write through two matching processes, one of which is killed repeatedly or halted in the middle of a batch.
// At the end, compares what was accepted with what was notified.

import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Agent } from 'undici';
import { readMachineFacts } from '../../bench/harness/machine-facts.ts';
import { authorize } from '../../bench/harness/service-client.ts';
import { startEmbedded } from '../../packages/server/src/database/embedded-server.ts';
import { Dice } from '../dice.ts';
import type { Finding } from '../finding.ts';
import { ServiceAnswers } from '../writes/service-answers.ts';
import { haltInBatch } from './halt-in-batch.ts';
import { balance } from './matching-ledger.ts';
import { MatchingClient } from './matching-load.ts';
import { MatchingProcess, processCount } from './matching-processes.ts';
import type { Halt, Kill, MatchingResult } from './matching-report.ts';
import { draftSubscriptions, hearersIn, type RunSubscription } from './matching-subscriptions.ts';
import * as table from './matching-table.ts';
import { createObject, type MatchingWorld, makeMatchingWorld } from './matching-world.ts';

export interface MatchingPlan {
  kills: number;
  clients: number;
  halts: number;
  seed: number;
  tell: (line: string) => void;
}

export async function runMatching(plan: MatchingPlan): Promise<MatchingResult> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'flaghoist-endurance-')));
  const server = await startEmbedded({ dataDir: folder, observe: () => undefined });
  const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true }), () => server.stop()];
  try {
    const processes: MatchingProcess[] = [];
    stops.push(() => Promise.all(processes.map((process) => process.stop())));
    while (processes.length < processCount) processes.push(await MatchingProcess.start(server.url, processes.length));
    const connect = async () => {
      const client = new pg.Client({ connectionString: server.url });
      await client.connect();
      stops.push(() => client.end());
      return client;
    };
    const agent = new Agent();
    stops.push(() => agent.destroy());
    return await killAndBalance(await prepare(plan, processes, connect, agent));
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

interface Run {
  plan: MatchingPlan;
  processes: readonly MatchingProcess[];
  database: pg.Client;
  world: MatchingWorld;
  clients: readonly MatchingClient[];
  subscriptions: readonly RunSubscription[];
  /** Events after that one count. */
  lastEvent: number;
  findings: Finding[];
}

async function prepare(
  plan: MatchingPlan,
  processes: readonly MatchingProcess[],
  connect: () => Promise<pg.Client>,
  agent: Agent,
): Promise<Run> {
  const headers = await authorize(processes[0]!.origin);
  const services = processes.map(({ origin }) => new ServiceAnswers({ origin, dispatcher: agent, headers }));
  const world = await makeMatchingWorld(services[0]!, plan.clients);
  const subscriptions: RunSubscription[] = [];
  for (const { body, ...subscription } of draftSubscriptions(world)) {
    const { key } = await createObject(services[0]!, { method: 'POST', path: 'WebhookSubscription', body });
    subscriptions.push({ ...subscription, key });
  }
  const database = await connect();
  const clients: MatchingClient[] = [];
  for (const [index, own] of world.clients.entries()) {
    const neighbour = world.clients[(index + 1) % world.clients.length]!;
    const dice = new Dice(plan.seed + index + 1);
    const { bunkerType } = world;
    const name = `c${index}`;
    clients.push(new MatchingClient({ name, dice, own, neighbour, bunkerType, services, database: await connect() }));
  }
  const lastEvent = await table.selectLastEvent(database);
  return { plan, processes, database, world, clients, subscriptions, lastEvent, findings: [] };
}

async function killAndBalance(run: Run): Promise<MatchingResult> {
  const { plan, processes, database, clients } = run;
  const startedAt = performance.now();
  const facts = readMachineFacts(await table.selectVersion(database));
  const kills: Kill[] = [];
  const halts: Halt[] = [];
  const dice = new Dice(plan.seed);
  for (const client of clients) client.resume();
  for (let count = 1; count <= plan.kills; count += 1) {
    await sleep(dice.between(20, 900));
    kills.push(await killOne(run, dice, count === plan.kills));
    if (count % Math.ceil(plan.kills / (plan.halts + 1)) === 0 && halts.length < plan.halts)
      halts.push(await haltOne(run, dice));
    if (count % 10 === 0)
      plan.tell(`${count} kills, ${countChanges(run)} changes, ${await table.countUnmatched(database)} to be matched`);
  }
  await rest(run);
  const settledMs = await awaitMatched(run);
  const changes = await table.selectChanges(database, run.lastEvent);
  const notifications = await table.selectNotifications(database);
  const booked = clients.flatMap((client) => client.changes);
  const subscriptions = [...run.subscriptions, ...clients.flatMap((client) => client.subscriptions)];
  const { expected, findings } = balance({
    booked,
    changes,
    notifications,
    subscriptions,
    hearers: hearersIn(run.world),
  });
  const wrong = await table.selectWrongBodies(database);
  return {
    ...{ seed: plan.seed, clients: plan.clients, kills, halts, booked, expected, settledMs, facts },
    subscriptions: subscriptions.length,
    events: changes.length,
    notifications: notifications.length,
    seconds: (performance.now() - startedAt) / 1000,
    findings: [
      ...findings,
      ...wrong.map((id): Finding => ({ kind: 'wrong body', text: `notification ${id}` })),
      ...run.findings,
      ...clients.flatMap((client) => client.findings),
      ...processes.flatMap((process) => process.findings),
    ],
  };
}

/** Sometimes the next kill, perhaps of the other process, comes before this one has recovered. */
async function killOne({ processes }: Run, dice: Dice, isLast: boolean): Promise<Kill> {
  const index = dice.between(0, processes.length - 1);
  const killedAt = performance.now();
  await processes[index]!.kill();
  if (!isLast && dice.isBelow(0.15)) return { process: index, recoveryMs: undefined };
  await processes[index]!.awaitReady();
  return { process: index, recoveryMs: performance.now() - killedAt };
}

/** Clients pause meanwhile, because a request to the halted process would wait. */
async function haltOne(run: Run, dice: Dice): Promise<Halt> {
  const { processes, clients, database, plan } = run;
  await rest(run);
  await awaitMatched(run);
  const halted = dice.pick(processes)!;
  const halt = await haltInBatch({ halted, database });
  if (halt.kind === 'never') run.findings.push({ kind: 'nothing shown', text: 'no batch was met in the middle' });
  if (halt.kind === 'left') run.findings.push({ kind: 'events left', text: `${halt.events} of a process that hangs` });
  plan.tell(`halted: ${JSON.stringify(halt)}`);
  for (const client of clients) client.resume();
  return halt;
}

async function rest({ clients, processes }: Run): Promise<void> {
  await Promise.all(processes.map((process) => process.awaitReady()));
  await Promise.all(clients.map((client) => client.pause()));
}

const patienceMs = 120_000;

async function awaitMatched({ database, findings }: Run): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const events = await table.countUnmatched(database);
    const elapsedMs = performance.now() - startedAt;
    if (events === 0) return elapsedMs;
    if (elapsedMs > patienceMs) {
      findings.push({ kind: 'events left', text: `${events} after ${patienceMs} ms` });
      return elapsedMs;
    }
    await sleep(20);
  }
}

function countChanges({ clients }: Run): number {
  return clients.reduce((sum, { changes }) => sum + changes.length, 0);
}
