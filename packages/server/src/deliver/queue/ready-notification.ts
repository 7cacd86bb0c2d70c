// A notification that is claimed and can be sent at once, and how the response to a claim is read.

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

interface EndRow {
  is_end: boolean;
  last_lane: string;
}

interface ClaimedRow {
  key: string;
  created_date: string;
  subscription_key: string;
  attempts: number;
  resend_job: string | null;
}

interface MessageRow {
  key: string;
  created_date: null;
  head: string;
  subject: string | null;
  /** Null if the body exceeds the byte limit. */
  body: Buffer | null;
}

/** The rows of `claimPending`: the end, then one row for each notification, then one for each stored message. */
export function readClaim([end, ...rows]: readonly unknown[]): Claim {
  const { is_end: isEnd, last_lane } = end as EndRow;
  const claim: Claim = { isEnd, lastLane: Number(last_lane), ready: [], withoutBody: [], surplus: [] };
  const all = rows as (ClaimedRow | MessageRow)[];
  const messages = new Map(all.filter((row) => row.created_date === null).map((row) => [row.key, row]));
  for (const row of all.filter((row) => row.created_date !== null)) {
    const message = messages.get(row.key);
    if (!message) claim.withoutBody.push(Number(row.key));
    else if (message.body === null) claim.surplus.push(Number(row.key));
    else claim.ready.push(readyOf(row, message, message.body));
  }
  claim.ready.sort((one, other) => one.key - other.key);
  return claim;
}

function readyOf(row: ClaimedRow, { head, subject }: MessageRow, body: Buffer): ReadyNotification {
  return {
    key: Number(row.key),
    createdDate: row.created_date,
    subscriptionKey: Number(row.subscription_key),
    attempts: row.attempts,
    resendJob: row.resend_job === null ? null : Number(row.resend_job),
    head,
    subject,
    body,
  };
}
