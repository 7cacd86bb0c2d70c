// The course of one hardship, from the first change to the balance: once it comes and goes, once the service is
// stopped and started while it lasts. Starts and ends no processes but that service.

import { setTimeout as sleep } from 'node:timers/promises';
import { type Left, selectLeft } from '../delivery/delivery-table.ts';
import type { Finding } from '../finding.ts';
import { selectHistory } from '../writes/history-table.ts';
import type { AnswerBooks, Phase } from './answer-books.ts';
import type { Means, Stage } from './hardship.ts';
import { judgeBalance } from './hardship-balance.ts';
import type { HardshipReceiver } from './hardship-receiver.ts';
import type { HardshipService, StartFacts, StopFacts } from './hardship-service.ts';
import type { HardshipWriter } from './hardship-writer.ts';
import { countLines, type LogCount } from './log-lines.ts';

export interface Course {
  seconds: number;
  means: Means;
  service: HardshipService;
  stage: Stage;
  books: AnswerBooks;
  writers: readonly HardshipWriter[];
  receiver: HardshipReceiver;
  findings: Finding[];
  log: { phase: Phase; counts: LogCount[] }[];
  tell: (line: string) => void;
}

const calmMs = 3_000;
/** How long a start is watched while the hardship lasts. */
const startMs = 15_000;
const recoveryMsMax = 120_000;
/** A delivery that has failed is tried again after a minute. */
const settleMsMax = 240_000;

/** The hardship comes, and goes. */
export async function endure(course: Course): Promise<void> {
  for (const writer of course.writers) writer.resume();
  await inPhase(course, 'before', () => sleep(calmMs));
  await inPhase(course, 'hardship', async () => {
    await course.means.begin(course.stage);
    await sleep(course.seconds * 1000);
    await course.service.lookAtMemory();
    await recover(course);
  });
  await inPhase(course, 'after', () => sleep(calmMs));
  await balance(course);
}

/** The hardship comes, the service is stopped and started, and the hardship goes. */
export async function stopAndStart(course: Course): Promise<{ stop: StopFacts; start: StartFacts }> {
  const { service, means, stage, writers } = course;
  const facts = await inPhase(course, 'stop and start', async () => {
    for (const writer of writers) writer.resume();
    await means.begin(stage);
    await sleep((course.seconds * 1000) / 2);
    const stop = await service.stop();
    course.tell(`stopped after ${Math.round(stop.tookMs)} ms, ${stop.ending}`);
    service.startAgain();
    const start = await service.awaitStart(startMs);
    course.tell(`start: ${start.state} after ${Math.round(start.tookMs)} ms`);
    await means.end();
    // One that has said why it cannot start is started again by an operator, when the cause is gone.
    if (service.hasExited) service.startAgain();
    await recover(course);
    return { stop, start };
  });
  await inPhase(course, 'in the end', () => sleep(calmMs));
  await balance(course);
  return facts;
}

/** What is logged meanwhile is counted in this phase. */
async function inPhase<T>(course: Course, phase: Phase, work: () => Promise<T>): Promise<T> {
  const linesBefore = (await course.service.readLog()).length;
  course.books.phase = phase;
  const result = await work();
  const lines = await course.service.readLog();
  course.log.push({ phase, counts: countLines(lines.slice(linesBefore)) });
  return result;
}

/** A service that ended although nobody stopped it is a finding, and is started again, so that the run goes on. */
async function recover({ means, service, findings }: Course): Promise<void> {
  await means.end();
  const endedAt = performance.now();
  while (performance.now() - endedAt < recoveryMsMax) {
    const { state, output } = await service.awaitStart(recoveryMsMax);
    if (state === 'ready') return;
    if (state === 'still starting') break;
    findings.push({ kind: 'service ended', text: output });
    service.startAgain();
  }
  throw new Error(`The service was not ready again after ${recoveryMsMax} ms:\n${service.output}`);
}

async function balance({ service, writers, receiver, findings, tell }: Course): Promise<void> {
  await Promise.all(writers.map((writer) => writer.pause()));
  const changes = writers.flatMap((writer) => writer.changes);
  await service.withDatabase(async (client) => {
    const left = await awaitSettled(async () => selectLeft(async (text) => (await client.query(text)).rows));
    if (left) findings.push({ kind: 'notification left', text: JSON.stringify(left) });
    findings.push(...judgeBalance(changes, await selectHistory(client), receiver));
  });
  await service.lookAtMemory();
  tell(`${changes.length} changes, ${receiver.count} requests received, ${findings.length} findings`);
}

/** What is left in the queues when patience is over. */
async function awaitSettled(look: () => Promise<Left>): Promise<Left | undefined> {
  const startedAt = performance.now();
  for (;;) {
    const left = await look();
    if (left.events + left.pending === 0) return undefined;
    if (performance.now() - startedAt > settleMsMax) return left;
    await sleep(100);
  }
}
