// `flaghoist resend`: starts or cancels a job that sends failed notifications again.

import type { Client } from '@flaghoist/sdk';
import { quoteText } from '@flaghoist/source-text';
import { CommandError, usageError } from '../command/command-error.ts';
import { parseKey } from '../command/parse-arguments.ts';
import { connect } from '../connection/connect.ts';
import { findSubscription } from '../subscriptions/find-subscription.ts';
import { printResult } from '../terminal/output.ts';
import { followJobs, renderEnd, type Started } from './follow-jobs.ts';
import { readSelection, type SelectionOptions } from './selection.ts';

interface ResendOptions extends SelectionOptions {
  subscription?: string;
  all?: boolean;
  user?: string;
  filter?: string[];
  cancel?: string;
}

export async function resend(options: ResendOptions): Promise<void> {
  const { cancel, subscription, all, user, filter } = options;
  if (cancel !== undefined) return cancelJob(cancel, options);
  const selection = readSelection(options);
  if ([subscription, all, user, filter].filter((one) => one !== undefined).length !== 1) throw usageError(choose);
  if (filter !== undefined) return resendByFilter(filter, options);
  const { client } = await connect(options);
  if (user !== undefined) return followJobs(client, await resendOfUser(client, user, selection), options);
  const key = subscription === undefined ? {} : { key: await findSubscription(client, subscription) };
  const started = await client.call('WebhookSubscription', 'sendFailedNotifications', { ...key, ...selection });
  await followJobs(client, started, options);
}

const choose =
  'Choose what to resend: --subscription <subscription>, --all for yours, --user <userCode>, or --filter <filters...>.';

async function resendByFilter(filter: string[], options: ResendOptions): Promise<void> {
  const { from, to, notifications, dryRun } = options;
  if ([from, to, notifications].some((one) => one !== undefined))
    throw usageError('--filter cannot be combined with --from, --to or --notifications. Write another filter instead.');
  const { client, url } = await connect(options);
  const call = { filter, ...(dryRun && { dryRun }) };
  const { count: total, resendJob: job = null, ...rest } = await client.call('WebhookNotification', 'resend', call);
  const jobSelf = job === null ? null : `${url}/ws/rest/ResendJob/${job}`;
  await followJobs(client, { total, ...rest, job, jobSelf }, options);
}

/** One job for each subscription. */
async function resendOfUser(client: Client, user: string, selection: object): Promise<Started[]> {
  const users = await client.count('ApiUser', { filter: [['userCode', 'EQ', user]] });
  if (users === 0) throw new CommandError(`There is no user ${quoteText(user)}.`);
  const started: Started[] = [];
  const subscriptions = client.list('WebhookSubscription', {
    filter: [
      ['user.userCode', 'EQ', user],
      ['state', 'NE', 'UNSUBSCRIBED'],
    ],
    fields: { state: '*' },
  });
  for await (const { key } of subscriptions)
    started.push(await client.call('WebhookSubscription', 'sendFailedNotifications', { key, ...selection }));
  return started;
}

async function cancelJob(cancel: string, options: ResendOptions): Promise<void> {
  const others = ['subscription', 'all', 'user', 'filter', 'from', 'to', 'notifications', 'dryRun', 'wait'] as const;
  if (others.some((name) => options[name] !== undefined))
    throw usageError('--cancel <job> cannot be combined with other options.');
  const key = parseKey('--cancel', cancel);
  const { client } = await connect(options);
  const job = await client.update('ResendJob', key, { cancelled: true });
  printResult(options, job, renderEnd(job));
}
