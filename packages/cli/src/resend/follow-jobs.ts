// Prints that ResendJobs were started and, on request, their progress until they end.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Whole } from '@flaghoist/sdk';
import type { ServiceOptions } from '../command/service-command.ts';
import { printResult } from '../terminal/output.ts';

export interface FollowOptions extends ServiceOptions {
  wait?: boolean;
  dryRun?: boolean;
}

export interface Started {
  total: number;
  isEstimate?: boolean;
  job?: number | null;
  jobSelf?: string | null;
}

type ResendJob = Whole<'ResendJob'>;

/** One job prints an object, several ones an array. */
export async function followJobs(
  client: Client,
  started: Started | readonly Started[],
  options: FollowOptions,
): Promise<void> {
  const all = [started].flat();
  const keys = all.flatMap(({ job }) => job ?? []);
  const text = options.dryRun ? renderCount(all) : renderStarted(all);
  if (!options.wait || keys.length === 0) {
    printResult(options, started, text);
    return;
  }
  if (!options.json) process.stdout.write(text);
  const jobs: ResendJob[] = [];
  for (const key of keys) jobs.push(await follow(client, key, options));
  printResult(options, Array.isArray(started) ? jobs : jobs[0], jobs.map(renderEnd).join(''));
}

export function renderEnd(job: ResendJob): string {
  return `ResendJob ${job.key} is ${job.status === 'DONE' ? 'done' : 'cancelled'}: ${renderProgress(job)}\n`;
}

const pollEveryMs = 500;

/** Longer than a worker takes to restart. */
const patienceMs = 10_000;

async function follow(client: Client, key: number, { json }: FollowOptions): Promise<ResendJob> {
  let printed = '';
  let changedAt = performance.now();
  for (let isWarned = false; ; await sleep(pollEveryMs)) {
    const job = await client.get('ResendJob', key);
    if (job.status !== 'RUNNING') return job;
    const progress = `${renderProgress(job)}\n`;
    if (progress !== printed) {
      changedAt = performance.now();
      if (!json) process.stdout.write(progress);
    } else if (performance.now() - changedAt > patienceMs && !isWarned) {
      process.stderr.write(slowWarning(key));
      isWarned = true;
    }
    printed = progress;
  }
}

function slowWarning(key: number): string {
  return `No progress for ${patienceMs / 1000} s. Receivers are slow, or no process with the role worker is running.
This command waits. You can stop it: ResendJob ${key} stays, and "flaghoist resend --cancel ${key}" cancels it.
`;
}

function renderCount(started: readonly Started[]): string {
  return isNothing(started) ? nothing : `${count(started)} would be sent again.\n`;
}

function renderStarted(started: readonly Started[]): string {
  const jobs = started.flatMap(({ job, jobSelf }) => (job ? `ResendJob ${job}, ${jobSelf}` : []));
  if (jobs.length === 0) return nothing;
  return `${count(started)} ${totalOf(started) === 1 ? 'is' : 'are'} going to be sent again: ${jobs.join('; ')}\n`;
}

const nothing = 'There is nothing to send again.\n';

function totalOf(started: readonly Started[]): number {
  return started.reduce((sum, { total }) => sum + total, 0);
}

function renderProgress({ total, done, failed }: ResendJob): string {
  return `${done} of ${total} delivered, ${failed} failed.`;
}

function count(started: readonly Started[]): string {
  const total = totalOf(started);
  const about = started.some(({ isEstimate }) => isEstimate) ? 'About ' : '';
  return `${about}${total} notification${total === 1 ? '' : 's'}`;
}

function isNothing(started: readonly Started[]): boolean {
  return totalOf(started) === 0 && !started.some(({ isEstimate }) => isEstimate);
}
