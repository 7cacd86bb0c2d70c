// `flaghoist replay`: starts a job that sends delivered and failed notifications of a subscription again.

import { quoteText } from '@flaghoist/source-text';
import { usageError } from '../command/command-error.ts';
import { parseKey } from '../command/parse-arguments.ts';
import { connect } from '../connection/connect.ts';
import { findSubscription } from '../subscriptions/find-subscription.ts';
import { followJobs } from './follow-jobs.ts';
import { readSelection, type SelectionOptions } from './selection.ts';

interface ReplayOptions extends SelectionOptions {
  subscription: string;
  object?: string;
  status?: string;
}

export async function replay(options: ReplayOptions): Promise<void> {
  const { subscription, object, status } = options;
  const selection = {
    ...readSelection(options),
    ...(object !== undefined && { objectKey: parseKey('--object', object) }),
    ...(status !== undefined && { status: parseStatus(status) }),
  };
  const { client } = await connect(options);
  const key = await findSubscription(client, subscription);
  await followJobs(client, await client.call('WebhookSubscription', 'replay', { key, ...selection }), options);
}

function parseStatus(text: string): 'DELIVERED' | 'FAILED' {
  const status = text.toUpperCase();
  if (status === 'DELIVERED' || status === 'FAILED') return status;
  throw usageError(`--status: ${quoteText(text)} must be DELIVERED or FAILED.`);
}
