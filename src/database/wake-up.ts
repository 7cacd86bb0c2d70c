// Tells other processes that there is something to do, and hears it from them: at once, and then one NOTIFY for all that happens within
// a moment, on a connection of its own. The transactions that write do not notify, since that takes a lock of the whole server at COMMIT.
// Only a hint: whoever waits also asks every now and then, so a lost one costs a moment.

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

export interface WakeUpParts {
  url: string;
  /** Called when another process has something to tell. */
  onWake(): void;
}

const channel = 'flaghoist_events';
const gatheredMs = 10;
const reconnectMs = 1_000;

export class WakeUp {
  readonly #parts: WakeUpParts;
  #client: pg.Client | undefined;
  #isStopping = false;
  #timer: NodeJS.Timeout | undefined;
  #toldAt = Number.NEGATIVE_INFINITY;
  #connecting: Promise<void> = Promise.resolve();

  constructor(parts: WakeUpParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#connecting = this.#connect();
  }

  /** What is told within a moment of the last time is told once, when the moment is over. */
  tell(): void {
    if (this.#timer) return;
    const waitMs = this.#toldAt + gatheredMs - performance.now();
    if (waitMs <= 0) this.#notify();
    else this.#timer = setTimeout(() => this.#notify(), waitMs);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    await this.#connecting;
    await this.#client?.end().catch(() => undefined);
  }

  #notify(): void {
    this.#timer = undefined;
    this.#toldAt = performance.now();
    this.#client?.query(`notify ${channel}`).catch(() => undefined);
  }

  async #connect(): Promise<void> {
    while (!this.#isStopping) {
      const client = new pg.Client({
        connectionString: this.#parts.url,
        application_name: 'flaghoist wake-up',
        keepAlive: true,
        connectionTimeoutMillis: 5_000,
      });
      client.on('error', () => this.#lose(client));
      client.on('end', () => this.#lose(client));
      client.on('notification', () => this.#parts.onWake());
      try {
        await client.connect();
        await client.query(`listen ${channel}`);
        this.#client = client;
        return;
      } catch {
        // Whoever needs the database tells that it is away.
        await client.end().catch(() => undefined);
        await sleep(reconnectMs, undefined, { ref: false });
      }
    }
  }

  #lose(client: pg.Client): void {
    if (this.#client !== client || this.#isStopping) return;
    this.#client = undefined;
    client.end().catch(() => undefined);
    this.#connecting = this.#connect();
  }
}
