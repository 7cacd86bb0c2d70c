// Notifies other processes of new work and receives their notifications, over its own connection: of new events, and of
// streamed notifications, by subscription. The first NOTIFY is sent at once; signals within a short interval after it
// share the next one. Transactions of the service that write do not notify, because NOTIFY takes a server-wide lock at
// COMMIT; a trigger does it for those of other programs (migrations/0014-foreign-changes.sql). A notification is only a
// hint: waiting processes also poll, so a lost one only causes a short delay.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseClient } from './database-client.ts';
import type { ServerHosts } from './server-hosts.ts';
import { runBatch } from './statement-batch.ts';
import { WorkLoop } from './work-loop.ts';

export interface WakeUpParts {
  hosts: ServerHosts;
  /** Called when another process notifies this one of events. */
  onWake(): void;
  /** The same for streamed notifications of these subscriptions. Undefined: of any. */
  onStreams?(subscriptionKeys: readonly number[] | undefined): void;
}

const eventsChannel = 'flaghoist_events';
const streamsChannel = 'flaghoist_streams';
/** No subscription has this key. */
const anySubscription = 0;
/** More keys do not fit into a NOTIFY. */
const keysMax = 400;
/** The payload of a notification that the trigger `wake_matching` sends after a change by another program. */
const bySql = 'sql';
const intervalMs = 10;
/** Transactions that left the notification to another one may commit a little later than that one. */
const lookAgainMs = [10, 60];
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
  /** Tells the notifications of this process from those of others. */
  readonly #sender = randomUUID();
  #areEventsDue = false;
  readonly #streamsDue = new Set<number>();
  #isNotifying = false;

  constructor(parts: WakeUpParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#loop.start();
  }

  notify(): void {
    this.#areEventsDue = true;
    if (!this.#isNotifying) void this.#notifyWhileDue();
  }

  /** Undefined: of any. */
  notifyStreams(subscriptionKeys: Iterable<number> | undefined): void {
    for (const key of subscriptionKeys ?? [anySubscription]) this.#streamsDue.add(key);
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
    while ((this.#areEventsDue || this.#streamsDue.size > 0) && !this.#loop.isStopping) {
      await this.#notifyOnce().catch(() => undefined);
      await sleep(intervalMs, undefined, { ref: false });
    }
    this.#isNotifying = false;
  }

  async #notifyOnce(): Promise<void> {
    const [areEventsDue, keys] = [this.#areEventsDue, [...this.#streamsDue]];
    this.#areEventsDue = false;
    this.#streamsDue.clear();
    if (areEventsDue) await this.#client?.query(`notify ${eventsChannel}`);
    if (keys.length > 0)
      await this.#client?.query('select pg_notify($1, $2)', [
        streamsChannel,
        `${this.#sender} ${keys.length > keysMax || keys.includes(anySubscription) ? '' : keys.join(',')}`,
      ]);
  }

  /** Does nothing while there is a connection. */
  async #connect(): Promise<false> {
    if (this.#client) return false;
    const { hosts } = this.#parts;
    await hosts.known();
    const client = new DatabaseClient({
      connectionString: hosts.url,
      application_name: 'flaghoist wake-up',
      keepAlive: true,
      connectionTimeoutMillis: connectMs,
    });
    hosts.follow(client);
    client.on('error', () => this.#lose(client));
    client.on('end', () => this.#lose(client));
    client.on('notification', ({ channel, payload = '' }) => {
      if (channel === eventsChannel) this.#receiveEvents(payload);
      else this.#receiveStreams(payload);
    });
    this.#attempt = client;
    try {
      await client.connect();
      await runBatch(client, [{ text: `listen ${eventsChannel}` }, { text: `listen ${streamsChannel}` }], connectMs);
      this.#client = client;
    } catch (error) {
      client.cutOff();
      throw error;
    } finally {
      this.#attempt = undefined;
    }
    return false;
  }

  #receiveEvents(payload: string): void {
    this.#parts.onWake();
    const look = () => this.#loop.isStopping || this.#parts.onWake();
    if (payload === bySql) for (const ms of lookAgainMs) setTimeout(look, ms).unref();
  }

  /** Ignores signals that this process sent itself. */
  #receiveStreams(payload: string): void {
    const [sender, keys = ''] = payload.split(' ');
    if (sender !== this.#sender) this.#parts.onStreams?.(keys === '' ? undefined : keys.split(',').map(Number));
  }

  #lose(client: DatabaseClient): void {
    if (this.#client !== client || this.#loop.isStopping) return;
    this.#client = undefined;
    client.cutOff();
    this.#loop.wake();
  }
}
