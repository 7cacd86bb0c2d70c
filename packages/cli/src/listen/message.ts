// What listen shows and forwards: a notification of the stream, or a past event in the same form.

import { createHmac } from 'node:crypto';
import type { Notification } from '@flaghoist/sdk';

export interface Message {
  /** `52011-1100` */
  id: string;
  /** stream: it has just happened, or while nobody was listening. since: from before the subscription. */
  origin: 'stream' | 'since' | 'replay';
  /** `BunkerOrder.U` */
  event: string;
  /** The object that the event type names. Null if the body does not show it. */
  resourceKey: number | null;
  /** What has changed: the same object, or one in its hierarchy. */
  objectType: string;
  operation: string;
  objectKey: number;
  sequence: number;
  attempt: number;
  /** With the newest signature: those of a stream change while the message waits. */
  headers: Readonly<Record<string, string>>;
  /** Exactly as it was signed. */
  body: string;
}

export function messageOf(notification: Notification): Message {
  const { id, event, objectType, operation, objectKey, sequence, attempt, headers, body, replay } = notification;
  const { key } = (notification.resource ?? {}) as { key?: unknown };
  return {
    id,
    origin: replay === undefined ? 'stream' : 'replay',
    event,
    resourceKey: typeof key === 'number' ? key : null,
    objectType,
    operation,
    objectKey,
    sequence,
    attempt,
    headers,
    body,
  };
}

/**
 * The headers for another attempt, as a receiver rejects an old timestamp. They are signed with `secret` only if the
 * service has signed with it, too: after a rotation elsewhere, only the service knows the right one.
 */
export function signAgain({ id, headers, body }: Message, secret: string | undefined, now: Date) {
  const signedAt = new Date(Number(headers['webhook-timestamp']) * 1000);
  const own = secret === undefined ? undefined : sign(id, body, secret, signedAt)['webhook-signature'];
  const isRight = own !== undefined && own === headers['webhook-signature'];
  return isRight ? { ...headers, ...sign(id, body, secret, now) } : headers;
}

/** The headers of Standard Webhooks. Without the secret, there is no signature. */
export function sign(id: string, body: string, secret: string | undefined, now: Date): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const unsigned = { 'webhook-id': id, 'webhook-timestamp': timestamp };
  if (secret === undefined) return unsigned;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { ...unsigned, 'webhook-signature': `v1,${signature}` };
}
