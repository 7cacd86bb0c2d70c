// Starts and controls the receivers.

import { fileURLToPath } from 'node:url';
import { NodeProgram } from '../harness/node-program.ts';
import type { Behaviour, Received, SinkMake, SinkRequest } from './sink.ts';

const patienceMs = 30_000;

export class Sink {
  readonly #program: NodeProgram;
  readonly urls: readonly string[];

  static async start(behaviours: Behaviour[], make: SinkMake = 'lean'): Promise<Sink> {
    const program = new NodeProgram({ script: fileURLToPath(new URL('./sink.js', import.meta.url)), hasChannel: true });
    const { ports } = await program.ask<{ ports: number[] }>({ kind: 'open', make, behaviours } satisfies SinkRequest);
    return new Sink(
      program,
      ports.map((port, n) => `http://127.0.0.1:${port}/webhooks/flaghoist/${n}`),
    );
  }

  private constructor(program: NodeProgram, urls: readonly string[]) {
    this.#program = program;
    this.urls = urls;
  }

  get pid(): number {
    return this.#program.pid;
  }

  async behave(receiver: number, behaviour: Behaviour): Promise<void> {
    await this.#program.ask({ kind: 'behave', receiver, behaviour } satisfies SinkRequest);
  }

  /** Restarts the count. */
  async begin(): Promise<void> {
    await this.#program.ask({ kind: 'begin' } satisfies SinkRequest);
  }

  /**
   * Waits for this many requests to prompt receivers. Gives up if none arrives any more; the ledger then reports it.
   */
  async wait(count: number, patience = patienceMs): Promise<number> {
    const request: SinkRequest = { kind: 'wait', count, patienceMs: patience };
    return (await this.#program.ask<{ received: number }>(request)).received;
  }

  take(): Promise<Received> {
    return this.#program.ask<Received>({ kind: 'take' } satisfies SinkRequest);
  }

  stop(): Promise<void> {
    return this.#program.stop();
  }
}
