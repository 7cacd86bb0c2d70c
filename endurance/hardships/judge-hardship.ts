// Judges the service during a hardship: its responses and their times, its log, its stop and start, and its memory. The
// balance judges whether anything was lost.

import type { Finding } from '../finding.ts';
import type { AnswerCount, Phase, Status } from './answer-books.ts';
import type { Hardship } from './hardship.ts';
import type { StartFacts, StopFacts } from './hardship-service.ts';
import type { LogCount } from './log-lines.ts';

export interface HardshipFacts {
  answers: readonly AnswerCount[];
  log: readonly { phase: Phase; counts: readonly LogCount[] }[];
  stop: StopFacts;
  start: StartFacts;
  peakMb: number;
}

export const answerMsMax = 10_000;
/** The default of FLAGHOIST_STOP_TIMEOUT_SECONDS, plus the stop of the embedded database. */
export const stopMsMax = 25_000;
/** Warnings and errors of one kind in one phase, so that there is not one per request. */
export const linesMax = 10;
/** An outage is logged once; with a restart, by each of the two processes. */
const outageLinesMax = { 'stop and start': 2, others: 1 };

export function judgeHardship(hardship: Hardship, facts: HardshipFacts): Finding[] {
  return [
    ...facts.answers.flatMap((answer) => judgeAnswer(hardship, answer)),
    ...judgeShown(hardship, facts.answers),
    ...facts.log.flatMap(({ phase, counts }) => counts.flatMap((count) => judgeLines(phase, count))),
    ...judgeStop(facts.stop),
    ...judgeStart(facts.start),
    ...judgeMemory(hardship, facts.peakMb),
  ];
}

function judgeAnswer({ allowed }: Hardship, { phase, asker, status, count, slowestMs }: AnswerCount): Finding[] {
  const about = `${phase}, ${asker}: ${count} times ${status}, the slowest after ${Math.round(slowestMs)} ms`;
  return [
    ...(isAllowed(allowed, phase, status) ? [] : [{ kind: 'wrong answer' as const, text: about }]),
    ...(slowestMs > answerMsMax ? [{ kind: 'too late' as const, text: about }] : []),
  ];
}

/** 409: a create is repeated while the first request with its Idempotency-Key is still running. */
const alwaysAllowed: readonly Status[] = [200, 201, 409];
/** For a while nothing listens, and a service that starts or stops rejects requests. */
const allowedAtStop: readonly Status[] = ['lost', 503];

function isAllowed(allowed: Hardship['allowed'], phase: Phase, status: Status): boolean {
  if ([...alwaysAllowed, ...allowed].includes(status)) return true;
  return phase === 'stop and start' && allowedAtStop.includes(status);
}

function judgeShown({ shows }: Hardship, answers: readonly AnswerCount[]): Finding[] {
  const isSeen = ({ asker, status }: Hardship['shows'][number]) =>
    answers.some((answer) => answer.phase === 'hardship' && answer.asker === asker && answer.status === status);
  return shows
    .filter((wanted) => !isSeen(wanted))
    .map(({ asker, status }) => ({ kind: 'nothing shown', text: `no ${asker} was answered with ${status}` }));
}

function judgeLines(phase: Phase, { level, msg, count, facts }: LogCount): Finding[] {
  if (level === 'info' || count <= linesMaxOf(phase, msg)) return [];
  return [{ kind: 'too many log lines', text: `${phase}: ${count} times ${msg}, the first: ${facts}` }];
}

function linesMaxOf(phase: Phase, msg: string): number {
  if (msg !== 'database.unavailable') return linesMax;
  return phase === 'stop and start' ? outageLinesMax['stop and start'] : outageLinesMax.others;
}

function judgeStop({ tookMs, ending }: StopFacts): Finding[] {
  return [
    ...(tookMs > stopMsMax ? [{ kind: 'too late' as const, text: `the stop took ${Math.round(tookMs)} ms` }] : []),
    ...(ending === 'exit code 0' ? [] : [{ kind: 'service ended' as const, text: `the stop ended with ${ending}` }]),
  ];
}

/** Reporting that it cannot start is allowed; any other exit is not. */
function judgeStart({ state, output }: StartFacts): Finding[] {
  const isPlain = state !== 'ended' || /^Flaghoist cannot /m.test(output);
  return isPlain ? [] : [{ kind: 'service ended', text: `in a start: ${output}` }];
}

function judgeMemory({ memoryMbMax }: Hardship, peakMb: number): Finding[] {
  if (memoryMbMax === undefined || peakMb <= memoryMbMax) return [];
  return [{ kind: 'too much memory', text: `${Math.round(peakMb)} MB, ${memoryMbMax} are allowed` }];
}
