// A relay between a service and its PostgreSQL server, so that a test can take the database away and give it back.

import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { inject } from 'vitest';

export class DatabaseRelay {
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;
  #isSilent = false;
  #lostAnswer: string | undefined;

  /** Opened for the first time on any free port, and again on the same one. */
  async open(): Promise<void> {
    const target = new URL(inject('serverUrl'));
    this.#server = createServer((incoming) => {
      const outgoing = connect(Number(target.port || 5432), target.hostname.replace(/^\[|\]$/g, ''));
      for (const [socket, other] of [
        [incoming, outgoing],
        [outgoing, incoming],
      ] as const) {
        this.#sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => other.destroy());
        if (!this.#isSilent) socket.pipe(other);
      }
      incoming.on('data', (data) => this.#loseAnswerTo(data, outgoing));
    });
    await new Promise<void>((resolve) => this.#server?.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Connections that are open are cut, new ones are refused. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server?.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
    await closed;
  }

  /** Connections that are open fall silent without an end, as behind a firewall that forgets them; new ones work. */
  freeze(): void {
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  /** New connections are refused; those that are open stay as they are. */
  refuse(): void {
    this.#server?.close();
  }

  /** Connections are taken from now on, and nothing is said on them. */
  freezeNew(): void {
    this.#isSilent = true;
  }

  /** The connection that sends this text next is cut when its answer comes. */
  loseAnswerTo(text: string): void {
    this.#lostAnswer = text;
  }

  /** New connections work again. */
  thaw(): void {
    this.#isSilent = false;
  }

  #loseAnswerTo(request: Buffer, outgoing: Socket): void {
    if (this.#lostAnswer === undefined || !request.includes(this.#lostAnswer)) return;
    this.#lostAnswer = undefined;
    outgoing
      .unpipe()
      .once('data', () => outgoing.destroy())
      .resume();
  }

  /** The same database, seen through the relay. */
  urlOf(databaseUrl: string): string {
    const url = new URL(databaseUrl);
    url.hostname = '127.0.0.1';
    url.port = String(this.#port);
    // The embedded server's own URL leads to its Unix socket.
    url.searchParams.delete('host');
    return url.href;
  }
}
