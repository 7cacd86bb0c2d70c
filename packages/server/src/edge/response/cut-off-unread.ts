// Closes connections whose clients have stopped reading, because their responses would stay in memory. Only bytes that
// the client reads count as progress. A socket timeout does not work: every byte that the client sends restarts it.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export function cutOffUnread(server: Server, sockets: Iterable<Socket>, unreadMs: number): void {
  const found = new WeakMap<Socket, Progress>();
  const check = () => {
    for (const socket of sockets) {
      const progress = judgeProgress(socket, found.get(socket));
      if (progress.checksWithout >= checksPerLimit) socket.destroy();
      found.set(socket, progress);
    }
  };
  // Not a `WorkLoop`: a check waits for nothing and cannot fail, and the server ends it.
  const timer = setInterval(check, unreadMs / checksPerLimit);
  server.once('close', () => clearInterval(timer));
}

/** Counts checks, not time: while a process is suspended, clients cannot read. */
const checksPerLimit = 10;

interface Progress {
  /** Bytes of completed writes. */
  sentBytes: number;
  /** Bytes of the current write that are not sent yet. */
  unsentBytes: number;
  /** How many consecutive checks found no progress. */
  checksWithout: number;
}

function judgeProgress(socket: Socket, before: Progress | undefined): Progress {
  const now = { sentBytes: socket.bytesWritten - socket.writableLength, unsentBytes: unsentBytes(socket) };
  const isStalled =
    socket.writableLength > 0 && before?.sentBytes === now.sentBytes && before.unsentBytes === now.unsentBytes;
  return { ...now, checksWithout: isStalled ? before.checksWithout + 1 : 0 };
}

/** How many bytes of the current write the operating system has not accepted yet. Node has no public API for this. */
function unsentBytes(socket: Socket): number {
  return (socket as Socket & { _handle?: { writeQueueSize: number } | null })._handle?.writeQueueSize ?? 0;
}
