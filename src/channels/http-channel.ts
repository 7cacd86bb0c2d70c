// Sends notifications over HTTP: one POST, one answer, and one deadline over everything from the name server to the last header.
// Follows no redirects, keeps no cookies, asks for no compression, and knows nothing of notifications.

import type { Dispatcher } from 'undici';
import { parseUrl } from '../parse-url.ts';
import { Recent } from '../recent.ts';
import type { AddressPolicy } from './address-policy.ts';
import { ConnectionPool } from './connection-pool.ts';
import { Exchange, type ExchangeEnd } from './exchange.ts';
import { ExchangesUnderWay } from './exchanges-under-way.ts';
import { createGuardedConnector } from './guarded-connector.ts';
import type { HostResolver } from './host-resolver.ts';
import { failed, judgeFailure, renderSeconds } from './judge-failure.ts';
import type { SendResult } from './send-result.ts';

export interface HttpChannelParts {
  policy: AddressPolicy;
  resolver: HostResolver;
  /** Over everything: resolving, connecting, TLS, sending, the head of the answer. */
  timeoutMs: number;
  userAgent: string;
  /** How many connections are open at most, as long as fewer are in use. */
  connectionsMax: number;
}

export interface HttpMessage {
  readonly url: string;
  /** Name and value by turns. */
  readonly headers: readonly string[];
  readonly body: string | Buffer;
}

export interface HttpChannel {
  /** `onEnd` is called once, later than this returns. What it sends at once to the same receiver goes over the same connection. */
  send(message: HttpMessage, onEnd: OnEnd): void;
  /** So many connections are open that soon a new one costs another receiver one of its own. */
  readonly isCrowded: boolean;
  /** What is in flight has so long to end; then it is given up, as a fault on our side. */
  close(graceMs: number): Promise<void>;
}

export type OnEnd = (result: SendResult) => void;

interface HttpTarget {
  origin: string;
  path: string;
}

const connectTimeoutMaxMs = 5_000;
const stopped: SendResult = { kind: 'ours', reason: 'The service stopped before an answer came.' };

export function createHttpChannel(parts: HttpChannelParts): HttpChannel {
  return new PooledHttpChannel(parts);
}

class PooledHttpChannel implements HttpChannel, ExchangeEnd {
  readonly #timeoutMs: number;
  readonly #connectTimeoutMs: number;
  readonly #ownHeaders: string[];
  readonly #pool: ConnectionPool;
  readonly #targets = new Recent<string, HttpTarget>(5_000);
  /** Begun in this order, and due in this order: all have the same time. */
  readonly #inFlight = new ExchangesUnderWay();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #onDrained: (() => void) | undefined;

  constructor({ policy, resolver, timeoutMs, userAgent, connectionsMax }: HttpChannelParts) {
    this.#timeoutMs = timeoutMs;
    this.#connectTimeoutMs = Math.min(timeoutMs, connectTimeoutMaxMs);
    this.#ownHeaders = ['user-agent', userAgent];
    const connect = createGuardedConnector({ policy, resolver, timeoutMs: this.#connectTimeoutMs });
    this.#pool = new ConnectionPool({ connect, connectionsMax });
  }

  get isCrowded(): boolean {
    return this.#pool.isCrowded;
  }

  send({ url, headers, body }: HttpMessage, onEnd: OnEnd): void {
    const target = this.#targetOf(url);
    if (!target || this.#isClosed) {
      queueMicrotask(() => onEnd(target ? stopped : failed('The URL is none that notifications can be sent to.')));
      return;
    }
    const request: Dispatcher.DispatchOptions = {
      method: 'POST',
      path: target.path,
      headers: this.#ownHeaders.concat(headers),
      body,
      blocking: false,
    };
    const deadlineMs = performance.now() + this.#timeoutMs;
    const exchange = new Exchange(request, this.#pool.take(target.origin), deadlineMs, onEnd, this);
    this.#inFlight.add(exchange);
    this.#timer ??= this.#wakeAt(deadlineMs);
    exchange.connection.client.dispatch(request, exchange);
  }

  /** The same receivers are sent to again and again. */
  #targetOf(url: string): HttpTarget | undefined {
    const known = this.#targets.get(url);
    if (known) return known;
    const parsed = parseUrl(url);
    if (parsed?.protocol !== 'https:' && parsed?.protocol !== 'http:') return undefined;
    const target = { origin: parsed.origin, path: parsed.pathname + parsed.search };
    this.#targets.set(url, target);
    return target;
  }

  async close(graceMs: number): Promise<void> {
    this.#isClosed = true;
    if (this.#inFlight.size > 0)
      await new Promise<void>((resolve) => {
        const goOn = () => {
          clearTimeout(timer);
          resolve();
        };
        const timer = setTimeout(goOn, graceMs);
        this.#onDrained = goOn;
      });
    for (let oldest = this.#inFlight.oldest; oldest; oldest = this.#inFlight.oldest) this.#giveUp(oldest, stopped);
    clearTimeout(this.#timer);
    this.#pool.destroy();
  }

  onAnswer(exchange: Exchange, isReusable: boolean): void {
    if (isReusable) this.#pool.release(exchange.connection);
    else this.#pool.discard(exchange.connection);
    this.#settle(exchange, exchange.result());
  }

  onBroken(exchange: Exchange, error: Error, hasBegun: boolean): void {
    const { connection } = exchange;
    this.#pool.discard(connection);
    // The receiver may have closed the connection, idle for a while, just when we began to use it again: that is nobody's failure.
    // It cannot be told from one that has read the request and died of it, which then gets it twice, with the same id.
    // A new connection has answered nothing yet, so this happens once.
    if (connection.answers > 0 && !hasBegun) {
      exchange.connection = this.#pool.open(connection.origin);
      exchange.connection.client.dispatch(exchange.request, exchange);
      return;
    }
    exchange.close();
    this.#settle(exchange, judgeFailure(error, this.#connectTimeoutMs));
  }

  #settle(exchange: Exchange, result: SendResult): void {
    this.#inFlight.delete(exchange);
    exchange.settle(result);
    if (this.#inFlight.size === 0) this.#onDrained?.();
  }

  /** One timer for all, set for the oldest: there is one every few seconds, not one a request. */
  #wakeAt(deadlineMs: number): NodeJS.Timeout {
    // After a stall of our own, what has arrived in the meantime is read before anything is called overdue.
    const wake = () => setImmediate(() => this.#endOverdue());
    return setTimeout(wake, Math.max(1, deadlineMs - performance.now())).unref();
  }

  #endOverdue(): void {
    this.#timer = undefined;
    const nowMs = performance.now();
    for (let oldest = this.#inFlight.oldest; oldest; oldest = this.#inFlight.oldest) {
      if (oldest.deadlineMs > nowMs) {
        this.#timer = this.#wakeAt(oldest.deadlineMs);
        return;
      }
      this.#giveUp(oldest, failed(`No answer within ${renderSeconds(this.#timeoutMs)}.`));
    }
  }

  #giveUp(exchange: Exchange, result: SendResult): void {
    exchange.close();
    this.#pool.discard(exchange.connection);
    this.#settle(exchange, exchange.hasStatus ? exchange.result() : result);
  }
}
