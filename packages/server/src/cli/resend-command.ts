// `flaghoist resend` and `flaghoist replay`: request that notifications are sent again, as REST does. They can wait for
// the job or cancel it. The commands send nothing themselves; the workers do.

import { quoteText } from '@flaghoist/source-text';
import type { Command } from 'commander';
import { replayNotifications } from '../deliver/resend/replay-notifications.ts';
import { sendFailedNotifications } from '../deliver/resend/send-failed-notifications.ts';
import { readMembers } from '../edge/request/action-members.ts';
import { OperatorError } from '../errors.ts';
import { NumberLiteral } from '../json/parse-json.ts';
import type { Caller } from '../objects/caller.ts';
import { isKeyText } from '../query/attributes/attribute-value.ts';
import { followJob, renderEnd, type Started } from './follow-job.ts';
import { bodyOf, changeObject, findObject } from './installation-objects.ts';
import { jsonOption, type OutputOptions, printResult } from './output.ts';
import { type Installation, withInstallation } from './with-installation.ts';

export function addResendCommands(program: Command): void {
  addCommand(program, 'resend', 'send failed notifications again, of one subscription or of all that a user has')
    .option('--subscription <key>', 'the subscription')
    .option('--user <userCode>', 'the user, for all of its subscriptions')
    .option('--cancel <job>', 'cancel this ResendJob, and nothing else')
    .action(resendFailed);
  addCommand(program, 'replay', 'send delivered and failed notifications of a subscription again')
    .requiredOption('--subscription <key>', 'the subscription')
    .option('--object <key>', 'only of this object, changed or subscribed to')
    .option('--status <status>', 'only DELIVERED or only FAILED ones')
    .action((options: ReplayOptions) =>
      withInstallation(async (installation) =>
        followJob(installation, await startReplay(installation, options), options),
      ),
    );
}

function addCommand(program: Command, name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .option('--from <time>', 'only of changes at or after this time, like 2026-11-15T08:30:00 (UTC)')
    .option('--to <time>', 'only of changes before this time')
    .option('--notifications <keys>', 'only these, like 1077,1078')
    .option('--dry-run', 'only count them')
    .option('--wait', 'show the progress until it is done; a service with the role worker must be running')
    .option(...jsonOption);
}

interface SelectionOptions extends OutputOptions {
  from?: string;
  to?: string;
  notifications?: string;
  dryRun?: boolean;
  wait?: boolean;
}

interface ResendOptions extends SelectionOptions {
  subscription?: string;
  user?: string;
  cancel?: string;
}

interface ReplayOptions extends SelectionOptions {
  subscription: string;
  object?: string;
  status?: string;
}

async function resendFailed(options: ResendOptions): Promise<void> {
  const { cancel, json, ...others } = options;
  if (cancel !== undefined && Object.keys(others).length > 0)
    throw new OperatorError('--cancel <job> cannot be combined with other options.');
  await withInstallation(async (installation) => {
    if (cancel === undefined) return followJob(installation, await startResend(installation, options), options);
    const job = await changeObject(installation, 'ResendJob', parseKey('--cancel', cancel), { cancelled: true });
    printResult({ json }, job, renderEnd(job));
  });
}

async function startResend(installation: Installation, options: ResendOptions): Promise<Started> {
  const { subscription } = options;
  const key = subscription === undefined ? undefined : parseKey('--subscription', subscription);
  const caller = await callerOf(installation, options);
  const call = callOf(installation, 'sendFailedNotifications', selectionOf(options));
  return JSON.parse(await sendFailedNotifications(installation, { ...call, key, caller }));
}

async function startReplay(installation: Installation, options: ReplayOptions): Promise<Started> {
  const { subscription, object, status } = options;
  const key = parseKey('--subscription', subscription);
  const objectKey = object === undefined ? undefined : new NumberLiteral(String(parseKey('--object', object)));
  const call = callOf(installation, 'replay', { ...selectionOf(options), objectKey, status });
  return JSON.parse(await replayNotifications(installation, { ...call, key, caller: installation.caller }));
}

function selectionOf({ from, to, notifications, dryRun = false }: SelectionOptions) {
  const keys = notifications
    ?.split(',')
    .map((text) => new NumberLiteral(String(parseKey('--notifications', text.trim()))));
  return { from, to, notifications: keys, dryRun };
}

function callOf({ model }: Installation, action: string, members: Parameters<typeof bodyOf>[0]) {
  const type = model.types.get('WebhookSubscription')!;
  return { type, given: readMembers(type.actions.get(action)!, bodyOf(members)), idempotency: undefined };
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
