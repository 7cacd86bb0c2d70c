// What was claimed, with its message: ready to be sent, unless its body is not kept any more.

import type { Database } from '../database/database.ts';
import {
  type BareBodyRow,
  type ClaimedRow,
  type MessageRow,
  selectHeads,
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
  const messages = await loadMessages(database, claimed);
  const loaded: LoadedClaim = { ready: [], gone: [], surplus: [] };
  for (const row of claimed) {
    const message = messages.get(row.key!);
    if (!message) loaded.gone.push(Number(row.key));
    else if (message.body === null) loaded.surplus.push(Number(row.key));
    else loaded.ready.push(readyOf(row, message, message.body));
  }
  return loaded;
}

async function loadMessages(database: Database, claimed: readonly ClaimedRow[]): Promise<Map<string, MessageRow>> {
  const days = claimed.map(({ created_date }) => created_date).sort();
  const [from, to] = [days[0]!, days.at(-1)!];
  const keys = claimed.map(({ key }) => Number(key));
  const rows = (await database.run(selectMessages(keys, from, to, bytesAtOnce))) as unknown as (
    | MessageRow
    | BareBodyRow
  )[];
  const messages = new Map<string, MessageRow>();
  const bare = new Map<string, BareBodyRow>();
  for (const row of rows)
    if (row.id === null) bare.set(row.key, row);
    else messages.set(row.key, row);
  if (bare.size === 0) return messages;
  const heads = await database.run(selectHeads([...bare.keys()].map(Number), from, to));
  for (const head of heads as unknown as Omit<MessageRow, 'body'>[])
    messages.set(head.key, { ...head, body: bare.get(head.key)!.body });
  return messages;
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
    subject: message.subject,
    body,
  };
}
