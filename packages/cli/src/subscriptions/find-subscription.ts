// Finds the subscription that an argument means: by its key, or by its name.

import type { Client } from '@flaghoist/sdk';
import { didYouMean, quoteText } from '@flaghoist/source-text';
import { CommandError, usageError } from '../command/command-error.ts';
import { isKey } from '../command/parse-arguments.ts';

/** The key. Whether a subscription with a given key exists, the service says later. */
export async function findSubscription(client: Client, keyOrName: string): Promise<number> {
  if (isKey(keyOrName)) return Number(keyOrName);
  const { objects } = await client.page('WebhookSubscription', {
    filter: [
      ['name', 'EQ', keyOrName],
      ['state', 'NE', 'UNSUBSCRIBED'],
    ],
  });
  const [found, ...others] = objects;
  if (!found) throw await unknownName(client, keyOrName);
  if (others.length > 0)
    throw usageError(
      `Several subscriptions have the name ${quoteText(keyOrName)}: ${objects.map(({ key }) => key).join(', ')}.`,
    );
  return found.key;
}

async function unknownName(client: Client, name: string): Promise<CommandError> {
  const { objects } = await client.page('WebhookSubscription', {
    filter: [
      ['name', 'NOTNULL'],
      ['state', 'NE', 'UNSUBSCRIBED'],
    ],
    limit: 1000,
  });
  const names = objects.flatMap((one) => one.name ?? []);
  return new CommandError(`There is no subscription with the name ${quoteText(name)}.${didYouMean(name, names)}`);
}
