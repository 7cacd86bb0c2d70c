// Finds the caller's subscriptions of a name. An administrator sees those of all users, and must not change theirs.

import { FlaghoistError } from '../flaghoist-error.ts';
import type { Client } from './client.ts';
import type { Filter } from './filter.ts';
import type { SubscriptionWish } from './subscription-wish.ts';

export interface FindParts {
  client: Client;
  /** Of the caller. Undefined: its token does not say. */
  clientId(): Promise<string | undefined>;
}

export interface FoundSubscriptions {
  /** Those that are not unsubscribed. */
  keys: number[];
  /** The last one that had the name, whatever became of it; 0 if there was none. */
  newest: number;
}

/** One request, so that both members say how it was at one time. */
export async function findSubscriptions(
  { client, clientId }: FindParts,
  { name, user }: SubscriptionWish,
  signal?: AbortSignal,
): Promise<FoundSubscriptions> {
  const filter: Filter<'WebhookSubscription'>[] = [['name', 'EQ', name]];
  if (user !== undefined) filter.push(['user', 'EQ', typeof user === 'object' ? user.key : user]);
  const { objects } = await client.page('WebhookSubscription', {
    filter,
    sort: ['key(DS)'],
    limit: 2000,
    noCount: true,
    signal,
  });
  const own = user === undefined && objects.length > 0 ? await findOwnUser({ client, clientId }, signal) : undefined;
  const keys = objects
    .filter((one) => one.state !== 'UNSUBSCRIBED' && (own === undefined || one.user.key === own))
    .map(({ key }) => key);
  return { keys, newest: objects[0]?.key ?? 0 };
}

/** Undefined: the caller is not an administrator, and sees its own subscriptions only. */
async function findOwnUser({ client, clientId }: FindParts, signal?: AbortSignal): Promise<number | undefined> {
  const id = await clientId();
  try {
    const filter = [['clientId', 'EQ', id ?? '']] as const;
    const { objects } = await client.page('ApiClient', { filter, limit: 1, signal });
    if (objects[0]) return objects[0].user.key;
  } catch (error) {
    if (error instanceof FlaghoistError && error.status === 403) return undefined;
    throw error;
  }
  throw new FlaghoistError(
    'invalidRequest',
    'An administrator sees the subscriptions of all users, and this token does not say whose it is. Pass `user`.',
  );
}
