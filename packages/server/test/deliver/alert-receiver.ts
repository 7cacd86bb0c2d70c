// The alert URL of the operator: a server on loopback that keeps what it was sent and answers as a test tells it to.

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach } from 'vitest';

export interface SentAlert {
  path: string;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into every kind of alert.
  body: any;
}

export interface AlertReceiver {
  url: string;
  /** From now on; 0: nothing is answered until `answerHeld`. */
  status: number;
  answerHeld(): void;
  sent: SentAlert[];
  /** Those about one subscription. */
  about(subscription: number): SentAlert['body'][];
}

/** What must never be seen. */
export const alertToken = 'T0SECRET/B0SECRET/fh-alert-token-8c1d';

/** To be called at the top of a test file, before the service that sends to it. */
export async function useAlertReceiver(): Promise<AlertReceiver> {
  const held: ServerResponse[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { url: path = '', headers } = request;
    receiver.sent.push({ path, headers, body: JSON.parse(Buffer.concat(chunks).toString()) });
    if (receiver.status === 0) held.push(response);
    else response.writeHead(receiver.status, { location: '/elsewhere' }).end('ok');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: AlertReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/services/${alertToken}`,
    status: 200,
    answerHeld: () => {
      for (const response of held.splice(0)) response.writeHead(200).end('ok');
    },
    sent: [],
    about: (subscription) =>
      receiver.sent.flatMap(({ body }) => (body.subscription?.key === subscription ? [body] : [])),
  };
  beforeEach(() => {
    receiver.status = 200;
    receiver.sent.length = 0;
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  return receiver;
}
