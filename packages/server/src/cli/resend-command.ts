// `flaghoist resend`: requests that failed notifications are sent again, as REST does. It can wait for the job or
// cancel it. The command sends nothing itself; the workers do.

import { setTimeout as sleep } from 'node:timers/promises';
import { quoteText } from '@flaghoist/source-text';
import type { Command } from 'commander';
import { sendFailedNotifications } from '../deliver/resend/send-failed-notifications.ts';
import { countLivingWorkers } from '../deliver/workers/worker-table.ts';
import { readMembers } from '../edge/request/action-members.ts';
import { OperatorError } from '../errors.ts';
import { NumberLiteral } from '../json/parse-json.ts';
import type { Caller } from '../objects/caller.ts';
import { isKeyText } from '../query/attributes/attribute-value.ts';
import { bodyOf, changeObject, findObject, readObject, type ShownJob } from './installation-objects.ts';
import { jsonOption, type OutputOptions, printResult } from './output.ts';
import { type Installation, withInstallation } from './with-installation.ts';

export function addResendCommand(program: Command): void {
  program
    .command('resend')
    .description('send failed notifications again, of one subscription or of all that a user has')
    .option('--subscription <key>', 'the subscription')
    .option('--user <userCode>', 'the user, for all of its subscriptions')
    .option('--from <time>', 'only of changes at or after this time, like 2026-11-15T08:30:00 (UTC)')
    .option('--to <time>', 'only of changes before this time')
    .option('--notifications <keys>', 'only these, like 1077,1078')
    .option('--dry-run', 'only count them')
    .option('--wait', 'show the progress until it is done; a service with the role worker must be running')
    .option('--cancel <job>', 'cancel this ResendJob, and nothing else')
    .option(...jsonOption)
    .action(resendFailed);
}

interface ResendOptions extends OutputOptions {
  subscription?: string;
  user?: string;
  from?: string;
  to?: string;
  notifications?: string;
  dryRun?: boolean;
  wait?: boolean;
  cancel?: string;
}

interface Started {
  total: number;
  job: number | null;
  jobSelf: string | null;
}

async function resendFailed(options: ResendOptions): Promise<void> {
  const { cancel, json, ...others } = options;
  if (cancel !== undefined && Object.keys(others).length > 0)
    throw new OperatorError('--cancel <job> cannot be combined with other options.');
  await withInstallation(async (installation) => {
    if (cancel !== undefined) {
      const job = await changeObject(installation, 'ResendJob', parseKey('--cancel', cancel), { cancelled: true });
      printResult({ json }, job, renderEnd(job));
      return;
    }
    const started = await start(installation, options);
    if (started.job === null || !options.wait) {
      printResult(options, started, options.dryRun ? renderCount(started) : renderStarted(started));
      return;
    }
    if (!options.json) process.stdout.write(renderStarted(started));
    const job = await follow(installation, started.job, options);
    printResult(options, job, renderEnd(job));
  });
}

async function start(installation: Installation, options: ResendOptions): Promise<Started> {
  const { model, database, links } = installation;
  const { subscription, from, to, dryRun = false } = options;
  const key = subscription === undefined ? undefined : parseKey('--subscription', subscription);
  const notifications = options.notifications
    ?.split(',')
    .map((text) => new NumberLiteral(String(parseKey('--notifications', text.trim()))));
  const type = model.types.get('WebhookSubscription')!;
  const members = bodyOf({ from, to, notifications, dryRun });
  const given = readMembers(type.actions.get('sendFailedNotifications')!, members);
  const caller = await callerOf(installation, options);
  return JSON.parse(
    await sendFailedNotifications({ database, links }, { type, key, given, caller, idempotency: undefined }),
  );
}

function parseKey(option: string, text: string): number {
  if (!isKeyText(text))
    throw new OperatorError(`${option}: ${quoteText(text)} is not a key; a positive integer was expected.`);
  return Number(text);
}

/** With `--user`, the command acts as that user, so objects of other users are not found. */
async function callerOf(installation: Installation, { user, subscription }: ResendOptions): Promise<Caller> {
  const { caller } = installation;
  if (user !== undefined)
    return { ...caller, userKey: (await findObject(installation, 'ApiUser', user)).key, isAdmin: false };
  if (subscription === undefined)
    throw new OperatorError(
      'Choose what to resend: --subscription <key>, or --user <userCode> for all its subscriptions.',
    );
  return caller;
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

const nothing = 'There is nothing to resend.\n';

function renderProgress({ total, done, failed }: ShownJob): string {
  return `${done} of ${total} delivered, ${failed} failed again.`;
}

function renderEnd(job: ShownJob): string {
  return `ResendJob ${job.key} is ${job.status === 'DONE' ? 'done' : 'cancelled'}: ${renderProgress(job)}\n`;
}

function count(total: number): string {
  return `${total} notification${total === 1 ? '' : 's'}`;
}
