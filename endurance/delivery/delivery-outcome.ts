// The outcome of a run: waits until everything is sent or has failed, and balances clients, log and receivers.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { readMachineFacts } from '../../bench/harness/machine-facts.ts';
import type { Finding } from '../finding.ts';
import { balance } from '../matching/matching-ledger.ts';
import { hearersIn } from '../matching/matching-subscriptions.ts';
import * as matchingTable from '../matching/matching-table.ts';
import type { DeliveryCourse } from './delivery-ground.ts';
import { balanceDeliveries, judgeEnded } from './delivery-ledger.ts';
import { attemptsMax, inFlightMax } from './delivery-processes.ts';
import type { DeliveryBooks } from './delivery-report.ts';
import * as table from './delivery-table.ts';

/** The clients are idle, and the receivers are healthy. */
export async function settleAndBalance(run: DeliveryCourse): Promise<DeliveryBooks> {
  const { plan, database, clients, unsubscriber, processes, receivers } = run;
  await Promise.all(processes.map((process) => process.awaitReady()));
  await Promise.all(clients.map((client) => client.pause()));
  await unsubscriber.stop();
  receivers.heal();
  plan.tell('all is well again');
  const settledMs = await awaitEmpty(run);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return { ...(await balanceAll(run, client)), settledMs };
  } finally {
    await client.end();
  }
}

async function balanceAll(run: DeliveryCourse, client: pg.Client) {
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

/** Saved and pending alerts: subscription → count. */
async function readAlerts({ folder, connection }: DeliveryCourse): Promise<Map<number, number>> {
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

/** On a busy machine matching falls behind, and everything would be delivered only after the kills. */
export async function keepPace({ clients, connection }: DeliveryCourse): Promise<void> {
  const { events } = await table.selectLeft(connection.ask.bind(connection));
  const isBehind = events > backlogMax;
  for (const client of clients)
    if (isBehind) await client.pause();
    else if (!client.isRunning) client.resume();
}

const patienceMs = 300_000;

/** Returns how long it took. Mail may take longer, so saved and pending mail both count. */
async function awaitEmpty({ connection, findings, plan }: DeliveryCourse): Promise<number> {
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
