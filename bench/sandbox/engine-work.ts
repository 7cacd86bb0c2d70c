// The work of the engines, in batches as in the loop of the service, and their results: the messages between the
// benchmark and the two programs that do the work.

import { createHash } from 'node:crypto';

/** `parsed once`: the bare engine also parses an object once for all scripts that see it. */
export type WorkName = 'one script' | 'hundred scripts' | 'hundred scripts, parsed once' | 'stylesheet';

export interface EnginePlan {
  kind: 'plan';
  scripts: string[];
  stylesheet: string;
  changes: Change[];
}

/** JSON texts, and the new object as XML. */
export interface Change {
  id: string;
  svcObject: string;
  oldSvcObject: string;
  xml: string;
}

export interface EngineRequest {
  kind: 'measure';
  work: WorkName;
  durationMs: number;
}

export interface EngineResult {
  perSecond: number;
  calls: number;
  answers: number;
  /** Of all results of the first batch. */
  digest: string;
}

export const user = JSON.stringify({ key: 1, userCode: 'ADA', name: 'Ada' });
export const parameters = '{}';

/** Half of a claim of the loop, which divides it between two threads. */
const callsInBatch = 200;

export interface Call {
  /** Which of the scripts. */
  script: number;
  change: Change;
}

/** One subscription with many changes, or many subscriptions with the same change. */
export function batchOf(work: WorkName, { changes, scripts }: EnginePlan, turn: number): Call[] {
  const each = work.startsWith('hundred') ? scripts.length : 1;
  return Array.from({ length: callsInBatch }, (_, n) => ({
    script: n % each,
    change: changes[Math.floor((turn * callsInBatch + n) / each) % changes.length]!,
  }));
}

/** Runs batches for this long. `run` returns one text per call. */
export async function runFor(
  plan: EnginePlan,
  { work, durationMs }: EngineRequest,
  run: (batch: Call[]) => Promise<string[]>,
): Promise<EngineResult> {
  let [calls, answers, digest] = [0, 0, ''];
  const startedAt = performance.now();
  for (let turn = 0; turn === 0 || performance.now() - startedAt < durationMs; turn += 1) {
    const texts = await run(batchOf(work, plan, turn));
    calls += callsInBatch;
    answers += texts.length;
    if (turn === 0) digest = createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, 16);
  }
  return { perSecond: (calls * 1000) / (performance.now() - startedAt), calls, answers, digest };
}

/** The result of a script call, in the same format from both. */
export function textOf(message: { subject?: string | undefined; body?: string | undefined } | undefined): string {
  return message ? `${message.subject} ${message.body}` : 'false';
}
