// A notification that is claimed and can be sent at once.

export interface ReadyNotification {
  readonly key: number;
  readonly createdDate: string;
  readonly subscriptionKey: number;
  /** Attempts before this one, since the notification was created or last resent. */
  readonly attempts: number;
  readonly resendJob: number | null;
  /** Everything sent with the body, as stored (`message-head.ts`). It is parsed when the notification is sent. */
  readonly head: string;
  /** Subject of the mail, if a script has set one. */
  readonly subject: string | null;
  /** The exact bytes to send, released as soon as the attempt has ended. */
  body: Buffer;
}
