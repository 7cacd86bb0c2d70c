// How fast a worker delivers a backlog that gathered while no worker was running, compared with a bare loop that sends
// the same notifications from memory. The two take turns.

import { createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decodeSecret } from '../../packages/server/src/channels/http/sign.ts';
import type { Ledger } from '../harness/ledger.ts';
import { NodeProgram } from '../harness/node-program.ts';
import { peakMemoryMb, processorMs } from '../harness/process-usage.ts';
import { timeByArea } from '../harness/profile-areas.ts';
import { dearestFunctions, type FunctionTime } from '../harness/profile-functions.ts';
import { type CpuProfile, inspectorArgument, recordProfile } from '../harness/record-profile.ts';
import { measureInRounds } from '../harness/rounds.ts';
import { selectBackendPids } from '../rest/fleet-table.ts';
import { Tally } from './backlog-tally.ts';
import type { BarePlan, BareResult } from './bare-loop.ts';
import { awaitRecorded, forgetNotifications, insertBacklog, reserveKeys, selectOutcomes } from './delivery-table.ts';
import type { NotificationPlan } from './planned-notifications.ts';
import { inFlight, inFlightPerReceiver, type Service, startService } from './servers.ts';
import type { Received, SinkMake } from './sink.ts';
import { Sink } from './sink-process.ts';
import type { Sizes } from './sizes.ts';
import { StatementRelay } from './statement-relay.ts';
import { openStand, type Stand, type World } from './world.ts';

export interface BacklogRound {
  perSecond: number;
  /** Of the sending process, per notification. */
  senderUs: number;
  /** Of PostgreSQL on its behalf; NaN for the bare loop. */
  databaseUs: number;
}

export interface Compared {
  ours: BacklogRound[];
  bare: BacklogRound[];
  peakMemoryMb: number | undefined;
}

export interface Backlog extends Compared {
  sizes: Sizes['backlog'];
  bodyBytes: number;
  /** With receivers that are servers of `node:http`, and take more of the machine. */
  plain: Compared;
  statementsPerDelivery: number;
  /** Shares of the worker's processor time. */
  areas: [string, number][];
  functions: FunctionTime[];
}

export interface BacklogRun {
  world: World;
  sizes: Sizes['backlog'];
  ledger: Ledger;
  profiles: string | undefined;
  tell: (line: string) => void;
}

export async function measureBacklog(run: BacklogRun): Promise<Backlog> {
  const plain = await withField(run, 'plain', compare);
  return await withField(run, 'lean', async (field) => {
    const compared = await compare(field);
    run.tell('counting statements');
    const statementsPerDelivery = await countStatements(field);
    run.tell('taking a profile');
    const profile = await profileWorker(field);
    return {
      sizes: run.sizes,
      bodyBytes: Buffer.byteLength(field.stand.template.body),
      ...compared,
      plain,
      statementsPerDelivery,
      areas: sharesOf(timeByArea(profile)),
      functions: dearestFunctions(profile, 40),
    };
  });
}

async function withField<T>(run: BacklogRun, make: SinkMake, work: (field: Field) => Promise<T>): Promise<T> {
  const sink = await Sink.start(
    Array.from({ length: run.sizes.receivers }, () => ({ kind: 'prompt' })),
    make,
  );
  try {
    run.tell(`  ${make} receivers`);
    const stand = await openStand(run.world, `backlog_${make}`, sink.urls);
    const field: Field = { ...run, stand, sink, ours: new Tally(), bare: new Tally() };
    const result = await work(field);
    field.ours.keepBooks(run.ledger, `backlog, ${make} receivers, ours`);
    field.bare.keepBooks(run.ledger, `backlog, ${make} receivers, bare`);
    return result;
  } finally {
    await sink.stop();
  }
}

interface Field extends BacklogRun {
  stand: Stand;
  sink: Sink;
  ours: Tally;
  bare: Tally;
}

async function compare(field: Field): Promise<Compared> {
  const { sizes, stand, tell } = field;
  const service = await startService({ ...stand, roles: 'worker' });
  const loop = new NodeProgram({
    script: fileURLToPath(new URL('./bare-loop.js', import.meta.url)),
    hasChannel: true,
  });
  const samples = new Map<string, string[]>();
  // A round is a number of notifications, not a duration.
  const countOf = (durationMs: number) => (durationMs === 0 ? sizes.aside : sizes.notifications);
  const contender = (name: 'ours' | 'bare', work: (count: number) => Promise<Delivered>) => ({
    name,
    measure: async (durationMs: number) => {
      const { round, received } = await work(countOf(durationMs));
      samples.set(name, received.samples);
      tell(`  ${name}: ${round.perSecond.toFixed(0)}/s, ${round.senderUs.toFixed(0)} µs of processor time each`);
      return round;
    },
  });
  try {
    const measured = await measureInRounds(
      [
        contender('ours', (count) => deliverBacklog(field, service, count)),
        contender('bare', (count) => sendBare(field, loop, count)),
      ],
      { rounds: sizes.rounds, durationMs: 1, warmUpMs: 0 },
    );
    checkAlike(field, samples.get('ours')!, samples.get('bare')!);
    return {
      ours: measured.get('ours')!,
      bare: measured.get('bare')!,
      peakMemoryMb: await peakMemoryMb(service.program.pid),
    };
  } finally {
    await service.program.stop();
    await loop.stop();
  }
}

interface Delivered {
  round: BacklogRound;
  received: Received;
}

async function planFor({ stand }: Pick<Field, 'stand'>, count: number): Promise<NotificationPlan> {
  const { template, subscribed, databaseUrl } = stand;
  return { template, subscribed, count, firstKey: await reserveKeys(databaseUrl, count) };
}

const recordPatienceMs = 10_000;

/** `orderedObjects`: about how many objects they are, if they are sent in order. */
export async function deliverBacklog(
  field: Pick<Field, 'stand' | 'sink' | 'ours'>,
  { program }: Service,
  count: number,
  orderedObjects = 0,
): Promise<Delivered> {
  const { sink, stand, ours } = field;
  const { databaseUrl } = stand;
  const plan = { ...(await planFor(field, count)), orderedObjects };
  await sink.begin();
  const used = await startMeter([program.pid]);
  const usedByDatabase = await startMeter(await selectBackendPids(databaseUrl));
  await insertBacklog(databaseUrl, plan);
  await sink.wait(count);
  const recordedAtMs = await awaitRecorded(databaseUrl, recordPatienceMs);
  const [senderMs, databaseMs] = [await used(), await usedByDatabase()];
  const received = await sink.take();
  const { delivered, other, pending } = await selectOutcomes(databaseUrl);
  ours.add(plan, received, { done: delivered, undone: other + pending });
  await forgetNotifications(databaseUrl);
  const round = {
    perSecond: rateOf(received, recordedAtMs),
    senderUs: (senderMs * 1000) / count,
    databaseUs: (databaseMs * 1000) / count,
  };
  return { round, received };
}

async function sendBare(field: Field, loop: NodeProgram, count: number): Promise<Delivered> {
  const { sink, bare } = field;
  const plan: BarePlan = { ...(await planFor(field, count)), inFlight, inFlightPerReceiver, userAgent };
  await sink.begin();
  const { statuses, processorMs } = await loop.ask<BareResult>(plan);
  const received = await sink.take();
  const answered = statuses[200] ?? 0;
  bare.add(plan, received, { done: answered, undone: count - answered });
  const round = { perSecond: rateOf(received, 0), senderUs: (processorMs * 1000) / count, databaseUs: Number.NaN };
  return { round, received };
}

const userAgent = 'Flaghoist/0.1.0';

/** From the first notification received until the last is received and, if the sender records, recorded. */
function rateOf({ atMs }: Received, recordedAtMs: number): number {
  return ((atMs.length - 1) * 1000) / (Math.max(atMs.at(-1)!, recordedAtMs) - atMs[0]!);
}

/** Checks that both send the same headers, and bodies with valid signatures. */
function checkAlike({ ledger, stand }: Field, ours: string[], bare: string[]): void {
  ledger.expect('headers of both', headerNames(ours[0]!), headerNames(bare[0]!));
  for (const [who, samples] of [
    ['ours', ours],
    ['bare', bare],
  ] as const)
    ledger.expect(
      `${who}: signatures that are right, of those looked at`,
      samples.length,
      samples.filter((sample) => isSigned(sample, stand)).length,
    );
}

function headersOf(sample: string): Map<string, string> {
  const [head = ''] = sample.split('\r\n\r\n');
  const lines = head
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(': ') as [string, string]);
  return new Map(lines.map(([name, value]) => [name.toLowerCase(), value]));
}

function headerNames(sample: string): string {
  return [...headersOf(sample).keys()].sort().join(' ');
}

function isSigned(sample: string, { subscribed }: Stand): boolean {
  const headers = headersOf(sample);
  const body = sample.slice(sample.indexOf('\r\n\r\n') + 4);
  const subscription = subscribed.find(({ url }) => new URL(url).host === headers.get('host'))!;
  const text = `${headers.get('webhook-id')}.${headers.get('webhook-timestamp')}.${body}`;
  const hmac = createHmac('sha256', decodeSecret(subscription.signingSecret)).update(text).digest('base64');
  return headers.get('webhook-signature') === `v1,${hmac}`;
}

async function countStatements(field: Field): Promise<number> {
  const { stand, sizes } = field;
  const relay = await StatementRelay.open(stand.databaseUrl);
  const service = await startService({ ...stand, databaseUrl: relay.url, roles: 'worker' });
  try {
    const before = relay.statements;
    await deliverBacklog(field, service, sizes.aside);
    return (relay.statements - before) / sizes.aside;
  } finally {
    await service.program.stop();
    relay.close();
  }
}

async function profileWorker(field: Field): Promise<CpuProfile> {
  const { stand, sizes, profiles } = field;
  const service = await startService({ ...stand, roles: 'worker', nodeArgs: [inspectorArgument] });
  try {
    await deliverBacklog(field, service, sizes.aside);
    const profile = await recordProfile(service.program.output, async () => {
      await deliverBacklog(field, service, sizes.aside);
    });
    if (profiles !== undefined) await writeFile(join(profiles, 'delivery-backlog.cpuprofile'), JSON.stringify(profile));
    return profile;
  } finally {
    await service.program.stop();
  }
}

function sharesOf(times: Map<string, number>): [string, number][] {
  const whole = [...times.values()].reduce((sum, time) => sum + time, 0);
  return [...times].map(([area, time]): [string, number] => [area, time / whole]).sort(([, a], [, b]) => b - a);
}

/** Processor time of these processes from now on; NaN if the system does not report it. */
async function startMeter(pids: number[]): Promise<() => Promise<number>> {
  const read = () => Promise.all(pids.map((pid) => processorMs(pid)));
  const before = await read();
  return async () => {
    const after = await read();
    return pids.reduce((sum, _, n) => sum + (after[n] ?? before[n] ?? Number.NaN) - (before[n] ?? Number.NaN), 0);
  };
}
