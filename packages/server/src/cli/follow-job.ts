// Prints that a ResendJob was started and, on request, its progress until it ends.

import { setTimeout as sleep } from 'node:timers/promises';
import { countLivingWorkers } from '../deliver/workers/worker-table.ts';
import { readObject, type ShownJob } from './installation-objects.ts';
import { type OutputOptions, printResult } from './output.ts';
import type { Installation } from './with-installation.ts';

export interface Started {
  total: number;
  job: number | null;
  jobSelf: string | null;
}

export async function followJob(
  installation: Installation,
  started: Started,
  options: OutputOptions & { wait?: boolean; dryRun?: boolean },
): Promise<void> {
  if (started.job === null || !options.wait) {
    printResult(options, started, options.dryRun ? renderCount(started) : renderStarted(started));
    return;
  }
  if (!options.json) process.stdout.write(renderStarted(started));
  const job = await follow(installation, started.job, options);
  printResult(options, job, renderEnd(job));
}

async function follow(installation: Installation, key: number, { json }: OutputOptions): Promise<ShownJob> {
  const startedAt = performance.now();
  let isWarned = false;
  for (let printed = ''; ; await sleep(pollEveryMs)) {
    const job = await readObject(installation, 'ResendJob', key);
    if (job.status !== 'RUNNING') return job;
    const isWorkerMissing = performance.now() - startedAt > patienceMs && (await countWorkers(installation)) === 0;
    if (isWorkerMissing && !isWarned) process.stderr.write(noWorkerWarning(key));
    isWarned = isWorkerMissing;
    const progress = `${renderProgress(job)}\n`;
    if (!json && progress !== printed) process.stdout.write(progress);
    printed = progress;
  }
}

const pollEveryMs = 500;

/** Long enough for a worker to restart. */
const patienceMs = 3_000;

async function countWorkers({ database }: Installation): Promise<number> {
  const [row] = await database.run(countLivingWorkers());
  return Number(row?.count);
}

function noWorkerWarning(key: number): string {
  return `No service with the role worker is running on this database: nothing is sent until one is.
This command waits for it. You can stop the command: ResendJob ${key} stays, and \`flaghoist resend \
--cancel ${key}\` cancels it.
`;
}

function renderCount({ total }: Started): string {
  return total === 0 ? nothing : `${count(total)} would be sent again.\n`;
}

function renderStarted({ total, job, jobSelf }: Started): string {
  if (job === null) return nothing;
  return `${count(total)} ${total === 1 ? 'is' : 'are'} going to be sent again: ResendJob ${job}, ${jobSelf}
The sending is done by a service with the role worker that runs on this database.
`;
}

const nothing = 'There is nothing to send again.\n';

function renderProgress({ total, done, failed }: ShownJob): string {
  return `${done} of ${total} delivered, ${failed} failed.`;
}

export function renderEnd(job: ShownJob): string {
  return `ResendJob ${job.key} is ${job.status === 'DONE' ? 'done' : 'cancelled'}: ${renderProgress(job)}\n`;
}

function count(total: number): string {
  return `${total} notification${total === 1 ? '' : 's'}`;
}
