// Converts the rows of a claim to notifications that are ready to be sent. Separates those without a stored body, and
// those beyond the byte limit.

import type { Database } from '../../database/database.ts';
import { renderHead } from './message-head.ts';
import { type ClaimAnswer, type ClaimedRow, type HeadRow, type MessageRow, selectHeads } from './pending-table.ts';
import type { ReadyNotification } from './ready-notification.ts';

export interface Claimed {
  /** In the order of their keys. */
  ready: ReadyNotification[];
  /** Keys of notifications that can no longer be sent. */
  withoutBody: number[];
  /** Keys of notifications whose bodies exceed the byte limit of the claim. */
  surplus: number[];
}

interface Headless {
  row: ClaimedRow;
  message: MessageRow;
}

export async function readClaimed(
  database: Database,
  { claimed: rows, messages }: Pick<ClaimAnswer, 'claimed' | 'messages'>,
): Promise<Claimed> {
  const claimed: Claimed = { ready: [], withoutBody: [], surplus: [] };
  const byKey = new Map(messages.map((message) => [message.key, message]));
  const headless = new Map<string, Headless>();
  for (const row of rows) {
    const message = byKey.get(row.key);
    if (!message) claimed.withoutBody.push(Number(row.key));
    else if (message.body === null) claimed.surplus.push(Number(row.key));
    else if (message.head === null) headless.set(row.key, { row, message });
    else claimed.ready.push(readyOf(row, message.head, message));
  }
  if (headless.size > 0) await addHeads(database, headless, claimed);
  claimed.ready.sort((one, other) => one.key - other.key);
  return claimed;
}

/** Adds messages that an earlier version has stored without a head. */
async function addHeads(database: Database, headless: Map<string, Headless>, claimed: Claimed): Promise<void> {
  const days = [...headless.values()].map(({ row }) => row.created_date).sort();
  const keys = [...headless.keys()].map(Number);
  const heads = (await database.run(selectHeads(keys, days[0]!, days.at(-1)!))) as unknown as HeadRow[];
  for (const head of heads) {
    const { row, message } = headless.get(head.key)!;
    claimed.ready.push(readyOf(row, headOf(head), message));
    headless.delete(head.key);
  }
  claimed.withoutBody.push(...[...headless.keys()].map(Number));
}

function headOf(row: HeadRow): string {
  return renderHead({
    id: row.id,
    objectType: row.object_type,
    objectKey: Number(row.object_key),
    eventType: row.event_type,
    subscribedObjectKey: Number(row.subscribed_object_key),
    eventTime: row.event_time,
    contentType: row.content_type,
  });
}

function readyOf(row: ClaimedRow, head: string, { subject, body }: MessageRow): ReadyNotification {
  return {
    key: Number(row.key),
    createdDate: row.created_date,
    subscriptionKey: Number(row.subscription_key),
    attempts: row.attempts,
    resendJob: row.resend_job === null ? null : Number(row.resend_job),
    head,
    subject,
    body: body!,
  };
}
