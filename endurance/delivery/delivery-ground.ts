// The environment of every run of the delivery endurance: a database, receivers, the processes of one installation,
// subscriptions of every kind, and clients that write.

import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent } from 'undici';
import { authorize } from '../../bench/harness/service-client.ts';
import { Dice } from '../dice.ts';
import type { Finding } from '../finding.ts';
import { MatchingClient } from '../matching/matching-load.ts';
import { draftSubscriptions, type RunSubscription } from '../matching/matching-subscriptions.ts';
import { createObject, type MatchingWorld, makeMatchingWorld } from '../matching/matching-world.ts';
import { ServiceAnswers } from '../writes/service-answers.ts';
import type { Interruption } from './delivery-ledger.ts';
import type { DeliveryProcess } from './delivery-processes.ts';
import * as table from './delivery-table.ts';
import { KilledConnection, KilledDatabase } from './killed-database.ts';
import { behaviours, Receivers } from './receivers.ts';
import { Unsubscriber } from './unsubscriber.ts';

export interface GroundPlan {
  clients: number;
  seed: number;
  tell: (line: string) => void;
}

/** Stopped at the end, in reverse order. */
export type Stops = (() => Promise<unknown>)[];

/** The first process serves requests. Everything that is started adds its stop to `stops`. */
export type StartProcesses = (
  place: { databaseUrl: string; folder: string },
  stops: Stops,
) => Promise<readonly DeliveryProcess[]>;

export async function withGround<T>(
  plan: GroundPlan,
  startProcesses: StartProcesses,
  work: (run: DeliveryCourse) => Promise<T>,
): Promise<T> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'flaghoist-endurance-')));
  const stops: Stops = [() => rm(folder, { recursive: true, force: true })];
  try {
    const database = await KilledDatabase.start(join(folder, 'database'));
    stops.push(() => database.stop());
    const receivers = await Receivers.start(new Dice(plan.seed));
    stops.push(() => receivers.stop());
    const processes = await startProcesses({ databaseUrl: database.url, folder }, stops);
    const agent = new Agent();
    stops.push(() => agent.destroy());
    const connect = () => {
      const connection = new KilledConnection(database.url);
      stops.push(() => connection.end());
      return connection;
    };
    return await work(await prepare({ plan, folder, database, receivers, processes, agent, connect }));
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

interface Ground {
  plan: GroundPlan;
  folder: string;
  database: KilledDatabase;
  receivers: Receivers;
  /** The first serves requests. */
  processes: readonly DeliveryProcess[];
  agent: Agent;
  connect: () => KilledConnection;
}

export interface DeliveryCourse extends Ground {
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

async function prepare(ground: Ground): Promise<DeliveryCourse> {
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

/** Subscriptions with the most changes have healthy receivers. Most others stay subscribed whatever happens. */
const firstTargets = [
  ...[0, 9, 13, 1, 15, 10, 2, 11, 14, 16, 18, 12, 19, 17, 3].map((receiver) => ({
    receiver,
    isKept: behaviours[receiver] !== 'well' && receiver !== 10,
  })),
];

function targetOf(receivers: Receivers, index: number, doNotUnsubscribe: boolean): object {
  return { url: receivers.urls[index], doNotUnsubscribe };
}
