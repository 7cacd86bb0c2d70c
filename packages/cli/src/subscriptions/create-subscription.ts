// `flaghoist subscription create` and `unsubscribe`.

import type { Catalogue } from '@flaghoist/sdk';
import { usageError } from '../command/command-error.ts';
import { parseJsonObject } from '../command/parse-json-object.ts';
import type { ServiceOptions } from '../command/service-command.ts';
import { connect } from '../connection/connect.ts';
import { printResult } from '../terminal/output.ts';
import { findSubscription } from './find-subscription.ts';

export interface CreateOptions extends ServiceOptions {
  event?: string[];
  to?: string;
  name?: string;
  expression?: string;
  fields?: string;
  data?: string;
}

type NewSubscription = Catalogue['WebhookSubscription']['create'];

export async function createSubscription(options: CreateOptions): Promise<void> {
  const body = bodyOf(options);
  const { client } = await connect(options);
  const created = await client.create('WebhookSubscription', body as NewSubscription);
  const { key, eventTypes, channelInfo, url, signingSecret } = created;
  const secret =
    signingSecret === null || signingSecret === undefined
      ? ''
      : `\n  Signing secret  ${signingSecret}\n\nThe secret is not shown again.\n`;
  const place = url === null ? '' : ` to ${url}`;
  printResult(
    options,
    created,
    `Subscription ${key} is created: ${eventTypes.join(', ')} by ${channelInfo.channelType}${place}.\n${secret}`,
  );
}

/** The service checks it. */
function bodyOf({ event, to, name, expression, fields, data }: CreateOptions): Record<string, unknown> {
  const others = data === undefined ? {} : parseJsonObject('--data', data);
  if (event === undefined && !('eventTypes' in others || 'eventType' in others))
    throw usageError('What to subscribe to? Pass --event, for example --event BunkerOrder.U.');
  return {
    ...others,
    ...(event !== undefined && { eventTypes: event.flatMap((one) => one.split(',')) }),
    ...(to === undefined && ('url' in others || 'channelInfo' in others) ? {} : { channelInfo: channelOf(to) }),
    ...(name !== undefined && { name }),
    ...(expression !== undefined && { expression }),
    ...(fields !== undefined && { json: parseJsonObject('--fields', fields) }),
  };
}

function channelOf(address: string | undefined): Record<string, string> {
  if (address === undefined) return { channelType: 'STREAM' };
  if (/^https?:/i.test(address)) return { channelType: 'HTTP', URL: address };
  if (/^(nats|tls):/i.test(address)) return { channelType: 'NATS', URL: address };
  const mail = address.replace(/^mailto:/i, '');
  if (mail.includes('@')) return { channelType: 'EMAIL', URL: mail };
  throw usageError('--to takes an http or https URL, a nats URL, or an e-mail address.');
}

export async function unsubscribe(keyOrName: string, options: ServiceOptions): Promise<void> {
  const { client } = await connect(options);
  const key = await findSubscription(client, keyOrName);
  const subscription = await client.update('WebhookSubscription', key, { unsubscribed: true });
  printResult(options, subscription, `Subscription ${key} is unsubscribed.\n`);
}
