// A relay between one process and its database, which can do something at a chosen statement, and can be cut: then nothing passes any more, as
// if packets were dropped, and neither side is told. What was sent meanwhile arrives when it is healed.

import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { endpointOf } from './database-endpoint.ts';

interface Pair {
  /** From the process. */
  incoming: Socket;
  /** To the database. */
  outgoing: Socket;
}

/** What is done at a statement: `before` it reaches the database, or `after`. */
export interface Trigger {
  moment: 'before' | 'after';
  act(): void;
}

export class StatementRelay {
  readonly url: string;
  readonly #pairs = new Set<Pair>();
  readonly #server: Server;
  #isCut = false;
  #statementsLeft = 0;
  #trigger: Trigger | undefined;

  static async open(databaseUrl: string): Promise<StatementRelay> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new StatementRelay(server, databaseUrl);
  }

  private constructor(server: Server, databaseUrl: string) {
    this.#server = server;
    const endpoint = endpointOf(databaseUrl);
    const url = new URL(endpoint.url);
    url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.url = url.href;
    server.on('connection', (incoming) => this.#join({ incoming, outgoing: connect(endpoint.target) }));
  }

  /** Once, at the statement that comes after so many others. */
  triggerAfter(statements: number, trigger: Trigger): void {
    this.#statementsLeft = statements;
    this.#trigger = trigger;
  }

  /** The chosen statement has not come: nothing is done any more. Answers whether it was so. */
  disarm(): boolean {
    const wasArmed = this.#trigger !== undefined;
    this.#trigger = undefined;
    return wasArmed;
  }

  cut(): void {
    this.#isCut = true;
    for (const pair of this.#pairs) pause(pair);
  }

  heal(): void {
    this.#isCut = false;
    for (const { incoming, outgoing } of this.#pairs) {
      incoming.resume();
      outgoing.resume();
    }
  }

  async close(): Promise<void> {
    for (const { incoming, outgoing } of this.#pairs) {
      incoming.destroy();
      outgoing.destroy();
    }
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(pair: Pair): void {
    const { incoming, outgoing } = pair;
    this.#pairs.add(pair);
    incoming.on('data', (chunk) => this.#onStatement(pair, chunk));
    outgoing.on('data', (chunk) => incoming.write(chunk));
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      // The other end is told by the close that follows.
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#pairs.delete(pair);
        other.destroy();
      });
    }
    if (this.#isCut) pause(pair);
  }

  #onStatement({ incoming, outgoing }: Pair, chunk: Buffer): void {
    const trigger = this.#trigger && this.#statementsLeft-- <= 0 ? this.#trigger : undefined;
    if (trigger) this.#trigger = undefined;
    if (trigger?.moment === 'before') {
      trigger.act();
      if (this.#isCut) incoming.unshift(chunk);
      else outgoing.write(chunk);
      return;
    }
    outgoing.write(chunk);
    trigger?.act();
  }
}

function pause({ incoming, outgoing }: Pair): void {
  incoming.pause();
  outgoing.pause();
}
