// A receiver that fails one request in ten, and that is cut off now and then. Keeps the order of what arrives.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from '../dice.ts';

export interface OrderArrival {
  id: string;
  isAccepted: boolean;
}

const failedShare = 0.1;

export class OrderReceiver {
  readonly url: string;
  /** In the order of arrival. */
  readonly arrivals: OrderArrival[] = [];
  readonly #server;
  readonly #port: number;

  static async start(dice: Dice): Promise<OrderReceiver> {
    const server = createServer((request, response) => {
      request.resume();
      request.on('end', () => {
        const isAccepted = !dice.isBelow(failedShare);
        receiver.arrivals.push({ id: String(request.headers['webhook-id']), isAccepted });
        response.writeHead(isAccepted ? 200 : 500).end();
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const receiver = new OrderReceiver(server, (server.address() as AddressInfo).port);
    return receiver;
  }

  private constructor(server: ReturnType<typeof createServer>, port: number) {
    this.#server = server;
    this.#port = port;
    this.url = `http://127.0.0.1:${port}/hook`;
  }

  /** Breaks all connections, and refuses new ones for a while. */
  async interrupt(ms: number): Promise<void> {
    await this.stop();
    await sleep(ms);
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}
