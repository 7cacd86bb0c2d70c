// `flaghoist resend`: requests that failed notifications are sent again, as REST does. It can wait for the job or
// cancel it. The command sends nothing itself; the workers do.

import { setTimeout as sleep } from 'node:timers/promises';
import { quoteText } from '@flaghoist/source-text';
import type { Command } from 'commander';
import { sendFailedNotifications } from '../deliver/resend/send-failed-notifications.ts';
import { countLivingWorkers } from '../deliver/workers/worker-table.ts';
import { localUrl } from '../edge/listener.ts';
import { readMembers } from '../edge/request/action-members.ts';
import { OperatorError } from '../errors.ts';
import { type JsonValue, NumberLiteral } from '../json/parse-json.ts';
import type { Caller } from '../objects/caller.ts';
import { restPath } from '../paths.ts';
import { isKeyText } from '../query/attributes/attribute-value.ts';
import { wholeView } from '../query/view.ts';
import { findObject } from './installation-objects.ts';
import { type AnswerOptions, jsonOption, printAnswer } from './print-answer.ts';
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

interface ResendOptions extends AnswerOptions {
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

interface ShownJob {
  key: number;
  status: 'RUNNING' | 'DONE' | 'CANCELLED';
  total: number;
  done: number;
  failed: number;
}

async function resendFailed(options: ResendOptions): Promise<void> {
  const { cancel, json, ...others } = options;
  if (cancel !== undefined && Object.keys(others).length > 0)
    throw new OperatorError('--cancel <job> cannot be combined with other options.');
  await withInstallation(async (installation) => {
    if (cancel !== undefined) {
      const job = await cancelJob(installation, parseKey('--cancel', cancel));
      printAnswer({ json }, job, tellEnd(job));
      return;
    }
    const started = await start(installation, options);
    if (started.job === null || !options.wait) {
      printAnswer(options, started, options.dryRun ? tellCount(started) : tellStarted(started));
      return;
    }
    if (!options.json) process.stdout.write(tellStarted(started));
    const job = await follow(installation, started.job, options);
    printAnswer(options, job, tellEnd(job));
  });
}

async function start(installation: Installation, options: ResendOptions): Promise<Started> {
  const { model, database, settings } = installation;
  const { subscription, from, to, dryRun = false } = options;
  const key = subscription === undefined ? undefined : parseKey('--subscription', subscription);
  const notifications = options.notifications?.split(',').map((text) => {
    return new NumberLiteral(String(parseKey('--notifications', text.trim())));
  });
  const type = model.types.get('WebhookSubscription')!;
  const sent: Record<string, JsonValue | undefined> = { from, to, notifications, dryRun };
  const members = Object.entries(sent).filter((member): member is [string, JsonValue] => member[1] !== undefined);
  const given = readMembers(type.actions.get('sendFailedNotifications')!, new Map(members));
  const caller = await callerOf(installation, options);
  const links = { restUrl: `${settings.baseUrl ?? localUrl(settings.host, settings.port)}${restPath}` };
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

async function follow(installation: Installation, key: number, { json }: AnswerOptions): Promise<ShownJob> {
  const startedAt = performance.now();
  let isAloneTold = false;
  for (let told = ''; ; await sleep(lookEveryMs)) {
    const job = await readJob(installation, key);
    if (job.status !== 'RUNNING') return job;
    const isAlone = performance.now() - startedAt > patienceMs && (await countWorkers(installation)) === 0;
    if (isAlone && !isAloneTold) process.stderr.write(nobodyWorks(key));
    isAloneTold = isAlone;
    const progress = `${tellProgress(job)}\n`;
    if (!json && progress !== told) process.stdout.write(progress);
    told = progress;
  }
}

const lookEveryMs = 500;

/** Long enough for a worker to restart. */
const patienceMs = 3_000;

async function countWorkers({ database }: Installation): Promise<number> {
  const [row] = await database.run(countLivingWorkers());
  return Number(row?.count);
}

function nobodyWorks(key: number): string {
  return `No service with the role worker is running on this database: nothing is sent until one is.
This command waits for it. You can stop the command: ResendJob ${key} stays, and \`flaghoist resend --cancel ${key}\` cancels it.
`;
}

async function cancelJob({ objects, model, caller }: Installation, key: number): Promise<ShownJob> {
  const type = model.types.get('ResendJob')!;
  const body = new Map<string, JsonValue>([['cancelled', true]]);
  const { body: answer } = await objects.change({ type, key, body, view: wholeView(type), caller, ifMatch: undefined });
  return JSON.parse(answer.toString());
}

async function readJob({ objects, model, caller }: Installation, key: number): Promise<ShownJob> {
  const type = model.types.get('ResendJob')!;
  return JSON.parse((await objects.read(type, key, wholeView(type), caller)).body.toString());
}

function tellCount({ total }: Started): string {
  return total === 0 ? nothing : `${count(total)} would be sent again.\n`;
}

function tellStarted({ total, job, jobSelf }: Started): string {
  if (job === null) return nothing;
  return `${count(total)} ${total === 1 ? 'is' : 'are'} going to be sent again: ResendJob ${job}, ${jobSelf}
The sending is done by a service with the role worker that runs on this database.
`;
}

const nothing = 'There is nothing to resend.\n';

function tellProgress({ total, done, failed }: ShownJob): string {
  return `${done} of ${total} delivered, ${failed} failed again.`;
}

function tellEnd(job: ShownJob): string {
  return `ResendJob ${job.key} is ${job.status === 'DONE' ? 'done' : 'cancelled'}: ${tellProgress(job)}\n`;
}

function count(total: number): string {
  return `${total} notification${total === 1 ? '' : 's'}`;
}
