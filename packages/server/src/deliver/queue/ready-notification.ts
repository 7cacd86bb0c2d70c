// A notification that is claimed and can be sent at once, and how the response to a claim is read.

import type { Row } from '../../database/database.ts';
import { completeBodies } from './content-table.ts';

export interface ReadyNotification {
  readonly key: number;
  readonly createdDate: string;
  readonly subscriptionKey: number;
  /** Attempts before this one, since the notification was created or last resent. */
  readonly attempts: number;
  readonly resendJob: number | null;
  /** The key of the job, if it is a replay. */
  readonly replay: number | undefined;
  /** The object that the notification is about, if its subscription is ordered. */
  readonly orderedObject: number | null;
  /** Everything sent with the body, as stored (`message-head.ts`). It is parsed when the notification is sent. */
  readonly head: string;
  /** Subject of the mail, if a script has set one. */
  readonly subject: string | null;
  /** The exact bytes to send, released as soon as the attempt has ended. */
  body: Buffer;
}

export interface Claim {
  /** Whether no lanes follow. */
  isEnd: boolean;
  lastLane: number;
  /** In the order of their keys. */
  ready: ReadyNotification[];
  /** Keys of notifications that can no longer be sent. */
  withoutBody: number[];
  /** Keys of notifications whose bodies exceed the byte limit of the claim. */
  surplus: number[];
}

/** Reads the rows of `claimPending`: the end, then one row for each notification, then one for each stored message. */
export function readClaim([end, ...rows]: readonly Row[]): Claim {
  const claim: Claim = {
    isEnd: end!.is_end === true,
    lastLane: Number(end!.last_lane),
    ready: [],
    withoutBody: [],
    surplus: [],
  };
  const stored = completeBodies(rows.filter(({ head }) => head !== null));
  const messages = new Map(stored.map((row) => [row.key, row]));
  for (const row of rows.filter(({ head }) => head === null)) {
    const message = messages.get(row.key);
    if (!message) claim.withoutBody.push(Number(row.key));
    else if (message.body === null) claim.surplus.push(Number(row.key));
    else claim.ready.push(readyOf(row, message));
  }
  claim.ready.sort((one, other) => one.key - other.key);
  return claim;
}

export function readyOf(row: Row, message: Row): ReadyNotification {
  return {
    key: Number(row.key),
    createdDate: String(row.created_date),
    subscriptionKey: Number(row.subscription_key),
    attempts: Number(row.attempts),
    resendJob: row.resend_job === null ? null : Number(row.resend_job),
    replay: row.replay_of === null ? undefined : Number(row.resend_job),
    orderedObject: row.ordered_object === null ? null : Number(row.ordered_object),
    head: String(message.head),
    subject: message.subject as string | null,
    body: message.body as Buffer,
  };
}
