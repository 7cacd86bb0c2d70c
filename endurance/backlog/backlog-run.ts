// The service was down for an hour, and a million notifications are due when it starts. It is ready soon, delivers
// soon, answers requests meanwhile, needs no more memory than usual, and every notification arrives.

import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { awaitRecorded, insertBacklog, reserveKeys, selectOutcomes } from '../../bench/delivery/delivery-table.ts';
import { nowMs } from '../../bench/delivery/moment.ts';
import type { NotificationPlan } from '../../bench/delivery/planned-notifications.ts';
import { type Service, startService } from '../../bench/delivery/servers.ts';
import { Sink } from '../../bench/delivery/sink-process.ts';
import { makeWorld, openStand, type Stand, type World } from '../../bench/delivery/world.ts';
import { readMachineFacts } from '../../bench/harness/machine-facts.ts';
import { peakMemoryMb } from '../../bench/harness/process-usage.ts';
import { authorize } from '../../bench/harness/service-client.ts';
import { startEmbedded } from '../../packages/server/src/database/embedded-server.ts';
import { waitForServer } from '../../packages/server/src/database/wait-for-server.ts';
import { ApiProbe, type Probed } from './api-probe.ts';
import { judgeBacklog, keepBooks, type PeakMemory, ratesByTenth } from './backlog-books.ts';
import type { BacklogResult } from './backlog-report.ts';
import { countClaimed, letSomeBeDue } from './backlog-table.ts';

export interface BacklogPlan {
  rows: number;
  receivers: number;
  tell: (line: string) => void;
}

const voyages = 200;
const patienceMs = 60_000;
const restMs = 5_000;

export async function runBacklog(plan: BacklogPlan): Promise<BacklogResult> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'flaghoist-backlog-')));
  const database = await startEmbedded({ dataDir: folder, observe: () => undefined });
  const sink = await Sink.start(Array.from({ length: plan.receivers }, () => ({ kind: 'prompt' })));
  try {
    const facts = readMachineFacts(await waitForServer(database.url, () => undefined));
    const world = await makeWorld(database.url, folder, Math.max(voyages, plan.receivers + 1));
    const stand = await openStand(world, 'backlog', sink.urls);
    plan.tell(`filling the queue with ${plan.rows} rows`);
    const planned = await fill(stand, plan.rows);
    return { ...plan, facts, ...(await deliver(plan, { world, stand, sink, planned })) };
  } finally {
    await sink.stop();
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function fill({ template, subscribed, databaseUrl }: Stand, count: number): Promise<NotificationPlan> {
  const planned = { template, subscribed, count, firstKey: await reserveKeys(databaseUrl, count) };
  await insertBacklog(databaseUrl, planned);
  await letSomeBeDue(databaseUrl);
  return planned;
}

interface Field {
  world: World;
  stand: Stand;
  sink: Sink;
  planned: NotificationPlan;
}

type Delivered = Omit<BacklogResult, keyof BacklogPlan | 'facts'>;

async function deliver(plan: BacklogPlan, field: Field): Promise<Delivered> {
  const { world, stand, sink } = field;
  await sink.begin();
  const startedAtMs = nowMs();
  const since = (atMs: number) => (atMs - startedAtMs) / 1000;
  const service = await startService({ ...stand, roles: 'api,worker' });
  const ready = since(nowMs());
  plan.tell(`ready after ${ready.toFixed(1)} s`);
  try {
    const headers = await authorize(service.origin);
    const paths = ['/health/ready', `/ws/rest/Voyage/${world.voyageKeys[0]}`];
    const probe = new ApiProbe(service.origin, paths, headers);
    const atTenthMb = await watchDelivery(plan, sink, service);
    const recorded = since(await awaitRecorded(stand.databaseUrl, patienceMs));
    const busy = await probe.stop();
    const memory: PeakMemory = { atTenthMb, atEndMb: await peakMemoryMb(service.program.pid) };
    plan.tell('all is recorded; the same requests at rest');
    const calm = await probeAtRest(service, paths, headers);
    const received = await sink.take();
    const [firstReceived, lastReceived] = [received.atMs[0], received.atMs.at(-1)].map((at) => since(at ?? Number.NaN));
    const times = { ready, firstReceived: firstReceived!, lastReceived: lastReceived!, recorded };
    const books = keepBooks(field.planned, received, await readOutcomes(stand));
    const findings = [...judgeBacklog(books, times, memory), ...probe.findings];
    return { books, times, memory, busy, calm, findings, rates: ratesByTenth(received.atMs) };
  } finally {
    await service.program.stop();
  }
}

async function readOutcomes({ databaseUrl }: Stand) {
  return { ...(await selectOutcomes(databaseUrl)), claimed: await countClaimed(databaseUrl) };
}

/** Waits until all are received, or none arrives any more. Returns the peak memory after a tenth. */
async function watchDelivery(
  { rows, tell }: BacklogPlan,
  sink: Sink,
  { program }: Service,
): Promise<number | undefined> {
  let atTenthMb: number | undefined;
  for (let tenth = 1; tenth <= 10; tenth += 1) {
    const received = await sink.wait(Math.ceil((rows * tenth) / 10), patienceMs);
    const peakMb = await peakMemoryMb(program.pid);
    if (tenth === 1) atTenthMb = peakMb;
    tell(`${received} received, peak memory ${peakMb?.toFixed(0) ?? '?'} MB`);
    if (received < (rows * tenth) / 10) break;
  }
  return atTenthMb;
}

async function probeAtRest(
  { origin }: Service,
  paths: readonly string[],
  headers: Record<string, string>,
): Promise<Probed[]> {
  const probe = new ApiProbe(origin, paths, headers);
  await sleep(restMs);
  return await probe.stop();
}
