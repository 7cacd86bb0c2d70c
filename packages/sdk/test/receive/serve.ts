// HTTP servers of a test, on loopback, gone when it is over.

import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export async function serve(listener: RequestListener): Promise<string> {
  return urlOf(createServer(listener).listen(0, '127.0.0.1'));
}

async function urlOf(server: Server): Promise<string> {
  if (!server.listening) await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
