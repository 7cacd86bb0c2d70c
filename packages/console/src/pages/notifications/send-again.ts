// Sends one notification again, as a replay of its subscription.

import { notify } from '../../elements/notices.tsx';
import { navigate } from '../../routing/location.ts';
import { request } from '../../service/request.ts';
import { hasScope } from '../../session/session.ts';
import { viewedUser } from '../../session/viewed-user.ts';
import type { NotificationRow } from './notification.ts';

export function maySend(): boolean {
  return hasScope('webhook') && !viewedUser.value;
}

type Sendable = Pick<NotificationRow, 'key' | 'id' | 'status' | 'subscription'>;

export async function sendAgain({ key, id, status, subscription }: Sendable): Promise<void> {
  if (status === 'PENDING')
    throw new Error(`${id} is still being sent. It can be sent again when it is delivered or has failed.`);
  const { job } = await request<{ total: number; job: number | null }>(
    `/WebhookSubscription/${subscription.key}/replay`,
    { method: 'POST', body: { notifications: [key] } },
  );
  if (job === null) throw new Error(`${id} cannot be sent again: its body is no longer kept, or it is being sent.`);
  notify(`${id} is sent again.`, { label: 'Show the job', run: () => navigate(`/jobs/${job}`) });
}
