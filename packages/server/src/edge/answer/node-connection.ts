// State of a connection that Node does not expose in its public API. No other file reads Node's private fields.

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The response that owns the socket now. After it is sent, Node assigns the socket to the next response in the queue.
 */
export function pendingAnswer(socket: Socket): ServerResponse | undefined {
  return (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
}

/**
 * How many bytes of the current write the operating system has not accepted yet. A large response is a single write.
 */
export function unsentBytes(socket: Socket): number {
  return (socket as Socket & { _handle?: { writeQueueSize: number } | null })._handle?.writeQueueSize ?? 0;
}
