// A constant load of changes for scripts and stylesheets, one in ten of them hostile. Every change has exactly one
// result per subscription, and the memory of the worker does not grow.

import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangePlan, ChangeResult } from '../../bench/delivery/change-generator.ts';
import { changeVoyage, startGenerator } from '../../bench/delivery/latency.ts';
import { type Service, startService } from '../../bench/delivery/servers.ts';
import { Sink } from '../../bench/delivery/sink-process.ts';
import { makeWorld, type World } from '../../bench/delivery/world.ts';
import { readMachineFacts } from '../../bench/harness/machine-facts.ts';
import { selectLastEventId } from '../../bench/matching/matching-table.ts';
import { openScriptedStand, type ScriptedStand } from '../../bench/sandbox/scripted-world.ts';
import { startEmbedded } from '../../packages/server/src/database/embedded-server.ts';
import { waitForServer } from '../../packages/server/src/database/wait-for-server.ts';
import type { Finding } from '../finding.ts';
import { lookAt, ProcessWatch } from './process-watch.ts';
import { footprintOf, judgeAccounts, judgeFootprint, judgeReceived } from './sandbox-books.ts';
import type { SandboxResult } from './sandbox-report.ts';
import { placesOf, planSubscriptions, type RunSubscription, voyagesChanged } from './sandbox-subscriptions.ts';
import { countLeft, selectAccounts } from './sandbox-table.ts';

export interface SandboxPlan {
  minutes: number;
  perSecond: number;
  tell: (line: string) => void;
}

const receivers = 10;

export async function runSandbox(plan: SandboxPlan): Promise<SandboxResult> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'flaghoist-sandbox-')));
  const database = await startEmbedded({ dataDir: folder, observe: () => undefined });
  const sink = await Sink.start(Array.from({ length: receivers }, () => ({ kind: 'prompt' })));
  try {
    const facts = readMachineFacts(await waitForServer(database.url, () => undefined));
    plan.tell('making the voyages and the subscriptions');
    const world = await makeWorld(database.url, folder, 2 * voyagesChanged);
    const planned = planSubscriptions(world.voyageKeys, sink.urls);
    const stand = await openScriptedStand(world, 'soak', planned);
    // Suppressed matches are counted at the end.
    const settings = { FLAGHOIST_DECISION_EVENTS_KEPT: '10000000' };
    const service = await startService({ ...stand, roles: 'worker', settings });
    try {
      return { ...plan, facts, ...(await soak(plan, { world, stand, sink, service, planned })) };
    } finally {
      await service.program.stop();
    }
  } finally {
    await sink.stop();
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Field {
  world: World;
  stand: ScriptedStand;
  sink: Sink;
  service: Service;
  planned: readonly RunSubscription[];
}

type Soaked = Omit<SandboxResult, keyof SandboxPlan | 'facts'>;

async function soak(plan: SandboxPlan, field: Field): Promise<Soaked> {
  const { stand, sink, service } = field;
  const { pid } = service.program;
  const lastEventId = await selectLastEventId(stand.databaseUrl);
  await sink.begin();
  const idle = await lookAt(pid);
  const watch = new ProcessWatch(pid);
  const stopTelling = tellNowAndThen(plan, stand, watch);
  const made = await makeChanges(plan, field);
  await watch.stop();
  stopTelling();
  const startedAt = performance.now();
  const findings = await settle(plan, field);
  const settledMs = performance.now() - startedAt;
  const footprint = footprintOf(watch.samples, idle.threads, (await lookAt(pid)).threads);
  const accounts = await selectAccounts(stand.databaseUrl, lastEventId);
  const subscriptions = field.planned.map((each, n) => ({ ...each, key: stand.subscriptionKeys[n]! }));
  const delivered = accounts.reduce((sum, account) => sum + account.delivered, 0);
  findings.push(
    ...judgeChanges(made),
    ...judgeAccounts(subscriptions, accounts),
    ...judgeReceived((await sink.take()).ids, delivered),
    ...judgeFootprint(footprint, plan.minutes >= minutesForMemory),
  );
  return { changes: made.done, subscriptions, accounts, footprint, settledMs, findings };
}

/** A shorter run is mostly warm-up. */
export const minutesForMemory = 3;

function judgeChanges({ failures }: ChangeResult): Finding[] {
  return Object.entries(failures).map(([why, count]) => ({
    kind: 'lost change',
    text: `${count} were refused: ${why}`,
  }));
}

async function makeChanges({ minutes, perSecond, tell }: SandboxPlan, { world, stand }: Field): Promise<ChangeResult> {
  const generator = startGenerator();
  const count = Math.round(minutes * 60 * perSecond);
  const cycleSeconds = Math.min(cycleSecondsMax, (minutes * 60) / 2);
  const places = placesOf(world.voyageKeys, cycleSeconds * perSecond);
  tell(`${count} changes, ${perSecond} a second`);
  try {
    const by: ChangePlan['by'] = { kind: 'sql', databaseUrl: stand.databaseUrl, statement: changeVoyage, places };
    return await generator.ask<ChangeResult>({ by, perSecond, count, mark: 'change' } satisfies ChangePlan);
  } finally {
    await generator.stop();
  }
}

/** Longer than any pause of a lane. */
const cycleSecondsMax = 64;

const patienceMs = 120_000;

/** Waits until no work is left, or there is no progress. */
async function settle({ tell }: SandboxPlan, { stand, service }: Field): Promise<Finding[]> {
  let [least, progressedAt] = [Number.POSITIVE_INFINITY, performance.now()];
  for (;;) {
    const left = await countLeft(stand.databaseUrl);
    if (left === 0) return [];
    if (service.program.hasExited) return [{ kind: 'service ended', text: service.program.output }];
    if (left < least) [least, progressedAt] = [left, performance.now()];
    if (performance.now() - progressedAt > patienceMs) return [{ kind: 'notification left', text: `${left} are left` }];
    tell(`${left} are left`);
    await sleep(1_000);
  }
}

const toldEveryMs = 15_000;

function tellNowAndThen({ tell }: SandboxPlan, { databaseUrl }: ScriptedStand, watch: ProcessWatch): () => void {
  const timer = setInterval(async () => {
    const { memoryMb, threads } = watch.samples.at(-1) ?? { memoryMb: Number.NaN, threads: Number.NaN };
    const left = await countLeft(databaseUrl).catch(() => Number.NaN);
    tell(`${memoryMb.toFixed(0)} MB, ${threads} threads, ${left} to be done`);
  }, toldEveryMs);
  return () => clearInterval(timer);
}
