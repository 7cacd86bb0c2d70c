// Tells other processes that there is something to do, and hears it from them: one NOTIFY for all that happened within a moment,
// on a connection of its own. The transactions that write do not notify, since that takes a lock of the whole server at COMMIT.
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
  #connecting: Promise<void> = Promise.resolve();

  constructor(parts: WakeUpParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#connecting = this.#connect();
  }

  /** What is told within a moment is told once. */
  tell(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#client?.query(`notify ${channel}`).catch(() => undefined);
    }, gatheredMs);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    await this.#connecting;
    await this.#client?.end().catch(() => undefined);
  }

  async #connect(): Promise<void> {
    while (!this.#isStopping) {
      const client = new pg.Client({ connectionString: this.#parts.url, application_name: 'flaghoist wake-up' });
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
