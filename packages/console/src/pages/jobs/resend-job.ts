// A job that sends notifications again.

import { request } from '../../service/request.ts';

export interface ResendJob {
  key: number;
  createdDate: string;
  kind: string;
  user: { key: number; userCode?: string } | null;
  subscription: { key: number; name?: string | null } | null;
  replacedSubscription: { key: number; name?: string | null } | null;
  from: string | null;
  to: string | null;
  notifications: number[] | null;
  objectKey: number | null;
  notificationStatus: string | null;
  filter?: string[] | null;
  status: string;
  total: number;
  done: number;
  failed: number;
  endedDate: string | null;
}

export const jobFields = {
  createdDate: '*',
  kind: '*',
  user: { userCode: '*' },
  subscription: { name: '*' },
  replacedSubscription: { name: '*' },
  from: '*',
  to: '*',
  notifications: '*',
  objectKey: '*',
  notificationStatus: '*',
  filter: '*',
  status: '*',
  total: '*',
  done: '*',
  failed: '*',
  endedDate: '*',
} as const;

export function loadJob(key: string | number, signal?: AbortSignal): Promise<ResendJob> {
  return request<ResendJob>(`/ResendJob/${key}`, { fields: jobFields, signal });
}

/** What a job sends, in words. */
export function jobWords({ kind, subscription, notifications, filter, replacedSubscription }: ResendJob): string {
  if (filter) return filter.length === 0 ? 'All notifications' : `Notifications with ${filter.join(' ')}`;
  if (notifications) return notifications.length === 1 ? 'One notification' : `${notifications.length} notifications`;
  if (replacedSubscription) return 'What a replaced subscription had not delivered';
  const what = kind === 'REPLAY' ? 'Notifications' : 'Failed notifications';
  return subscription ? what : `${what} of all subscriptions`;
}
