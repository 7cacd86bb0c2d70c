// `flaghoist why`: in a sentence, why a subscription was notified of a change, or why it was not.

import { printable } from '@flaghoist/source-text';
import { usageError } from '../command/command-error.ts';
import { parseCount, parseKey } from '../command/parse-arguments.ts';
import type { ServiceOptions } from '../command/service-command.ts';
import { type Connection, connect } from '../connection/connect.ts';
import { findSubscription } from '../subscriptions/find-subscription.ts';
import { printResult } from '../terminal/output.ts';

export interface WhyOptions extends ServiceOptions {
  object?: string;
  event?: string;
  limit: string;
}

export async function why(keyOrName: string, options: WhyOptions): Promise<void> {
  const { object, event } = options;
  if (object === undefined && event === undefined) throw usageError('Of which change? Pass --object or --event.');
  const about = {
    ...(object !== undefined && { objectKey: parseKey('--object', object) }),
    ...(event !== undefined && { event: parseKey('--event', event) }),
  };
  const limit = parseCount('--limit', options.limit);
  const { client } = await connect(options);
  const key = await findSubscription(client, keyOrName);
  const decisions = await client.call('WebhookSubscription', 'decisions', {
    key,
    ...about,
    limit: Math.min(limit, 1000),
  });
  const sentences = await Promise.all(decisions.map((decision) => explain(client, decision)));
  const changes = decisions.map((decision, index) => ({ ...decision, sentence: sentences[index] }));
  const text = sentences.length > 0 ? sentences.join('\n') : await describeNothing(client, key, options);
  printResult(options, changes, `${text}\n`);
}

type Client = Connection['client'];

type Decision = Awaited<ReturnType<typeof decisionsOf>>[number];

function decisionsOf(client: Client, key: number) {
  return client.call('WebhookSubscription', 'decisions', { key });
}

const operations = { C: 'created', U: 'updated', D: 'deleted' };

/** "PortCall 1042 was updated at 2026-11-15 08:30:00 UTC. Subscription 1009 was not notified of it: …" */
async function explain(client: Client, decision: Decision): Promise<string> {
  const { event, eventTime, objectType, eventType, objectKey, subscription, subscriptionName, subscribedObjectKey } =
    decision;
  const about = subscribedObjectKey === objectKey ? '' : `, in the hierarchy of ${subscribedObjectKey},`;
  const change = `${objectType} ${objectKey}${about} was ${operations[eventType]} at ${eventTime.replace('T', ' ')} UTC`;
  const name = subscriptionName ? ` "${printable(subscriptionName)}"` : '';
  const reason = printable(decision.message);
  const outcome = decision.isNotified
    ? `was notified of it: ${await describeNotification(client, decision)}`
    : decision.reason === 'WAITING' || decision.reason === 'SHAPING'
      ? `is not notified of it yet: ${reason}`
      : `was not notified of it: ${reason}`;
  return `${change} (event ${event}). Subscription ${subscription}${name} ${outcome}`;
}

async function describeNotification(client: Client, { notification }: Decision): Promise<string> {
  if (notification === null || notification === undefined) return 'a notification was created.';
  const { status, deliveryDate, errorMessage, nextAttemptDate, attempts } = await client.get(
    'WebhookNotification',
    notification,
  );
  const times = `${attempts} attempt${attempts === 1 ? '' : 's'}`;
  const outcome = {
    DELIVERED: `was delivered at ${(deliveryDate ?? '').replace('T', ' ')} UTC, after ${times}.`,
    FAILED: `has failed after ${times}: ${printable(errorMessage ?? '')}`,
    PENDING: `is pending after ${times}${nextAttemptDate ? `; the next one is at ${nextAttemptDate.replace('T', ' ')} UTC` : ''}.`,
  };
  return `notification ${notification} ${outcome[status]}`;
}

async function describeNothing(client: Client, key: number, { object, event }: WhyOptions): Promise<string> {
  const { eventTypes } = await client.get('WebhookSubscription', key);
  const what = object === undefined ? `Event ${event}` : `No recent change of object ${object}`;
  const is = object === undefined ? 'is not on record for it' : 'or of its hierarchy is on record';
  return `${what} ${is}. Subscription ${key} is about ${eventTypes.join(', ')}.`;
}
