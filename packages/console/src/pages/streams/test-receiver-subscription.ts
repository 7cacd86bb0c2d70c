// The subscription of the built-in test receiver: all changes, as a stream that the page itself reads.

import { navigate } from '../../routing/location.ts';
import { request } from '../../service/request.ts';
import { session } from '../../session/session.ts';

const name = 'Test receiver of the console';

/** Secrets of subscriptions that this page has created. They stay in its memory. */
const secrets = new Map<number, string>();

/** Subscriptions that this page was asked to receive. */
const wished = new Set<number>();

/** Opens the one that the user has, or creates it. */
export async function openTestReceiver(): Promise<void> {
  const user = session.peek()!.user.key;
  const filter = [`name(EQ)"${name}"`, `user(EQ)${user}`, 'state(EQ)ACTIVE'];
  const [found] = await request<{ key: number }[]>('/WebhookSubscription', {
    query: { filter, sort: 'key(DS)', limit: 1 },
    fields: { name: '*' },
  });
  if (found) return receiveHere(found.key);
  const { key, signingSecret } = await create();
  receiveHere(key, signingSecret);
}

/** Opens the stream, and becomes a consumer of it. */
export function receiveHere(key: number, secret?: string): void {
  if (secret !== undefined) secrets.set(key, secret);
  wished.add(key);
  navigate(`/streams/${key}`);
}

function create(): Promise<{ key: number; signingSecret: string }> {
  const body = {
    name,
    eventTypes: ['*.*'],
    channelInfo: { channelType: 'STREAM' },
    // One notification for each change, not another one for each object above it.
    onlyMainObject: true,
    includeChanges: true,
  };
  return request('/WebhookSubscription', { method: 'POST', body });
}

export function knownSecret(key: number): string {
  return secrets.get(key) ?? '';
}

/** Whether the page shall receive at once. It is asked once. */
export function takeWish(key: number): boolean {
  return wished.delete(key);
}
