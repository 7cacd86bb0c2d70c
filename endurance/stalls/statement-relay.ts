// A relay between one process and its database that can act at a chosen statement, and can be cut: then nothing passes
// any more, as if packets were dropped, and neither side is notified. Data sent meanwhile arrives when it is healed.

import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { endpointOf } from './database-endpoint.ts';
import { statementsIn } from './statements-in.ts';

interface Pair {
  /** From the process. */
  incoming: Socket;
  /** To the database. */
  outgoing: Socket;
}

/** An action at a statement: `before` it reaches the database, or `after`. */
export interface Trigger {
  /** How many statements pass first. */
  after: number;
  /** Only at a statement seen a few times at most; after a while, at any. */
  isRare: boolean;
  moment: 'before' | 'after';
  act(): void;
}

const rareTimes = 3;
const rareWithinMs = 5_000;

export class StatementRelay {
  readonly url: string;
  readonly #pairs = new Set<Pair>();
  readonly #server: Server;
  #isCut = false;
  #trigger: Trigger | undefined;
  #statementsLeft = 0;
  #armedAt = 0;
  readonly #timesSeen = new Map<string, number>();

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

  /** Once. */
  arm(trigger: Trigger): void {
    this.#trigger = trigger;
    this.#statementsLeft = trigger.after;
    this.#armedAt = performance.now();
  }

  /** Cancels the action if its statement was not sent yet. Returns whether it was cancelled. */
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
      // The close that follows notifies the other end.
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#pairs.delete(pair);
        other.destroy();
      });
    }
    if (this.#isCut) pause(pair);
  }

  #onStatement({ incoming, outgoing }: Pair, chunk: Buffer): void {
    const trigger = this.#isChosen(statementsIn(chunk)) ? this.#trigger : undefined;
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

  #isChosen(statements: string): boolean {
    const times = (this.#timesSeen.get(statements) ?? 0) + 1;
    this.#timesSeen.set(statements, times);
    if (this.#trigger === undefined || this.#statementsLeft-- > 0) return false;
    return !this.#trigger.isRare || times <= rareTimes || performance.now() - this.#armedAt > rareWithinMs;
  }
}

function pause({ incoming, outgoing }: Pair): void {
  incoming.pause();
  outgoing.pause();
}
