// The subscription of a notification, as it is now.

import { request } from '../../service/request.ts';
import { type Reloadable, useLoaded } from '../../service/use-loaded.ts';
import type { NotificationRow } from './notification.ts';

/** Attributes that an older API version does not have are undefined. */
export interface Subscription {
  key: number;
  name: string | null;
  state: string;
  url: string | null;
  channelInfo?: { channelType?: string; [member: string]: unknown } | null;
  headers?: Record<string, string> | null;
  expression?: string | null;
  dlpAlertScript?: string | null;
  xsl?: string | null;
  json?: string | null;
  useMsg?: boolean;
}

export function useSubscriptionOf({ subscription }: NotificationRow): Reloadable<Subscription> {
  const { key } = subscription;
  return useLoaded((signal) => request<Subscription>(`/WebhookSubscription/${key}`, { signal }), [key]);
}

export function isStreamed(subscription: Subscription | undefined): boolean {
  return subscription?.channelInfo?.channelType === 'STREAM';
}
