// What Node knows of a connection and has no public way to ask for. No other file looks into its private fields.

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The answer that has the socket now. When it is sent, Node gives the socket to the next one in the queue. */
export function pendingAnswer(socket: Socket): ServerResponse | undefined {
  return (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
}

/** How much of the write under way the operating system has not taken yet: a large answer is a single write. */
export function unsentBytes(socket: Socket): number {
  return (socket as Socket & { _handle?: { writeQueueSize: number } | null })._handle?.writeQueueSize ?? 0;
}
