// Notifies other processes of new work and receives their notifications, over its own connection. The first NOTIFY is
// sent at once; signals within a short interval after it share the next one. Transactions that write do not notify,
// because NOTIFY takes a server-wide lock at COMMIT. A notification is only a hint: waiting processes also poll, so a
// lost one only causes a short delay.

import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseClient } from './database-client.ts';
import { runBatch } from './statement-batch.ts';
import { WorkLoop } from './work-loop.ts';

export interface WakeUpParts {
  url: string;
  /** Called when another process notifies this one. */
  onWake(): void;
}

const channel = 'flaghoist_events';
const intervalMs = 10;
const reconnectMs = 1_000;
/** The limit for connecting, and again for the first statement. */
const connectMs = 5_000;

export class WakeUp {
  readonly #parts: WakeUpParts;
  readonly #loop = new WorkLoop({
    round: () => this.#connect(),
    pollEveryMs: reconnectMs,
    // Work that needs the database reports the outage.
    onError: () => undefined,
  });
  #client: DatabaseClient | undefined;
  /** The connection that is being opened. */
  #attempt: DatabaseClient | undefined;
  #isDue = false;
  #isNotifying = false;

  constructor(parts: WakeUpParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#loop.start();
  }

  notify(): void {
    this.#isDue = true;
    if (!this.#isNotifying) void this.#notifyWhileDue();
  }

  async stop(): Promise<void> {
    const stopped = this.#loop.stop();
    this.#attempt?.cutOff();
    await stopped;
    await this.#client?.close();
  }

  /** One at a time: on a frozen server they would pile up. */
  async #notifyWhileDue(): Promise<void> {
    this.#isNotifying = true;
    while (this.#isDue && !this.#loop.isStopping) {
      this.#isDue = false;
      await this.#client?.query(`notify ${channel}`).catch(() => undefined);
      await sleep(intervalMs, undefined, { ref: false });
    }
    this.#isNotifying = false;
  }

  /** Does nothing while there is a connection. */
  async #connect(): Promise<false> {
    if (this.#client) return false;
    const client = new DatabaseClient({
      connectionString: this.#parts.url,
      application_name: 'flaghoist wake-up',
      keepAlive: true,
      connectionTimeoutMillis: connectMs,
    });
    client.on('error', () => this.#lose(client));
    client.on('end', () => this.#lose(client));
    client.on('notification', () => this.#parts.onWake());
    this.#attempt = client;
    try {
      await client.connect();
      await runBatch(client, [{ text: `listen ${channel}` }], connectMs);
      this.#client = client;
    } catch (error) {
      client.cutOff();
      throw error;
    } finally {
      this.#attempt = undefined;
    }
    return false;
  }

  #lose(client: DatabaseClient): void {
    if (this.#client !== client || this.#loop.isStopping) return;
    this.#client = undefined;
    client.cutOff();
    this.#loop.wake();
  }
}
