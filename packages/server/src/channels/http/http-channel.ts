// Sends HTTP messages: one POST, one response, and one deadline from name resolution to the last header. It follows no
// redirects, keeps no cookies, requests no compression, and knows nothing about notifications.

import type { Dispatcher } from 'undici';
import { parseUrl } from '../../parse-url.ts';
import { Recent } from '../../recent.ts';
import type { AddressPolicy } from '../guard/address-policy.ts';
import { createGuardedConnector } from '../guard/guarded-connector.ts';
import type { HostResolver } from '../guard/host-resolver.ts';
import type { SendResult } from '../send-result.ts';
import { ConnectionPool } from './connection-pool.ts';
import { Exchange, type ExchangeEnd } from './exchange.ts';
import { ExchangesUnderWay } from './exchanges-under-way.ts';
import { failed, judgeFailure, renderSeconds } from './judge-failure.ts';

export interface HttpChannelParts {
  policy: AddressPolicy;
  resolver: HostResolver;
  /** Covers everything: name resolution, connecting, TLS, sending, and the head of the response. */
  timeoutMs: number;
  userAgent: string;
  /** Maximum number of open connections, unless more are in use. */
  connectionsMax: number;
}

export interface HttpMessage {
  readonly url: string;
  /** Names and values, alternating. */
  readonly headers: readonly string[];
  readonly body: string | Buffer;
}

export interface HttpChannel {
  /**
   * `onEnd` is called once, after this method has returned. A message that `onEnd` sends immediately to the same
   * receiver uses the same connection.
   */
  send(message: HttpMessage, onEnd: OnEnd): void;
  /** So many connections are open that new ones will soon close idle connections of other receivers. */
  readonly isScarce: boolean;
  /** Messages in flight have `graceMs` to finish. After that they are abandoned as a fault on our side. */
  close(graceMs: number): Promise<void>;
}

export type OnEnd = (result: SendResult) => void;

interface HttpTarget {
  origin: string;
  path: string;
}

const connectTimeoutMaxMs = 5_000;
const stopped: SendResult = { kind: 'ownFault', reason: 'The service stopped before an answer came.' };

export function createHttpChannel(parts: HttpChannelParts): HttpChannel {
  return new PooledHttpChannel(parts);
}

class PooledHttpChannel implements HttpChannel, ExchangeEnd {
  readonly #timeoutMs: number;
  readonly #connectTimeoutMs: number;
  readonly #ownHeaders: string[];
  readonly #pool: ConnectionPool;
  readonly #targets = new Recent<string, HttpTarget>(5_000);
  /** Ordered by start and thus by deadline, because all have the same timeout. */
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

  get isScarce(): boolean {
    return this.#pool.isScarce;
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

  /** Cached, because messages go to the same receivers repeatedly. */
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
    // The receiver may have closed an idle connection just when we reused it. That is not a failure, so the request is
    // sent again. A receiver that read the request and then crashed looks the same; it gets the request twice, with
    // the same id. This happens at most once, because a new connection has no responses yet.
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

  /** One timer for all exchanges, set for the oldest: one every few seconds instead of one per request. */
  #wakeAt(deadlineMs: number): NodeJS.Timeout {
    // After a stall of this process, read the responses that arrived before any exchange is judged overdue.
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
