// The subscription of the built-in test receiver: all changes, as a stream that the page itself reads.

import { request } from '../../service/request.ts';
import { session } from '../../session/session.ts';
import { receiveHere } from '../subscriptions/receive-here.ts';

const name = 'Test receiver of the console';

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
