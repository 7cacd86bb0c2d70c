// What was claimed, as it is sent: ready, unless its body is not kept any more.

import type { Database } from '../database/database.ts';
import { type ClaimedRow, type HeadRow, selectHeads } from '../notifications/pending-table.ts';
import type { ReadyNotification } from './lanes/ready-notification.ts';

export interface Claimed {
  /** In the order of their keys. */
  ready: ReadyNotification[];
  /** Keys of those that cannot be sent any more. */
  gone: number[];
  /** Keys of those that are too much for now. */
  surplus: number[];
}

export async function readClaimed(database: Database, rows: readonly ClaimedRow[]): Promise<Claimed> {
  const claimed: Claimed = { ready: [], gone: [], surplus: [] };
  const headless = new Map<string, ClaimedRow>();
  for (const row of rows) {
    if (row.size === null) claimed.gone.push(Number(row.key));
    else if (row.body === null) claimed.surplus.push(Number(row.key));
    else if (row.id === null) headless.set(row.key!, row);
    else claimed.ready.push(readyOf(row, row.id, row.body));
  }
  if (headless.size > 0) await addHeads(database, headless, claimed);
  claimed.ready.sort((one, other) => one.key - other.key);
  return claimed;
}

/** Those that an earlier version has made. */
async function addHeads(database: Database, headless: Map<string, ClaimedRow>, claimed: Claimed): Promise<void> {
  const days = [...headless.values()].map(({ created_date }) => created_date).sort();
  const keys = [...headless.keys()].map(Number);
  const heads = (await database.run(selectHeads(keys, days[0]!, days.at(-1)!))) as unknown as HeadRow[];
  for (const head of heads) {
    const row = headless.get(head.key)!;
    claimed.ready.push(readyOf({ ...row, ...head }, head.id, row.body!));
    headless.delete(head.key);
  }
  claimed.gone.push(...[...headless.keys()].map(Number));
}

function readyOf(row: ClaimedRow, id: string, body: Buffer): ReadyNotification {
  return {
    key: Number(row.key),
    createdDate: row.created_date,
    subscriptionKey: Number(row.subscription_key),
    attempts: row.attempts,
    resendJob: row.resend_job === null ? null : Number(row.resend_job),
    id,
    objectType: row.object_type,
    objectKey: Number(row.object_key),
    eventType: row.event_type,
    subscribedObjectKey: Number(row.subscribed_object_key),
    eventTime: row.event_time,
    contentType: row.content_type,
    subject: row.subject,
    body,
  };
}
