// The subscription behind listen: a temporary one that ends with it, or a named one that collects in the meantime.

import { type Client, FlaghoistError } from '@flaghoist/sdk';
import { quoteText } from '@flaghoist/source-text';
import { usageError } from '../command/command-error.ts';
import type { Connection } from '../connection/connect.ts';
import { isLeftOver, temporaryName, temporaryPattern } from './temporary-name.ts';

export interface SubscriptionRequest {
  eventTypes: string[];
  name: string | undefined;
  expression: string | undefined;
  /** A field selection. */
  fields: object | undefined;
  signingSecret: string | undefined;
  onlyMainObject: boolean;
  includeChanges: boolean;
}

export interface ListeningSubscription {
  key: number;
  eventTypes: string[];
  /** It has existed before, and may have collected notifications. */
  isResumed: boolean;
  /** Undefined: only who created the subscription knows it. */
  secret: string | undefined;
  createdDate: string;
}

/** How long the service waits for an acknowledgement before it sends a notification to another consumer. */
const acknowledgeSeconds = 15;

export async function openSubscription(
  connection: Connection,
  request: SubscriptionRequest,
): Promise<ListeningSubscription> {
  const { client } = connection;
  const { name, eventTypes } = request;
  if (name === undefined) return create(client, request, temporaryName(new Date()));
  const found = await findNamed(connection, name);
  if (found) return resume(client, found, request);
  if (eventTypes.length === 0) throw usageError(`There is no subscription ${quoteText(name)} yet. Pass --event.`);
  return create(client, request, name);
}

async function create(client: Client, request: SubscriptionRequest, name: string): Promise<ListeningSubscription> {
  const { eventTypes, expression, fields, signingSecret, onlyMainObject, includeChanges } = request;
  if (eventTypes.length === 0) throw usageError('What to listen to? Pass --event, for example --event BunkerOrder.U.');
  const created = await client.create('WebhookSubscription', {
    name,
    eventTypes,
    channelInfo: { channelType: 'STREAM' },
    acknowledgeSeconds,
    ...(expression !== undefined && { expression }),
    ...(fields !== undefined && { json: fields as Record<string, unknown> }),
    ...(signingSecret !== undefined && { signingSecret }),
    ...(onlyMainObject && { onlyMainObject }),
    ...(includeChanges && { includeChanges }),
  });
  const { key, createdDate } = created;
  return {
    key,
    eventTypes,
    isResumed: false,
    secret: signingSecret ?? created.signingSecret ?? undefined,
    createdDate,
  };
}

type Found = Awaited<ReturnType<typeof findNamed>> & object;

async function resume(client: Client, found: Found, request: SubscriptionRequest): Promise<ListeningSubscription> {
  const { key, eventTypes, channelInfo, createdDate } = found;
  const { name = '', signingSecret, expression, fields } = request;
  const which = `The subscription ${quoteText(name)} (${key})`;
  if (channelInfo.channelType !== 'STREAM')
    throw usageError(`${which} sends its notifications by ${channelInfo.channelType}. Choose another --name.`);
  const isSame = (given: readonly string[]) => [...given].sort().join() === [...eventTypes].sort().join();
  if (request.eventTypes.length > 0 && !isSame(request.eventTypes))
    throw usageError(`${which} listens to ${eventTypes.join(', ')}. Leave out --event, or choose another --name.`);
  if (request.onlyMainObject || request.includeChanges)
    throw usageError(`${which} exists. --only-main-object and --changes can be passed only when it is created.`);
  const changes = {
    ...(expression !== undefined && { expression }),
    ...(fields !== undefined && { json: fields as Record<string, unknown> }),
  };
  if (Object.keys(changes).length > 0) await client.update('WebhookSubscription', key, changes);
  if (signingSecret !== undefined)
    await client.call('WebhookSubscription', 'rotateSecret', { key, signingSecret, graceSeconds: 0 });
  return { key, eventTypes, isResumed: true, secret: signingSecret, createdDate };
}

async function findNamed(connection: Connection, name: string) {
  const found = await listOwn(connection, ['name', 'EQ', name]);
  if (found.length > 1)
    throw usageError(
      `Several subscriptions have the name ${quoteText(name)}: ${found.map(({ key }) => key).join(', ')}.`,
    );
  return found[0];
}

/** Unsubscribes what a killed listen of the same user has left. Returns their keys. */
export async function endLeftOvers(connection: Connection): Promise<number[]> {
  const found = await listOwn(connection, ['name', 'LIKE', temporaryPattern]);
  const keys = found.filter(({ name }) => isLeftOver(name, new Date())).map(({ key }) => key);
  for (const key of keys) await connection.client.update('WebhookSubscription', key, { unsubscribed: true });
  return keys;
}

type NameFilter = ['name', 'EQ' | 'LIKE', string];

/** An administrator sees the subscriptions of all users, and must not take the notifications of others. */
async function listOwn(connection: Connection, name: NameFilter) {
  const user = await findUser(connection);
  const { objects } = await connection.client.page('WebhookSubscription', {
    filter: [name, ['state', 'EQ', 'ACTIVE'], ...(user === undefined ? [] : [['user', 'EQ', user] as const])],
    limit: 100,
  });
  return objects;
}

/** Undefined: the client is not an administrator, and sees its own subscriptions only. */
async function findUser({ client, clientId }: Connection): Promise<number | undefined> {
  try {
    const { objects } = await client.page('ApiClient', { filter: [['clientId', 'EQ', clientId]] });
    return objects[0]?.user.key;
  } catch (error) {
    if (error instanceof FlaghoistError && error.status === 403) return undefined;
    throw error;
  }
}
