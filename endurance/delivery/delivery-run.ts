// Lets clients write while the two processes behind them and their database are killed and halted, over and over, and receivers
// take, refuse and lose what they are sent; balances at the end what was accepted with what was delivered.

import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Agent } from 'undici';
import { readMachineFacts } from '../../bench/harness/machine-facts.ts';
import { authorize } from '../../bench/harness/service-client.ts';
import { Dice } from '../dice.ts';
import type { Finding } from '../finding.ts';
import { balance } from '../matching/matching-ledger.ts';
import { MatchingClient } from '../matching/matching-load.ts';
import { draftSubscriptions, hearersIn, type RunSubscription } from '../matching/matching-subscriptions.ts';
import * as matchingTable from '../matching/matching-table.ts';
import { createObject, type MatchingWorld, makeMatchingWorld } from '../matching/matching-world.ts';
import { ServiceAnswers } from '../writes/service-answers.ts';
import { balanceDeliveries, type Interruption, judgeEnded } from './delivery-ledger.ts';
import { attemptsMax, DeliveryProcess, inFlightMax } from './delivery-processes.ts';
import type { DeliveryResult, Halt, Kill } from './delivery-report.ts';
import * as table from './delivery-table.ts';
import { haltOne, killOne } from './interrupt.ts';
import { KilledConnection, KilledDatabase } from './killed-database.ts';
import { behaviours, Receivers } from './receivers.ts';
import { Unsubscriber } from './unsubscriber.ts';

export interface DeliveryPlan {
  kills: number;
  clients: number;
  halts: number;
  seed: number;
  tell: (line: string) => void;
}

export async function runDelivery(plan: DeliveryPlan): Promise<DeliveryResult> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'flaghoist-endurance-')));
  const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const database = await KilledDatabase.start(join(folder, 'database'));
    stops.push(() => database.stop());
    const receivers = await Receivers.start(new Dice(plan.seed));
    stops.push(() => receivers.stop());
    const processes: DeliveryProcess[] = [];
    stops.push(() => Promise.all(processes.map((process) => process.stop())));
    for (const roles of ['api,worker', 'worker'])
      processes.push(await DeliveryProcess.start({ databaseUrl: database.url, folder, roles }));
    const agent = new Agent();
    stops.push(() => agent.destroy());
    const connect = () => {
      const connection = new KilledConnection(database.url);
      stops.push(() => connection.end());
      return connection;
    };
    const run = await prepare({ plan, folder, database, receivers, processes, agent, connect });
    return await killAndBalance(run);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

interface Ground {
  plan: DeliveryPlan;
  folder: string;
  database: KilledDatabase;
  receivers: Receivers;
  /** The first takes requests. */
  processes: readonly DeliveryProcess[];
  agent: Agent;
  connect: () => KilledConnection;
}

interface Run extends Ground {
  connection: KilledConnection;
  world: MatchingWorld;
  clients: readonly MatchingClient[];
  unsubscriber: Unsubscriber;
  subscriptions: readonly RunSubscription[];
  /** Events after that one count. */
  lastEvent: number;
  interruptions: Interruption[];
  findings: Finding[];
}

async function prepare(ground: Ground): Promise<Run> {
  const { plan, processes, receivers, agent, connect } = ground;
  const { origin } = processes[0]!;
  const service = new ServiceAnswers({ origin, dispatcher: agent, headers: await authorize(origin) });
  const world = await makeMatchingWorld(service, plan.clients);
  const connection = connect();
  await table.setAlertAddress(connection.ask.bind(connection));
  const subscriptions: RunSubscription[] = [];
  for (const [index, { body, ...subscription }] of draftSubscriptions(world).entries()) {
    const { receiver, isKept } = firstTargets[index % firstTargets.length]!;
    const asked = { ...body, ...targetOf(receivers, receiver, isKept) };
    const { key } = await createObject(service, { method: 'POST', path: 'WebhookSubscription', body: asked });
    subscriptions.push({ ...subscription, key });
  }
  const clients = world.clients.map((own, index) => {
    const neighbour = world.clients[(index + 1) % world.clients.length]!;
    const dice = new Dice(plan.seed + index + 1);
    const wishes = () => targetOf(receivers, dice.between(0, behaviours.length - 1), dice.isBelow(0.3));
    const { bunkerType } = world;
    const services = [service];
    return new MatchingClient({
      name: `c${index}`,
      dice,
      own,
      neighbour,
      bunkerType,
      services,
      database: connect(),
      wishes,
    });
  });
  const unsubscriber = new Unsubscriber({ clients, service, connection: connect() });
  const ask = connection.ask.bind(connection);
  const { last: lastEvent } = await table.selectHorizon(ask);
  return {
    ...ground,
    connection,
    world,
    clients,
    unsubscriber,
    subscriptions,
    lastEvent,
    interruptions: [],
    findings: [],
  };
}

/** Those who hear of most have receivers that are well; of the others, most stay subscribed whatever happens. */
const firstTargets = [
  ...[0, 9, 13, 1, 15, 10, 2, 11, 14, 16, 18, 12, 19, 17, 3].map((receiver) => ({
    receiver,
    isKept: behaviours[receiver] !== 'well' && receiver !== 10,
  })),
];

function targetOf(receivers: Receivers, index: number, doNotUnsubscribe: boolean): object {
  return { url: receivers.urls[index], doNotUnsubscribe };
}

async function killAndBalance(run: Run): Promise<DeliveryResult> {
  const { plan, database, clients, unsubscriber, processes, receivers } = run;
  const startedAt = performance.now();
  const kills: Kill[] = [];
  const halts: Halt[] = [];
  const dice = new Dice(plan.seed);
  for (const client of clients) client.resume();
  unsubscriber.start();
  for (let count = 1; count <= plan.kills; count += 1) {
    await sleep(dice.between(20, 900));
    kills.push(await killOne(run, dice, count === plan.kills));
    if (count % Math.ceil(plan.kills / (plan.halts + 1)) === 0 && halts.length < plan.halts)
      halts.push(await haltOne(run, dice));
    await keepPace(run);
    if (count % 10 === 0) plan.tell(await renderProgress(run, count));
  }
  await Promise.all(processes.map((process) => process.awaitReady()));
  await Promise.all(clients.map((client) => client.pause()));
  await unsubscriber.stop();
  receivers.heal();
  plan.tell('all is well again');
  const settledMs = await awaitEmpty(run);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const seconds = (performance.now() - startedAt) / 1000;
    return { ...(await balanceAll(run, client)), kills, halts, seconds, settledMs };
  } finally {
    await client.end();
  }
}

async function balanceAll(run: Run, client: pg.Client) {
  const { plan, clients, processes, unsubscriber, receivers, interruptions, connection, world } = run;
  const ask = connection.ask.bind(connection);
  const hearers = hearersIn(world);
  await table.analyze(ask);
  const changes = await matchingTable.selectChanges(client, run.lastEvent);
  const notifications = await matchingTable.selectNotifications(client);
  const ended = new Set(unsubscriber.endings.map(({ subscription }) => subscription.key));
  const all = [...run.subscriptions, ...clients.flatMap((each) => each.subscriptions)];
  const booked = clients.flatMap((each) => each.changes);
  const isOfEnded = ({ name }: { name: string }) => ended.has(Number(name.split(' ')[0]));
  const matched = balance({
    booked,
    changes,
    hearers,
    notifications: notifications.filter((each) => !isOfEnded(each)),
    subscriptions: all.filter(({ key }) => !ended.has(key)),
  });
  const subscriptions = (await table.selectSubscriptions(ask)).map((each) => ({
    ...each,
    deactivatedMs: each.deactivatedMs === null ? null : each.deactivatedMs - performance.timeOrigin,
  }));
  const delivered = balanceDeliveries({
    records: await table.selectRecords(ask),
    subscriptions,
    received: receivers.received,
    interruptions,
    unsubscribedAt: unsubscriber.unsubscribedAt,
    alerts: await readAlerts(run),
    attemptsMax,
    inFlightMax,
  });
  const wrong = await matchingTable.selectWrongBodies(client);
  return {
    ...{ seed: plan.seed, clients: plan.clients, booked, subscriptions, balance: delivered },
    received: receivers.received,
    events: changes.length,
    expected: matched.expected,
    notifications: notifications.length,
    startsGivenUp: processes.reduce((sum, each) => sum + each.startsGivenUp, 0),
    facts: readMachineFacts(await matchingTable.selectVersion(client)),
    findings: [
      ...run.findings,
      ...matched.findings,
      ...judgeEnded(unsubscriber.endings, { changes, notifications, hearers }),
      ...delivered.findings,
      ...wrong.map((id): Finding => ({ kind: 'wrong body', text: `notification ${id}` })),
      ...unsubscriber.findings,
      ...clients.flatMap((each) => each.findings),
      ...processes.flatMap((each) => each.findings),
    ],
  };
}

/** Those that are saved, and those that still wait to be sent: subscription → how many. */
async function readAlerts({ folder, connection }: Run): Promise<Map<number, number>> {
  const saved = await readdir(join(folder, 'mail')).catch(() => []);
  const waiting = await table.selectAlerts(connection.ask.bind(connection));
  const alerts = new Map<number, number>();
  for (const name of [...saved, ...waiting]) {
    const key = Number(/alert-(\d+)/.exec(name)?.[1]);
    alerts.set(key, (alerts.get(key) ?? 0) + 1);
  }
  return alerts;
}

const backlogMax = 1_500;

/** On a busy machine matching falls behind, and everything would be delivered when the kills are over. */
async function keepPace({ clients, connection }: Run): Promise<void> {
  const { events } = await table.selectLeft(connection.ask.bind(connection));
  const isBehind = events > backlogMax;
  for (const client of clients)
    if (isBehind) await client.pause();
    else if (!client.isRunning) client.resume();
}

async function renderProgress({ clients, connection, receivers }: Run, count: number): Promise<string> {
  const left = await table.selectLeft(connection.ask.bind(connection));
  const changes = clients.reduce((sum, each) => sum + each.changes.length, 0);
  return `${count} kills, ${changes} changes, ${receivers.received.size} received, left: ${JSON.stringify(left)}`;
}

const patienceMs = 300_000;

/** Answers how long it took. Mail takes its own time, and is looked for wherever it is. */
async function awaitEmpty({ connection, findings, plan }: Run): Promise<number> {
  const startedAt = performance.now();
  for (let looks = 1; ; looks += 1) {
    const { mails: _, ...left } = await table.selectLeft(connection.ask.bind(connection));
    const elapsedMs = performance.now() - startedAt;
    if (Object.values(left).every((count) => count === 0)) return elapsedMs;
    if (elapsedMs > patienceMs) {
      findings.push({ kind: 'notification left', text: `${JSON.stringify(left)} after ${patienceMs} ms` });
      return elapsedMs;
    }
    if (looks % 50 === 0) plan.tell(`left: ${JSON.stringify(left)}`);
    await sleep(100);
  }
}
