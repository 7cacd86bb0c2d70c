// A load balancer as platforms have them: it passes on TCP connections, new ones to a process that said it is ready.

import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { request } from 'undici';

const checkEveryMs = 100;

export class Balancer {
  readonly #ports: readonly number[];
  readonly #ready = new Set<number>();
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  #turn = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(ports: readonly number[]) {
    this.#ports = ports;
    this.#server = createServer((client) => this.#passOn(client));
  }

  /** Returns its URL. */
  async open(): Promise<string> {
    await this.#check();
    this.#timer = setInterval(() => this.#check(), checkEveryMs);
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  async #check(): Promise<void> {
    await Promise.all(
      this.#ports.map(async (port) => {
        if (await isReady(port)) this.#ready.add(port);
        else this.#ready.delete(port);
      }),
    );
  }

  #passOn(client: Socket): void {
    const ready = [...this.#ready];
    this.#turn += 1;
    const port = ready[this.#turn % ready.length];
    if (port === undefined) return void client.destroy();
    const process = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [client, process],
      [process, client],
    ] as const) {
      this.#sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  }
}

async function isReady(port: number): Promise<boolean> {
  try {
    const { statusCode, body } = await request(`http://127.0.0.1:${port}/health/ready`, { headersTimeout: 1_000 });
    await body.dump();
    return statusCode === 200;
  } catch {
    return false;
  }
}
