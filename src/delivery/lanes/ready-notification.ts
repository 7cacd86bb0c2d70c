// A notification that is claimed and can be sent at once.

import type { Operation } from '../../events/change-event.ts';

export interface ReadyNotification {
  readonly key: number;
  readonly createdDate: string;
  readonly subscriptionKey: number;
  /** Of the present set, before this one. */
  readonly attempts: number;
  readonly resendJob: number | null;
  readonly id: string;
  readonly objectType: string;
  readonly objectKey: number;
  readonly eventType: Operation;
  readonly subscribedObjectKey: number;
  readonly eventTime: string;
  readonly contentType: string;
  /** Of its mail, where a script has said one. */
  readonly subject: string | null;
  /** The very bytes, let go as soon as the attempt has ended. */
  body: Buffer;
}
