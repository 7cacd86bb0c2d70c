// The one place that looks into Node's own bookkeeping of a connection.

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The answer that has the socket now. When it is through, Node gives the socket to the next one in the queue. */
export function pendingAnswer(socket: Socket): ServerResponse | undefined {
  return (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
}
