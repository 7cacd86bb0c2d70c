// Converts the rows of a claim to notifications that are ready to be sent. Separates those without a stored body, and
// those beyond the byte limit.

import type { ClaimAnswer, ClaimedRow, MessageRow } from './pending-table.ts';
import type { ReadyNotification } from './ready-notification.ts';

export interface Claimed {
  /** In the order of their keys. */
  ready: ReadyNotification[];
  /** Keys of notifications that can no longer be sent. */
  withoutBody: number[];
  /** Keys of notifications whose bodies exceed the byte limit of the claim. */
  surplus: number[];
}

export function readClaimed({ claimed: rows, messages }: Pick<ClaimAnswer, 'claimed' | 'messages'>): Claimed {
  const claimed: Claimed = { ready: [], withoutBody: [], surplus: [] };
  const byKey = new Map(messages.map((message) => [message.key, message]));
  for (const row of rows) {
    const message = byKey.get(row.key);
    if (!message) claimed.withoutBody.push(Number(row.key));
    else if (message.body === null) claimed.surplus.push(Number(row.key));
    else claimed.ready.push(readyOf(row, message, message.body));
  }
  claimed.ready.sort((one, other) => one.key - other.key);
  return claimed;
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
