// Runs one hardship after the other, each with its own service, database, receiver and clients.

import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MachineFacts, readMachineFacts } from '../../bench/harness/machine-facts.ts';
import { Dice } from '../dice.ts';
import type { Finding } from '../finding.ts';
import { selectVersion } from '../writes/history-table.ts';
import { AnswerBooks } from './answer-books.ts';
import { Caller } from './caller.ts';
import { clockSteps } from './clock-steps.ts';
import { fewDescriptors } from './few-descriptors.ts';
import { frozenDatabase, frozenEmbedded } from './frozen-database.ts';
import { fullDisk } from './full-disk.ts';
import type { Hardship, Means } from './hardship.ts';
import { type Course, endure, stopAndStart } from './hardship-course.ts';
import { HardshipReceiver } from './hardship-receiver.ts';
import { HardshipService } from './hardship-service.ts';
import { HardshipWriter } from './hardship-writer.ts';
import type { HardshipResult, HardshipsResult } from './hardships-report.ts';
import { judgeHardship } from './judge-hardship.ts';
import { littleMemory } from './little-memory.ts';
import { RepeatingCalls } from './repeating-calls.ts';

export interface HardshipsPlan {
  /** Duration of each. */
  seconds: number;
  /** The name of one; undefined: all. */
  only?: string;
  seed: number;
  tell: (line: string) => void;
}

export const hardships: readonly Hardship[] = [
  fullDisk,
  frozenDatabase,
  frozenEmbedded,
  clockSteps,
  fewDescriptors,
  littleMemory,
];

const writerCount = 4;
const startMsMax = 120_000;
const probeEveryMs = 500;

export async function runHardships(plan: HardshipsPlan): Promise<HardshipsResult> {
  const chosen = hardships.filter(({ name }) => plan.only === undefined || name === plan.only);
  const results: HardshipResult[] = [];
  let facts: MachineFacts | undefined;
  for (const hardship of chosen) {
    plan.tell(hardship.name);
    const outcome = await runHardship(hardship, plan);
    facts ??= outcome.machine;
    results.push(outcome.result);
  }
  return {
    seed: plan.seed,
    seconds: plan.seconds,
    hardships: results,
    facts: facts ?? readMachineFacts('not started'),
    findings: results.flatMap(findingsOf),
  };
}

function findingsOf(result: HardshipResult): Finding[] {
  if (result.kind === 'skipped') return [];
  return result.findings.map(({ kind, text }) => ({ kind, text: `${result.hardship.name}: ${text}` }));
}

interface Outcome {
  result: HardshipResult;
  machine?: MachineFacts;
}

async function runHardship(hardship: Hardship, plan: HardshipsPlan): Promise<Outcome> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'flaghoist-endurance-')));
  const stops: Stops = [() => rm(folder, { recursive: true, force: true })];
  try {
    const means = await hardship.prepare({ folder });
    if (means.kind === 'skipped') return { result: { kind: 'skipped', hardship, reason: means.reason } };
    stops.push(undoneAtExit(means));
    const course = await setUp(means, folder, plan, stops);
    const machine = readMachineFacts(await course.service.withDatabase(selectVersion));
    await endure(course);
    const { stop, start } = await stopAndStart(course);
    const facts = { answers: course.books.counts, log: course.log, stop, start, peakMb: course.service.peakMb };
    const findings = [...distinct(course.findings), ...judgeHardship(hardship, facts)];
    const changes = course.writers.flatMap((writer) => writer.changes);
    const received = course.receiver.count;
    return { machine, result: { kind: 'endured', hardship, facts, changes, received, findings } };
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

/** Even if the run is interrupted, no disk stays mounted and no process frozen. Returns the ordinary cleanup. */
function undoneAtExit(means: Means): () => void {
  const undo = () => {
    void means.end();
    means.dispose?.();
  };
  process.once('exit', undo);
  return () => {
    process.off('exit', undo);
    means.dispose?.();
  };
}

/** A later balance finds the same problems again. */
function distinct(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [`${finding.kind} ${finding.text}`, finding])).values()];
}

type Stops = (() => unknown)[];

async function setUp(means: Means, folder: string, plan: HardshipsPlan, stops: Stops): Promise<Course> {
  const service = await HardshipService.start(means, folder);
  // A frozen database could not be stopped.
  stops.push(() => service.stopAll());
  stops.push(() => means.end());
  const { state, output } = await service.awaitStart(startMsMax);
  if (state !== 'ready') throw new Error(`The service does not start: ${state}\n${output}`);
  const receiver = await HardshipReceiver.start();
  stops.push(() => receiver.stop());
  const books = new AnswerBooks();
  const { origin } = service;
  const caller = await Caller.open({ origin, books });
  stops.push(() => caller.close());
  const crowd = await Caller.open({ origin, books, asker: 'crowd' });
  stops.push(() => crowd.close());
  const vessel = await subscribe(caller, receiver.origin);
  const stage = { databaseDir: service.databaseDir, crowd, receiverOrigin: receiver.origin, vessel };
  await means.furnish?.(stage);
  const probe = new RepeatingCalls({ count: 1, pauseMs: probeEveryMs, call: () => caller.probeReady() });
  stops.push(() => probe.stop());
  const writers = Array.from(
    { length: writerCount },
    (_, index) => new HardshipWriter({ name: `w${index}`, dice: new Dice(plan.seed + index), caller, vessel }),
  );
  const { seconds, tell } = plan;
  return { seconds, means, service, stage, books, writers, receiver, findings: [], log: [], tell };
}

/** Returns a vessel for all voyages. */
async function subscribe(caller: Caller, receiverOrigin: string): Promise<number> {
  const json = Buffer.from('{"externalObjectKey":"*"}').toString('base64');
  for (const type of ['Vessel', 'Voyage'])
    for (const operation of ['C', 'U'])
      await caller.create('WebhookSubscription', {
        eventType: `${type}.${operation}`,
        url: `${receiverOrigin}/hook`,
        onlyMainObject: true,
        json,
      });
  return (await caller.create('Vessel', { vesselName: 'Endurance' })).key;
}
