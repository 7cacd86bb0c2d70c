// `flaghoist subscription list` and `show`.

import type { ServiceOptions } from '../command/service-command.ts';
import { connect } from '../connection/connect.ts';
import { printResult, renderRows, renderTable } from '../terminal/output.ts';
import { findSubscription } from './find-subscription.ts';

export async function listSubscriptions(options: ServiceOptions & { all?: boolean }): Promise<void> {
  const { client } = await connect(options);
  const found = client.list('WebhookSubscription', {
    filter: options.all ? [] : [['state', 'NE', 'UNSUBSCRIBED']],
    sort: ['key(AS)'],
  });
  const subscriptions = [];
  for await (const subscription of found) subscriptions.push(subscription);
  const rows = subscriptions.map(({ key, name, eventTypes, channelInfo, url, state }) => [
    key,
    name,
    eventTypes,
    channelInfo.channelType,
    url,
    state,
  ]);
  const table = renderTable(['key', 'name', 'eventTypes', 'channel', 'url', 'state'], rows);
  printResult(options, subscriptions, rows.length === 0 ? none : table);
}

const none =
  'There are no subscriptions. Create one with "flaghoist subscription create", or try "flaghoist listen".\n';

export async function showSubscription(keyOrName: string, options: ServiceOptions): Promise<void> {
  const { client } = await connect(options);
  const subscription = await client.get('WebhookSubscription', await findSubscription(client, keyOrName));
  printResult(options, subscription, renderObject(subscription));
}

/** Attributes that have a value. */
export function renderObject(object: object): string {
  return renderRows(
    Object.entries(object)
      .filter(([, value]) => value !== null && value !== false)
      .map(([name, value]) => [name, typeof value === 'object' ? renderValue(value) : value]),
  );
}

function renderValue(value: object): string | string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : JSON.stringify(value);
}
