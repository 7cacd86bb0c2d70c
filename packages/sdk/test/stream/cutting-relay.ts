// A relay between a client and a service, which cuts connections in the middle, or lets them fall silent.

import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface CuttingRelay {
  url: string;
  /** The service that new connections lead to. */
  target: string;
  /** The next stream is cut when this many bytes of it have come from the service, the one after it at the next. */
  places: number[];
  /** How many streams were cut. */
  cuts: number;
  /** Open connections fall silent, without an end. */
  freeze(): void;
}

/** Gone with the test that opened it. */
export async function openRelay(target: string): Promise<CuttingRelay> {
  const sockets = new Set<Socket>();
  const server = createServer((incoming) => {
    const outgoing = connect(Number(new URL(relay.target).port), '127.0.0.1');
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    let bytesLeft = Number.POSITIVE_INFINITY;
    incoming.on('data', (bytes: Buffer) => {
      if (bytes.includes('/stream')) bytesLeft = relay.places.shift() ?? bytesLeft;
      outgoing.write(bytes);
    });
    outgoing.on('data', (bytes: Buffer) => {
      bytesLeft -= bytes.length;
      if (bytesLeft > 0) {
        incoming.write(bytes);
        return;
      }
      relay.cuts += 1;
      outgoing.destroy();
      incoming.write(bytes.subarray(0, bytes.length + bytesLeft), () => incoming.resetAndDestroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const relay: CuttingRelay = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target,
    places: [],
    cuts: 0,
    freeze: () => {
      for (const socket of sockets) socket.pause().removeAllListeners('data');
    },
  };
  return relay;
}
