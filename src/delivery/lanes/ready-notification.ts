// A notification that is claimed and can be sent at once.

export interface ReadyNotification {
  readonly key: number;
  readonly createdDate: string;
  readonly subscriptionKey: number;
  /** Of the present set, before this one. */
  readonly attempts: number;
  readonly resendJob: number | null;
  /** All that is sent beside the body, as it is stored (`message-head.ts`): it is taken apart when its turn has come. */
  readonly head: string;
  /** Of its mail, where a script has said one. */
  readonly subject: string | null;
  /** The very bytes, let go as soon as the attempt has ended. */
  body: Buffer;
}
