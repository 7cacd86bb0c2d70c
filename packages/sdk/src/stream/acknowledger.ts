// Acknowledges notifications whose handlers have finished. While one request is running, others collect for the next.

import { backoffMs, pause } from '../client/wait.ts';
import { isFinal, type OpenResponse } from './open-response.ts';

export interface AcknowledgerParts {
  open: OpenResponse;
  subscriptionKey: number;
  onAcknowledged(notifications: readonly number[]): void;
  /** The service will never take them. */
  onFinalError(error: unknown): void;
}

/** What the service takes in one request. */
const keysMax = 1_000;
const closeMs = 5_000;

export class Acknowledger {
  readonly #parts: AcknowledgerParts;
  readonly #end = new AbortController();
  #waiting: number[] = [];
  #sending: Promise<void> | undefined;

  constructor(parts: AcknowledgerParts) {
    this.#parts = parts;
  }

  add(notification: number): void {
    this.#waiting.push(notification);
    this.#sending ??= this.#sendAll();
  }

  /** Waits until all are acknowledged, but not for long: what is not will be sent again. */
  async close(): Promise<void> {
    const timer = setTimeout(() => this.#end.abort(), closeMs);
    await this.#sending;
    clearTimeout(timer);
  }

  async #sendAll(): Promise<void> {
    const { onAcknowledged, onFinalError } = this.#parts;
    for (let failures = 0; this.#waiting.length > 0 && !this.#end.signal.aborted; ) {
      const notifications = this.#waiting.slice(0, keysMax);
      try {
        await this.#send(notifications);
        failures = 0;
        this.#waiting.splice(0, notifications.length);
        onAcknowledged(notifications);
      } catch (error) {
        if (isFinal(error)) {
          this.#end.abort();
          onFinalError(error);
        }
        failures += 1;
        await pause(backoffMs(500, failures), this.#end.signal);
      }
    }
    // At once: what is added after the last look at `#waiting` starts the next loop.
    this.#sending = undefined;
  }

  async #send(notifications: readonly number[]): Promise<void> {
    const response = await this.#parts.open({
      method: 'POST',
      path: `/ws/rest/WebhookSubscription/${this.#parts.subscriptionKey}/acknowledge`,
      body: { notifications },
      signal: this.#end.signal,
    });
    await response.body?.cancel();
  }
}
