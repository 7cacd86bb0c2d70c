// What was claimed, with its message: ready to be sent, unless its body is not kept any more.

import type { Database } from '../database/database.ts';
import {
  type BodyRow,
  type ClaimedRow,
  type MessageRow,
  selectBodies,
  selectMessages,
} from '../notifications/pending-table.ts';
import type { ReadyNotification } from './ready-notification.ts';

export interface LoadedClaim {
  ready: ReadyNotification[];
  /** Keys of those that cannot be sent any more. */
  gone: number[];
  /** Keys of those that are too much for now. */
  surplus: number[];
}

const bytesAtOnce = 8_000_000;

export async function loadClaimed(database: Database, claimed: readonly ClaimedRow[]): Promise<LoadedClaim> {
  const days = claimed.map(({ created_date }) => created_date).sort();
  const [from, to] = [days[0]!, days.at(-1)!];
  const keys = claimed.map(({ key }) => Number(key));
  const [messageRows, bodyRows] = await Promise.all([
    database.run(selectMessages(keys, from, to)),
    database.run(selectBodies(keys, from, to, bytesAtOnce)),
  ]);
  const messages = new Map((messageRows as unknown as MessageRow[]).map((row) => [row.key, row]));
  const bodies = new Map((bodyRows as unknown as BodyRow[]).map(({ key, body }) => [key, body]));
  const loaded: LoadedClaim = { ready: [], gone: [], surplus: [] };
  for (const row of claimed) {
    const [message, body] = [messages.get(row.key!), bodies.get(row.key!)];
    if (!message || body === undefined) loaded.gone.push(Number(row.key));
    else if (body === null) loaded.surplus.push(Number(row.key));
    else loaded.ready.push(readyOf(row, message, body));
  }
  return loaded;
}

function readyOf(row: ClaimedRow, message: MessageRow, body: Buffer): ReadyNotification {
  return {
    key: Number(row.key),
    createdDate: row.created_date,
    subscriptionKey: Number(row.subscription_key),
    attempts: row.attempts,
    resendJob: row.resend_job === null ? null : Number(row.resend_job),
    id: message.id,
    objectType: message.object_type,
    objectKey: Number(message.object_key),
    eventType: message.event_type,
    subscribedObjectKey: Number(message.subscribed_object_key),
    eventTime: message.event_time,
    contentType: message.content_type,
    body,
  };
}
