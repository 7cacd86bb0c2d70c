// Consumes the stream of a subscription: connects, and connects again, gives each notification to its handler, and
// acknowledges it when the handler has finished.

import type { Catalogue } from '../catalogue.ts';
import { backoffMs, onAbort, pause } from '../client/wait.ts';
import { FlaghoistError } from '../flaghoist-error.ts';
import { type Notification, type Ping, parseNotification } from '../receive/notification.ts';
import { createProcess, type Process } from '../receive/process-delivery.ts';
import { reportError } from '../receive/report-error.ts';
import type { AnyRoutes } from '../receive/routes.ts';
import { createVerify, type Verify } from '../receive/verify-signature.ts';
import { Acknowledger } from './acknowledger.ts';
import type { ServerEvent } from './event-parser.ts';
import { isFinal, type OpenResponse } from './open-response.ts';
import { readEvents } from './read-events.ts';
import { type PoisonVerdict, poisonAfterDefault, type StreamHandlers, type StreamOptions } from './stream-options.ts';

/** Ends with the signal. Rejects if the subscription cannot be streamed: not found, not allowed, or ended. */
export async function consumeStream<C = Catalogue>(
  open: OpenResponse,
  subscriptionKey: number,
  handlers: StreamHandlers<C>,
  options: StreamOptions = {},
): Promise<void> {
  const routes: AnyRoutes = typeof handlers === 'function' ? { fallback: handlers } : handlers;
  const consumer = new StreamConsumer(open, subscriptionKey, routes, options);
  await consumer.run();
}

/** What the service sends as `data`. */
interface Streamed {
  notification: number;
  headers: Record<string, string>;
  body: string;
  /** What is wrong with the signature or the time. The verification starts when the notification arrives. */
  mistake?: Promise<string | undefined> | undefined;
}

/** How many failing notifications to remember. */
const failingMax = 10_000;

/** Until the service has said how long. */
const retryMsDefault = 1_000;

class StreamConsumer {
  readonly #open: OpenResponse;
  readonly #subscriptionKey: number;
  readonly #options: StreamOptions;
  readonly #process: Process;
  readonly #verify: Verify | undefined;
  readonly #acknowledger: Acknowledger;
  readonly #concurrency: number;
  readonly #stop = new AbortController();
  #failure: { error: unknown } | undefined;
  /** Received, but not with a handler yet. */
  #queue: Streamed[] = [];
  /** The headers of what is received and not acknowledged. It may be sent again, because a handler takes long. */
  readonly #known = new Map<number, Record<string, string>>();
  /** How often the handler of a notification has failed, for `onPoison`. */
  readonly #failures = new Map<number, number>();
  readonly #running = new Set<Promise<void>>();
  #retryMs = retryMsDefault;

  constructor(open: OpenResponse, subscriptionKey: number, routes: AnyRoutes, options: StreamOptions) {
    const { concurrency = 1, poisonAfter = 1, secret, seen } = options;
    for (const [name, value] of Object.entries({ concurrency, poisonAfter }))
      if (!Number.isSafeInteger(value) || value < 1) throw new TypeError(`\`${name}\` must be a positive integer.`);
    this.#open = open;
    this.#subscriptionKey = subscriptionKey;
    this.#options = options;
    this.#concurrency = concurrency;
    this.#process = createProcess({ ...routes, ...(seen && { seen }) });
    this.#verify = secret === undefined ? undefined : createVerify(secret);
    this.#acknowledger = new Acknowledger({
      open,
      subscriptionKey,
      onAcknowledged: (notifications) => {
        for (const notification of notifications) {
          this.#known.delete(notification);
          this.#failures.delete(notification);
        }
      },
      onFinalError: (error) => this.#fail(error),
    });
  }

  async run(): Promise<void> {
    const { signal } = this.#options;
    const forget = onAbort(signal, () => this.#stop.abort());
    await this.#keepConnected();
    forget();
    await Promise.all(this.#running);
    await this.#acknowledger.close();
    if (this.#failure) throw this.#failure.error;
  }

  async #keepConnected(): Promise<void> {
    const { signal } = this.#stop;
    for (let failures = 0; !signal.aborted; ) {
      let leastMs = 0;
      try {
        await this.#readConnection(() => {
          failures = 0;
        });
      } catch (error) {
        if (signal.aborted) return;
        if (isFinal(error)) return this.#fail(error);
        failures += 1;
        this.#report(error);
        if (error instanceof FlaghoistError) leastMs = error.retryAfterMs ?? 0;
      }
      // The service sends these to the next connection.
      for (const { notification } of this.#queue.splice(0)) this.#known.delete(notification);
      await pause(Math.max(backoffMs(this.#retryMs, failures), leastMs), signal);
    }
  }

  async #readConnection(onOpen: () => void): Promise<void> {
    const { silenceMs = 45_000, limit = Math.min(Math.max(100, this.#concurrency), 1_000) } = this.#options;
    const { signal } = this.#stop;
    const response = await this.#open({
      method: 'GET',
      path: `/ws/rest/WebhookSubscription/${this.#subscriptionKey}/stream`,
      query: { limit },
      headers: { accept: 'text/event-stream' },
      signal,
    });
    onOpen();
    this.#options.onConnected?.();
    await readEvents(
      response,
      { silenceMs, signal },
      {
        onEvent: (event) => this.#take(event),
        onRetry: (durationMs) => {
          this.#retryMs = durationMs;
        },
      },
    );
  }

  #take({ event, data }: ServerEvent): void {
    if (event !== 'notification') return;
    const streamed = parseStreamed(data);
    const { notification, headers, body } = streamed;
    const known = this.#known.get(notification);
    if (known) {
      // The same message with a new signature: a receiver that it is forwarded to rejects an old one.
      for (const name of ['webhook-timestamp', 'webhook-signature']) known[name] = headers[name]!;
      return;
    }
    this.#known.set(notification, headers);
    // Verified now: it may wait for its handler until it is too old.
    streamed.mistake = this.#verify?.({ ...headers }, new TextEncoder().encode(body)).catch(String);
    this.#queue.push(streamed);
    this.#startHandlers();
  }

  #startHandlers(): void {
    while (this.#running.size < this.#concurrency && !this.#stop.signal.aborted) {
      const streamed = this.#queue.shift();
      if (!streamed) return;
      const handled = this.#handle(streamed).finally(() => {
        this.#running.delete(handled);
        this.#startHandlers();
      });
      this.#running.add(handled);
    }
  }

  /** What fails is not acknowledged, so the service sends it again. */
  async #handle({ notification, headers, body, mistake: verification }: Streamed): Promise<void> {
    let delivery: Notification | Ping | undefined;
    try {
      const mistake = await verification;
      if (mistake !== undefined) throw new FlaghoistError('invalidAnswer', `Notification ${notification}: ${mistake}`);
      delivery = parseNotification(headers, body);
      await this.#process(delivery);
      this.#acknowledger.add(notification);
    } catch (error) {
      this.#report(error, delivery);
      if ((await this.#judgePoison(notification, delivery, error)) === 'skip') this.#acknowledger.add(notification);
      else this.#known.delete(notification);
    }
  }

  /** `attempt` does not count: it includes what was sent while the notification waited here for its handler. */
  async #judgePoison(
    notification: number,
    delivery: Notification | Ping | undefined,
    error: unknown,
  ): Promise<PoisonVerdict> {
    const { onPoison, poisonAfter = poisonAfterDefault } = this.#options;
    if (!onPoison || !delivery || delivery.isTest) return 'retry';
    const failures = (this.#failures.get(notification) ?? 0) + 1;
    // Others may have delivered them meanwhile. A count that starts anew only delays `onPoison`.
    if (this.#failures.size >= failingMax) this.#failures.clear();
    this.#failures.set(notification, failures);
    if (failures < poisonAfter) return 'retry';
    try {
      const verdict = await onPoison(delivery, error);
      if (verdict === 'stop') this.#fail(error);
      return verdict;
    } catch (failure) {
      this.#report(failure, delivery);
      return 'retry';
    }
  }

  #report(error: unknown, delivery?: Notification | Ping): void {
    reportError(this.#options.onError, error, delivery);
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#stop.abort();
  }
}

function parseStreamed(data: string): Streamed {
  try {
    const streamed: Streamed = JSON.parse(data);
    if (typeof streamed.notification === 'number' && typeof streamed.body === 'string') return streamed;
  } catch {
    // Below.
  }
  throw new FlaghoistError('invalidAnswer', 'An event of the stream is not a notification.');
}
