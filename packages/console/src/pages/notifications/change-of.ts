// The change that led to a notification: who made it, and the names of its objects.

import { request } from '../../service/request.ts';
import { type Reloadable, useLoaded } from '../../service/use-loaded.ts';
import type { NotificationRow } from './notification.ts';

export interface Change {
  id: number;
  event: string;
  objectType: string;
  objectKey: number;
  /** A short text of the object. */
  name: string | null;
  occurredAt: string;
  user: { key: number; userCode: string } | null;
  client: string | null;
  changedAttributes: { name: string; old: unknown; new: unknown }[];
  mainObjects?: { objectType: string; objectKey: number }[];
  notificationCount: number;
}

/** Undefined if the change is no longer kept, or the user may not see it. */
export function useChangeOf({ sequence }: NotificationRow): Reloadable<Change | undefined> {
  return useLoaded(
    async (signal) => {
      const { changes } = await request<{ changes: Change[] }>('/changes', {
        query: { before: sequence + 1, limit: 1 },
        signal,
      });
      return changes.find(({ id }) => id === sequence);
    },
    [sequence],
  );
}
