// A receiver that remembers which notifications arrived, of which change, and when.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface Arrivals {
  /** The key of the vessel, and its new name. */
  change: string;
  /** When each request came, as `performance.now()` counts. */
  at: number[];
}

export interface FailoverReceiver {
  url: string;
  /** By the id of the notification. */
  received: ReadonlyMap<string, Arrivals>;
  close(): void;
}

interface Notification {
  id: string;
  resource: { key: number; vesselName: string };
}

export async function openFailoverReceiver(): Promise<FailoverReceiver> {
  const received = new Map<string, Arrivals>();
  const server = createServer(async (request, response) => {
    const { id, resource } = (await json(request)) as Notification;
    const change = `${resource.key} ${resource.vesselName}`;
    received.set(id, { change, at: [...(received.get(id)?.at ?? []), performance.now()] });
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
