// A receiver for many subscriptions, one path each. Keeps when each notification arrived.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ThrottleArrival } from './throttle-ledger.ts';

/** With `atMs` by `performance.now()`. */
export class ThrottleReceiver {
  readonly arrivals: ThrottleArrival[][];
  readonly #server: Server;

  static async start(subscriptions: number): Promise<ThrottleReceiver> {
    const receiver = new ThrottleReceiver(subscriptions);
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  private constructor(subscriptions: number) {
    this.arrivals = Array.from({ length: subscriptions }, () => []);
    this.#server = createServer(async (request, response) => {
      const atMs = performance.now();
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const change = Number(/"flag":\s*"change (\d+)"/.exec(Buffer.concat(chunks).toString())?.[1]);
      this.arrivals[Number(request.url!.slice(1))]!.push({ id: String(request.headers['webhook-id']), change, atMs });
      response.end();
    });
  }

  urlOf(subscription: number): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${subscription}`;
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}
