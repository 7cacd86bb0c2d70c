// A primary and its synchronous standby under load: the primary is killed, the standby promoted, and the former primary
// replaced by a new standby, over and over. Nothing that was answered may be lost.

import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { type MachineFacts, readMachineFacts } from '../../bench/harness/machine-facts.ts';
import { authorize } from '../../bench/harness/service-client.ts';
import { Dice } from '../dice.ts';
import type { Finding } from '../finding.ts';
import { balanceFailovers, type FailoverBalance } from './failover-ledger.ts';
import { FailoverLoad } from './failover-load.ts';
import { FailoverProcesses } from './failover-processes.ts';
import { type FailoverReceiver, openFailoverReceiver } from './failover-receiver.ts';
import { countLeft, selectChanges, selectNotifications, selectVersion } from './failover-table.ts';
import { Pooler } from './pooler.ts';
import { PostgresPair } from './postgres-pair.ts';

export interface FailoverPlan {
  rounds: number;
  clients: number;
  throughPgbouncer: boolean;
  seed: number;
  tell: (line: string) => void;
}

export interface Failover {
  killedAt: number;
  /** When the standby was a primary. */
  promotedAt: number;
  /** When a change was accepted that had begun after the kill. */
  backAt: number;
}

export interface FailoverResult extends Omit<FailoverPlan, 'tell'> {
  seconds: number;
  failovers: Failover[];
  counts: { accepted: number; unknown: number; notifications: number; requests: number };
  balance: FailoverBalance;
  findings: Finding[];
  facts: MachineFacts;
}

interface Course {
  plan: FailoverPlan;
  pair: PostgresPair;
  pooler: Pooler | undefined;
  processes: FailoverProcesses;
  receiver: FailoverReceiver;
}

export async function runFailover(plan: FailoverPlan): Promise<FailoverResult> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'flaghoist-endurance-')));
  const stops: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const pair = await PostgresPair.start(folder);
    stops.push(() => pair.stop());
    const pooler = plan.throughPgbouncer ? await Pooler.start(pair.urlOf(pair.primary)) : undefined;
    stops.push(() => pooler?.stop());
    const receiver = await openFailoverReceiver();
    stops.push(() => receiver.close());
    const processes = new FailoverProcesses();
    stops.push(() => processes.stop());
    await processes.start(pooler?.url ?? pair.urlOfAll());
    return await failOverAndBalance({ plan, pair, pooler, processes, receiver });
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

async function failOverAndBalance(course: Course): Promise<FailoverResult> {
  const { plan, pair, processes, receiver } = course;
  const facts = readMachineFacts(await selectVersion(pair));
  const { origin } = processes;
  const headers = await authorize(origin);
  await subscribe(origin, headers, receiver.url);
  const load = new FailoverLoad({ origin, headers, clients: plan.clients });
  const startedAt = performance.now();
  await load.start();
  const failovers = await failOver(course, load);
  await load.stop();
  const seconds = (performance.now() - startedAt) / 1000;
  const settled = await settle(pair);
  const { accepted, unknown } = load;
  const [events, notifications] = [await selectChanges(pair), await selectNotifications(pair)];
  const { received } = receiver;
  const balance = balanceFailovers({ accepted, unknown, events, notifications, received, failovers });
  const findings = [...load.findings, ...processes.findings, ...settled, ...balance.findings];
  const requests = [...received.values()].reduce((sum, { at }) => sum + at.length, 0);
  const counts = { accepted: accepted.size, unknown: unknown.size, notifications: notifications.size, requests };
  const { rounds, clients, throughPgbouncer, seed } = plan;
  return { rounds, clients, throughPgbouncer, seed, seconds, failovers, counts, balance, findings, facts };
}

async function subscribe(origin: string, headers: { authorization: string }, url: string): Promise<void> {
  const { statusCode, body } = await request(`${origin}/ws/rest/WebhookSubscription`, {
    method: 'POST',
    body: JSON.stringify({ eventType: 'Vessel.U', url }),
    headers: { ...headers, 'content-type': 'application/json' },
  });
  const text = await body.text();
  if (statusCode !== 201) throw new Error(`${statusCode}: ${text}`);
}

/** Each kill comes at a random moment. The standby confirms every commit by then. */
async function failOver({ plan, pair, pooler }: Course, load: FailoverLoad): Promise<Failover[]> {
  const dice = new Dice(plan.seed);
  const failovers: Failover[] = [];
  while (failovers.length < plan.rounds) {
    await sleep(dice.between(500, 1_500));
    const killedAt = performance.now();
    await pair.killPrimary();
    await pair.promote();
    const promotedAt = performance.now();
    await pooler?.pointTo(pair.portOf(pair.primary));
    await until(() => load.acceptedFrom > killedAt, backMaxMs, 'The service does not come back');
    const backAt = performance.now();
    failovers.push({ killedAt, promotedAt, backAt });
    await pair.makeStandby();
    const { accepted, unknown, findings } = load;
    plan.tell(
      `${failovers.length} failovers, without service for ${(backAt - killedAt).toFixed(0)} ms; ` +
        `${accepted.size} accepted, ${unknown.size} unknown, ${findings.length} findings`,
    );
  }
  return failovers;
}

const backMaxMs = 120_000;
const settleMaxMs = 180_000;

async function settle(pair: PostgresPair): Promise<Finding[]> {
  try {
    await until(async () => (await countLeft(pair)) === 0, settleMaxMs, 'Events or notifications are left');
    return [];
  } catch (error) {
    return [{ kind: 'events left', text: String(error) }];
  }
}

async function until(isDone: () => boolean | Promise<boolean>, maxMs: number, failure: string): Promise<void> {
  const startedAt = performance.now();
  while (!(await isDone())) {
    if (performance.now() - startedAt > maxMs) throw new Error(`${failure} within ${maxMs / 1000} s.`);
    await sleep(2);
  }
}
