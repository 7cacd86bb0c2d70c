// Waits until a socket is open, within a limit of time.

import type { Socket } from 'node:net';
import { ConnectError } from './connect-error.ts';

export interface Limit {
  /** On the clock of `performance.now()`. */
  endsAtMs: number;
  /** Aborted if nobody waits for the connection any more. */
  signal: AbortSignal;
}

/** If the event does not come in time, the socket is destroyed. `check` is called when it comes, and may throw. */
export function whenOpen<S extends Socket>(
  socket: S,
  event: 'connect' | 'secureConnect',
  { endsAtMs, signal }: Limit,
  check: () => void = () => undefined,
): Promise<S> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      settle();
      socket.destroy();
      reject(error);
    };
    const giveUp = (): void => fail(new ConnectError('given up'));
    const timer = setTimeout(() => fail(new ConnectError('no connection')), Math.max(0, endsAtMs - performance.now()));
    const settle = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    };
    signal.addEventListener('abort', giveUp);
    // The listener stays: until the client adds its own, an unhandled error would end the process.
    socket.on('error', fail);
    socket.once(event, () => {
      try {
        check();
        settle();
        resolve(socket);
      } catch (error) {
        fail(error as Error);
      }
    });
    if (signal.aborted) giveUp();
  });
}
