// Subscriptions whose notifications are fetched, and how many wait.

import { request, requestAnswer } from '../../service/request.ts';

export interface StreamSubscription {
  key: number;
  name: string | null;
  eventTypes: string[];
  state: string;
  acknowledgeSeconds: number | null;
  ordering: string;
  ratePerSecond: number | null;
  user: { key: number; userCode?: string };
}

export const streamFields = {
  name: '*',
  eventTypes: '*',
  state: '*',
  acknowledgeSeconds: '*',
  ordering: '*',
  ratePerSecond: '*',
  user: { userCode: '*' },
} as const;

/** What the service takes if the subscription has none. */
export const acknowledgeSecondsDefault = 30;

export interface Waiting {
  pending: number;
  /** Of those, how many were sent to a consumer before, without being acknowledged in time. */
  sentBefore: number;
  lastAcknowledgedAt: string | null;
}

export async function loadWaiting(key: number, signal: AbortSignal): Promise<Waiting> {
  const subscription = `subscription(EQ)${key}`;
  const [pending, sentBefore, acknowledged] = await Promise.all([
    countNotifications([subscription, 'status(EQ)PENDING'], signal),
    countNotifications([subscription, 'status(EQ)PENDING', 'attempts(GT)0'], signal),
    request<{ deliveryDate: string | null }[]>('/WebhookNotification', {
      query: { filter: [subscription, 'status(EQ)DELIVERED'], sort: 'deliveryDate(DS)', limit: 1 },
      fields: { deliveryDate: '*' },
      headers: { nocount: 'YES' },
      signal,
    }),
  ]);
  return { pending, sentBefore, lastAcknowledgedAt: acknowledged[0]?.deliveryDate ?? null };
}

async function countNotifications(filter: string[], signal: AbortSignal): Promise<number> {
  const query = { filter, limit: 1, pageNumber: 1 };
  const { headers } = await requestAnswer('/WebhookNotification', { query, fields: { id: '*' }, signal });
  return Number(headers.get('totalobjectsnumber') ?? 0);
}
