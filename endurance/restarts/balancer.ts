// A TCP load balancer: it passes on connections, new ones to a process that said it is ready.

import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';

const checkEveryMs = 100;
/** A process that is merely slow stays ready. */
const patienceMs = 10_000;

export class Balancer {
  readonly #ports: readonly number[];
  readonly #ready = new Set<number>();
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  #turn = 0;
  #isClosed = false;
  #checking: Promise<unknown> = Promise.resolve();

  constructor(ports: readonly number[]) {
    this.#ports = ports;
    this.#server = createServer((client) => void this.#passOn(client));
  }

  /** Returns its URL. */
  async open(): Promise<string> {
    await Promise.all(this.#ports.map((port) => this.#check(port)));
    this.#checking = Promise.all(this.#ports.map((port) => this.#checkAgain(port)));
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await this.#checking;
  }

  async #checkAgain(port: number): Promise<void> {
    while (!this.#isClosed) {
      await sleep(checkEveryMs);
      await this.#check(port);
    }
  }

  async #check(port: number): Promise<void> {
    if (await isReady(port)) this.#ready.add(port);
    else this.#ready.delete(port);
  }

  /** With no ready process, the client waits for one. */
  async #passOn(client: Socket): Promise<void> {
    this.#follow(client);
    while (this.#ready.size === 0 && !client.destroyed) await sleep(checkEveryMs);
    if (client.destroyed) return;
    const ready = [...this.#ready];
    this.#turn += 1;
    const process = connect(ready[this.#turn % ready.length]!, '127.0.0.1');
    this.#follow(process);
    for (const [from, to] of [
      [client, process],
      [process, client],
    ] as const) {
      from.on('close', () => to.destroy());
      from.pipe(to);
    }
  }

  #follow(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
  }
}

async function isReady(port: number): Promise<boolean> {
  const options = { headersTimeout: patienceMs, bodyTimeout: patienceMs };
  try {
    const { statusCode, body } = await request(`http://127.0.0.1:${port}/health/ready`, options);
    await body.dump();
    return statusCode === 200;
  } catch {
    return false;
  }
}
