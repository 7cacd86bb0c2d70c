// The end of a subscription: unsubscribe it, and delete one that never had a notification.

import { confirmAction } from '../../../elements/dialog.tsx';
import { notify, notifyError } from '../../../elements/notices.tsx';
import { navigate } from '../../../routing/location.ts';
import { request, requestAnswer } from '../../../service/request.ts';
import { nameOf, type Subscription } from '../api-subscription.ts';

interface EndActionsProps {
  subscription: Subscription;
  onChanged(): void;
  close(): void;
}

export function EndActions({ subscription, onChanged, close }: EndActionsProps) {
  const isOver = subscription.state === 'UNSUBSCRIBED';
  const run = (action: () => Promise<void>) => () => {
    close();
    action().catch(notifyError);
  };
  if (isOver)
    return (
      <button type="button" class="menu-item bad" onClick={run(() => remove(subscription))}>
        Delete
      </button>
    );
  return (
    <button type="button" class="menu-item bad" onClick={run(() => unsubscribe(subscription, onChanged))}>
      Unsubscribe
    </button>
  );
}

export async function unsubscribe(subscription: Subscription, onChanged: () => void): Promise<void> {
  const { key } = subscription;
  const pending = await countPending(key);
  const isConfirmed = await confirmAction({
    title: `Unsubscribe ${nameOf(subscription)}`,
    text: `${pendingText(pending)} This cannot be undone.`,
    action: 'Unsubscribe',
  });
  if (!isConfirmed) return;
  await request(`/WebhookSubscription/${key}`, { method: 'PUT', body: { unsubscribed: true } });
  notify(`${nameOf(subscription)} is unsubscribed.`);
  onChanged();
}

function pendingText(pending: number): string {
  if (pending === 0) return 'Nothing is pending. Changes from now on are not notified.';
  return pending === 1
    ? 'One pending notification will fail.'
    : `${pending.toLocaleString()} pending notifications will fail.`;
}

async function countPending(key: number): Promise<number> {
  const query = { filter: [`subscription(EQ)${key}`, 'status(EQ)PENDING'], limit: 1, pageNumber: 1 };
  const { headers } = await requestAnswer('/WebhookNotification', { query, fields: { status: '*' } });
  return Number(headers.get('totalobjectsnumber') ?? 0);
}

/** The service refuses it, and says why, if there ever was a notification. */
async function remove(subscription: Subscription): Promise<void> {
  const isConfirmed = await confirmAction({
    title: `Delete ${nameOf(subscription)}`,
    text: 'Its settings are gone for good. This cannot be undone.',
    action: 'Delete',
  });
  if (!isConfirmed) return;
  await request(`/WebhookSubscription/${subscription.key}`, { method: 'DELETE' });
  notify(`${nameOf(subscription)} is deleted.`);
  navigate('/subscriptions');
}
