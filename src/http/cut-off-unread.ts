// Ends connections whose clients have stopped reading: their answers would stay in memory. Only what a client reads
// counts as progress. The timeout of a socket cannot tell: it starts again with every byte that the client sends.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { unsentBytes } from './node-connection.ts';

export function cutOffUnread(server: Server, sockets: Iterable<Socket>, unreadMs: number): void {
  const found = new WeakMap<Socket, Progress>();
  const check = () => {
    for (const socket of sockets) {
      const progress = judgeProgress(socket, found.get(socket));
      if (progress.checksWithout >= checksPerLimit) socket.destroy();
      found.set(socket, progress);
    }
  };
  const timer = setInterval(check, unreadMs / checksPerLimit);
  server.once('close', () => clearInterval(timer));
}

/** Counted, because a process that was suspended for a while has given nobody the time to read. */
const checksPerLimit = 10;

interface Progress {
  /** In writes that are complete. */
  sentBytes: number;
  /** Of the write under way. */
  unsentBytes: number;
  /** How many checks in a row have found it like that. */
  checksWithout: number;
}

function judgeProgress(socket: Socket, before: Progress | undefined): Progress {
  const now = { sentBytes: socket.bytesWritten - socket.writableLength, unsentBytes: unsentBytes(socket) };
  const isStalled =
    socket.writableLength > 0 && before?.sentBytes === now.sentBytes && before.unsentBytes === now.unsentBytes;
  return { ...now, checksWithout: isStalled ? before.checksWithout + 1 : 0 };
}
