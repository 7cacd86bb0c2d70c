// A receiver on loopback that answers what a test tells it to, and keeps what it was sent.

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Delivery {
  id: string;
  body: string;
  path: string;
  status: number;
}

export interface SwitchedReceiver {
  url: string;
  /** From now on; 0: nothing is answered until it is let go. */
  status: number;
  deliveries: Delivery[];
  /** Answers what was claimedKeys back, with this status: all, and all to come, or only the first of them. */
  letGo(status: number, which?: 'all' | 'first'): void;
  /** Ids of what was taken, in order. */
  taken(): string[];
}

/** Gone when the test is over. */
export async function startSwitchedReceiver(status = 200): Promise<SwitchedReceiver> {
  const claimedKeys: { response: ServerResponse; delivery: Delivery }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const id = String(request.headers['webhook-id']);
      const delivery = { id, body, path: request.url ?? '', status: receiver.status };
      receiver.deliveries.push(delivery);
      if (receiver.status === 0) claimedKeys.push({ response, delivery });
      else response.writeHead(receiver.status).end('as told');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const receiver: SwitchedReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    status,
    deliveries: [],
    letGo: (answered, which = 'all') => {
      if (which === 'all') receiver.status = answered;
      for (const { response, delivery } of claimedKeys.splice(0, which === 'all' ? claimedKeys.length : 1)) {
        delivery.status = answered;
        response.writeHead(answered).end('as told');
      }
    },
    taken: () => receiver.deliveries.filter((each) => each.status === 200).map(({ id }) => id),
  };
  return receiver;
}
