// A notification as the log shows it: a row of the list, and all of one.

export interface NotificationRow {
  key: number;
  id: string;
  createdDate: string;
  subscription: { key: number; name?: string | null };
  objectType: string;
  objectKey: number;
  /** C, U or D. */
  eventType: string;
  subscribedObjectKey: number;
  /** What people know that object by, such as the number of a voyage. */
  subscribedObjectCode?: string | null;
  sequence: number;
  occurredAt: string;
  status: string;
  attempts: number;
  deliveryDate: string | null;
  nextAttemptDate: string | null;
  errorMessage: string | null;
}

export interface Attempt {
  date: string;
  durationMs: number;
  statusCode: number | null;
  answer: string | null;
  error: string | null;
}

export interface AttributeChange {
  objectType: string;
  objectKey: number;
  attribute: string;
  old: unknown;
  new: unknown;
}

export interface Notification extends NotificationRow {
  user: { key: number; userCode?: string; name?: string | null };
  contentType: string | null;
  /** Null if it was too large or is no longer kept. */
  body: string | null;
  changes: AttributeChange[] | null;
  /** Only the last 50. */
  attemptLog: Attempt[] | null;
}

/** The field selection of a row. */
export const rowFields = {
  id: '*',
  createdDate: '*',
  subscription: { name: '*' },
  objectType: '*',
  objectKey: '*',
  eventType: '*',
  subscribedObjectKey: '*',
  subscribedObjectCode: '*',
  sequence: '*',
  occurredAt: '*',
  status: '*',
  attempts: '*',
  deliveryDate: '*',
  nextAttemptDate: '*',
  errorMessage: '*',
} as const;

export const notificationFields = {
  ...rowFields,
  user: { userCode: '*', name: '*' },
  contentType: '*',
  body: '*',
  changes: '*',
  attemptLog: '*',
} as const;

/** A pending notification whose attempts have failed so far is being retried. */
export function shownStatus({ status, attempts }: Pick<NotificationRow, 'status' | 'attempts'>): string {
  return status === 'PENDING' && attempts > 0 ? 'RETRYING' : status;
}

/** For example `PortCall.U`. */
export function eventName({ objectType, eventType }: Pick<NotificationRow, 'objectType' | 'eventType'>): string {
  return `${objectType}.${eventType}`;
}

export function subscriptionName({ subscription }: Pick<NotificationRow, 'subscription'>): string {
  return subscription.name || String(subscription.key);
}
