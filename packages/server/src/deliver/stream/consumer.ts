// A consumer of a stream: a connection, or a pull that waits. Consumers of one subscription share its notifications.

import { randomInt } from 'node:crypto';
import type { Message, Receiver } from '../../channels/registry/channel.ts';
import { messageHeaders } from '../../channels/registry/message-headers.ts';
import type { LeaseRequest } from './stream-table.ts';

export interface Consumer extends LeaseRequest {
  /** Open, and the client reads fast enough. */
  readonly isReady: boolean;
  /** The connection is open. */
  readonly isOpen: boolean;
  /** What it was sent and has not read yet. Undefined: it gets all of it in one response. */
  readonly unreadBytes: number | undefined;
  /** Called after each lease; empty if nothing was leased. */
  take(notifications: readonly StreamedNotification[]): void;
  /** Called every 15 seconds. */
  beat(): void;
  /** The subscription has ended, or the service stops. */
  end(): void;
}

export interface StreamedNotification {
  /** By which it is acknowledged. */
  readonly notification: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Random, so that no two consumers share one. */
export function newLeaseId(): number {
  return randomInt(1, 2 ** 48 - 1);
}

export function streamedOf(key: number, message: Message, receiver: Receiver, now: Date): StreamedNotification {
  const words = messageHeaders(message, receiver, now);
  const headers: Record<string, string> = {};
  for (let at = 0; at < words.length; at += 2) headers[words[at]!] = words[at + 1]!;
  return { notification: key, headers, body: message.body.toString() };
}
