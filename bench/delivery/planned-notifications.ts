// Many notifications copied from one that the service created, so that the service and the bare loop send the same
// bytes.

import type { NewNotification } from '../../packages/server/src/deliver/queue/notification-table.ts';

/** A notification that the service created. */
export type Template = Omit<
  NewNotification,
  'errorMessage' | 'isOrdered' | 'isStreamed' | 'isDispatchedDirectly' | 'body'
> & {
  body: string;
};

export interface Subscribed {
  key: number;
  url: string;
  /** The key of the subscribed voyage. */
  objectKey: number;
  signingSecret: string;
}

export interface NotificationPlan {
  template: Template;
  subscribed: readonly Subscribed[];
  count: number;
  /** Keys start here. */
  firstKey: number;
  /** How many objects they are about, in order. Undefined: not ordered. */
  orderedObjects?: number;
}

export type Planned = Omit<NewNotification, 'body'> & { body: string };

export function idOf({ firstKey }: NotificationPlan, n: number): string {
  return `${firstKey + n}-${firstKey + n}`;
}

/** The n-th one. The receivers take turns. */
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
    // Converted through bytes, so that it is one flat string, like one from the database.
    body: Buffer.from(template.body.replace(template.id, id)).toString(),
    errorMessage: null,
    isOrdered: false,
    isStreamed: false,
    isDispatchedDirectly: false,
  };
}
