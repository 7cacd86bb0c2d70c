// The course of one hardship, from the first change to the balance: once it starts and ends, once the service is
// restarted during it. Starts and stops no processes except that service.

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
/** How long a start is observed during the hardship. */
const startMs = 15_000;
const recoveryMsMax = 120_000;
/** A failed delivery is retried after a minute. */
const settleMsMax = 240_000;

/** The hardship starts and ends. */
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

/** The hardship starts, the service is restarted, and the hardship ends. */
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
    // If the service reported why it cannot start, an operator restarts it after the hardship.
    if (service.hasExited) service.startAgain();
    await recover(course);
    return { stop, start };
  });
  await inPhase(course, 'in the end', () => sleep(calmMs));
  await balance(course);
  return facts;
}

/** Log lines written meanwhile count in this phase. */
async function inPhase<T>(course: Course, phase: Phase, work: () => Promise<T>): Promise<T> {
  const linesBefore = (await course.service.readLog()).length;
  course.books.phase = phase;
  const result = await work();
  const lines = await course.service.readLog();
  course.log.push({ phase, counts: countLines(lines.slice(linesBefore)) });
  return result;
}

/** A service that exits without being stopped is a finding, and is restarted to continue the run. */
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

/** What is left in the queues after the time limit. */
async function awaitSettled(look: () => Promise<Left>): Promise<Left | undefined> {
  const startedAt = performance.now();
  for (;;) {
    const left = await look();
    if (left.events + left.pending === 0) return undefined;
    if (performance.now() - startedAt > settleMsMax) return left;
    await sleep(100);
  }
}
