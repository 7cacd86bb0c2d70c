// The service with only the role `worker`, as operators run it, and its progress seen from outside.

import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@flaghoist/embedded-postgres';
import { request } from 'undici';
import type { NodeProgram } from '../harness/node-program.ts';
import { peakMemoryMb } from '../harness/process-usage.ts';
import { clientSettings } from '../harness/service-client.ts';
import { awaitReady, startServiceProcess } from '../harness/service-process.ts';

export interface Worker {
  databaseUrl: string;
  origin: string;
  program: NodeProgram;
}

export async function startWorker(databaseUrl: string, nodeArgs: string[] = [], roles = 'worker'): Promise<Worker> {
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const settings = {
    DATABASE_URL: databaseUrl,
    FLAGHOIST_ROLES: roles,
    FLAGHOIST_BASE_URL: 'http://flaghoist.test',
    FLAGHOIST_ENCRYPTION_KEY: '00'.repeat(32),
    ...clientSettings,
  };
  const program = startServiceProcess({ port, settings, nodeArgs });
  if (!(await awaitReady(program, origin))) throw new Error(`The worker does not start:\n${program.output}`);
  return { databaseUrl, origin, program };
}

export interface Progress {
  atMs: number;
  /** Events matched since the process was started. */
  matched: number;
}

export interface Sample extends Progress {
  /** The peak memory of the process so far. */
  peakMemoryMb: number | undefined;
}

const sampledEveryMs = 100;
const patienceMs = 120_000;

/** Polls until this many events were matched since the start of the process. */
export async function watchProgress({ origin, program }: Worker, events: number): Promise<Sample[]> {
  const samples: Sample[] = [];
  let progressedAt = performance.now();
  for (;;) {
    const matched = await countMatched(origin);
    const atMs = performance.now();
    if (matched !== samples.at(-1)?.matched) progressedAt = atMs;
    samples.push({ atMs, matched, peakMemoryMb: await peakMemoryMb(program.pid) });
    if (matched >= events) return samples;
    if (program.hasExited || atMs - progressedAt > patienceMs)
      throw new Error(`The worker has stopped at ${matched} of ${events} events:\n${program.output}`);
    await sleep(sampledEveryMs);
  }
}

export async function countMatched(origin: string): Promise<number> {
  const { body } = await request(`${origin}/metrics`);
  const text = await body.text();
  return Number(/^flaghoist_events_matched_total (\d+)$/m.exec(text)?.[1] ?? 0);
}

/** Events per second from the first observation to the last. The wait for the first does not count. */
export function rateOf(samples: readonly Progress[]): number {
  const begun = samples.findIndex(({ matched }) => matched > samples[0]!.matched);
  // If all were matched at once, only the wait can be measured.
  const from = samples[begun === samples.length - 1 ? begun - 1 : begun]!;
  const to = samples.at(-1)!;
  return ((to.matched - from.matched) * 1000) / (to.atMs - from.atMs);
}
