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
  /** What comes after so many were accepted is answered with 500. */
  acceptedMax: number;
  deliveries: Delivery[];
  /** Ids of what was answered with 2xx. */
  accepted(): string[];
}

interface TargetOptions {
  /** Signatures must be right, or the answer is 401. */
  secret?: string;
  /** How old a signature may be. */
  toleranceSeconds?: number;
  port?: number;
}

/** Gone when the test is over. */
export async function startTarget(options: TargetOptions = {}): Promise<Target> {
  const { secret, toleranceSeconds = 300, port = 0 } = options;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { headers } = request;
      const ageSeconds = Date.now() / 1000 - Number(headers['webhook-timestamp']);
      const isTrusted = secret === undefined || (isAuthentic(secret, headers, body) && ageSeconds <= toleranceSeconds);
      const answer = target.accepted().length < target.acceptedMax ? target.status : 500;
      const status = isTrusted ? answer : 401;
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
    acceptedMax: Number.POSITIVE_INFINITY,
    deliveries: [],
    accepted: () => target.deliveries.filter(({ status }) => status >= 200 && status < 300).map(({ id }) => id),
  };
  return target;
}

function isAuthentic(secret: string, headers: IncomingHttpHeaders, body: string): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}
