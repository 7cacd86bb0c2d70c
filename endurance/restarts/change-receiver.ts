// A receiver that remembers which changes it was notified of.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ChangeReceiver {
  url: string;
  /** The key of each vessel with its new name, and how often it arrived. */
  received: ReadonlyMap<string, number>;
  close(): void;
}

interface Notification {
  resource: { key: number; vesselName: string };
}

export async function openChangeReceiver(): Promise<ChangeReceiver> {
  const received = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { resource } = JSON.parse(Buffer.concat(chunks).toString()) as Notification;
    const change = `${resource.key} ${resource.vesselName}`;
    received.set(change, (received.get(change) ?? 0) + 1);
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
