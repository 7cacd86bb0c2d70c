// A worker process with a relay between it and its database, and the ways to stall it.

import { setTimeout as sleep } from 'node:timers/promises';
import { DeliveryProcess, type ProcessOptions } from '../delivery/delivery-processes.ts';
import { StatementRelay } from './statement-relay.ts';

/** SIGSTOP, or a cut between process and database, before or after a statement was received. */
export type StallKind = 'stopped' | 'cut off before a statement' | 'cut off after a statement';

export const stallKinds: readonly StallKind[] = ['stopped', 'cut off before a statement', 'cut off after a statement'];

export interface Stall {
  kind: StallKind;
  /** By performance.now(). */
  from: number;
  until: number;
}

export interface StallWish {
  kind: StallKind;
  /** How many statements pass first. */
  statements: number;
  /** At a rare statement. */
  isRare: boolean;
  ms: number;
}

/** An idle worker still polls several times a second. */
const statementWithinMs = 20_000;

export class StalledWorker {
  readonly process: DeliveryProcess;
  readonly #relay: StatementRelay;
  isStalled = false;

  static async start({ databaseUrl, ...options }: Omit<ProcessOptions, 'roles'>): Promise<StalledWorker> {
    const relay = await StatementRelay.open(databaseUrl);
    const started = await DeliveryProcess.start({ ...options, databaseUrl: relay.url, roles: 'worker' });
    return new StalledWorker(started, relay);
  }

  private constructor(started: DeliveryProcess, relay: StatementRelay) {
    this.process = started;
    this.#relay = relay;
  }

  get origin(): string {
    return this.process.origin;
  }

  /** Undefined if the statement was not sent. */
  async stall({ ms, ...at }: StallWish): Promise<Stall | undefined> {
    const from = await this.#beginAt(at);
    if (from === undefined) return undefined;
    await sleep(ms);
    if (at.kind === 'stopped') this.process.goOn();
    else this.#relay.heal();
    this.isStalled = false;
    return { kind: at.kind, from, until: performance.now() };
  }

  async stop(): Promise<void> {
    this.#relay.heal();
    await this.process.stop();
    await this.#relay.close();
  }

  #beginAt({ kind, statements, isRare }: Omit<StallWish, 'ms'>): Promise<number | undefined> {
    return new Promise((resolve) => {
      const patience = setTimeout(() => {
        if (this.#relay.disarm()) resolve(undefined);
      }, statementWithinMs);
      this.#relay.arm({
        after: statements,
        isRare,
        moment: kind === 'cut off before a statement' ? 'before' : 'after',
        act: () => {
          clearTimeout(patience);
          this.isStalled = true;
          if (kind === 'stopped') this.process.halt();
          else this.#relay.cut();
          resolve(performance.now());
        },
      });
    });
  }
}
