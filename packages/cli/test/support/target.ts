// A local receiver that answers what a test tells it to, verifies signatures, and keeps what it was sent.

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { onTestFinished } from 'vitest';

interface Delivery {
  id: string;
  headers: IncomingHttpHeaders;
  body: string;
  status: number;
}

export interface Target {
  url: string;
  /** From now on. 0: nothing is answered. */
  status: number;
  deliveries: Delivery[];
  /** Ids of what was answered with 2xx. */
  accepted(): string[];
}

/** Gone when the test is over. `secret`: signatures must be right, or the answer is 401. */
export async function startTarget({ secret, port = 0 }: { secret?: string; port?: number } = {}): Promise<Target> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { headers } = request;
      const status = isAuthentic(secret, headers, body) ? target.status : 401;
      target.deliveries.push({ id: String(headers['webhook-id']), headers, body, status });
      if (status !== 0) response.writeHead(status).end(status < 300 ? '' : 'as told');
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const target: Target = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    status: 204,
    deliveries: [],
    accepted: () => target.deliveries.filter(({ status }) => status >= 200 && status < 300).map(({ id }) => id),
  };
  return target;
}

function isAuthentic(secret: string | undefined, headers: IncomingHttpHeaders, body: string): boolean {
  if (secret === undefined) return true;
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}
