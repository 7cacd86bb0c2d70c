// Notifications as matching makes them, many alike: made from one that it has made, so that the service and the bare loop send the same
// bytes.

import type { NewNotification } from '../../packages/server/src/deliver/queue/notification-table.ts';

/** A notification that the service itself has made. */
export type Template = Omit<NewNotification, 'errorMessage' | 'isDispatchedDirectly' | 'body'> & { body: string };

export interface Subscribed {
  key: number;
  url: string;
  /** Of the voyage whose changes it hears of. */
  objectKey: number;
  signingSecret: string;
}

export interface NotificationPlan {
  template: Template;
  subscribed: readonly Subscribed[];
  count: number;
  /** Keys are from here on. */
  firstKey: number;
}

export type Planned = NewNotification & { body: string };

export function idOf({ firstKey }: NotificationPlan, n: number): string {
  return `${firstKey + n}-${firstKey + n}`;
}

/** The n-th, for the receivers in turn. */
export function planNotification(plan: NotificationPlan, n: number): Planned {
  const { template, subscribed, firstKey } = plan;
  const { key: subscriptionKey, objectKey } = subscribed[n % subscribed.length]!;
  const id = idOf(plan, n);
  return {
    ...template,
    key: firstKey + n,
    id,
    subscriptionKey,
    objectKey,
    subscribedObjectKey: objectKey,
    // Through bytes, so that it is one piece in memory, as one that came from the database.
    body: Buffer.from(template.body.replace(template.id, id)).toString(),
    errorMessage: null,
    isDispatchedDirectly: false,
  };
}
