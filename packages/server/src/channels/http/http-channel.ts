// Sends HTTP messages: one POST, one response, and one deadline from name resolution to the last header. It follows no
// redirects, keeps no cookies, requests no compression, and knows nothing about notifications.

import type { Dispatcher } from 'undici';
import { parseUrl } from '../../parse-url.ts';
import { Recent } from '../../recent.ts';
import type { AddressPolicy } from '../guard/address-policy.ts';
import { createGuardedConnector } from '../guard/guarded-connector.ts';
import type { HostResolver } from '../guard/host-resolver.ts';
import { failed, type SendResult } from '../send-result.ts';
import { ConnectionPool } from './connection-pool.ts';
import { Exchange, type ExchangeEnd } from './exchange.ts';
import { judgeFailure, renderSeconds } from './judge-failure.ts';

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

export type OnEnd = (result: SendResult) => void;

interface HttpTarget {
  origin: string;
  path: string;
}

const connectTimeoutMaxMs = 5_000;
const stopped: SendResult = { kind: 'ownFault', reason: 'The service stopped before a response arrived.' };

export class HttpChannel implements ExchangeEnd {
  readonly #timeoutMs: number;
  readonly #connectTimeoutMs: number;
  readonly #ownHeaders: string[];
  readonly #pool: ConnectionPool;
  readonly #targets = new Recent<string, HttpTarget>(5_000);
  #inFlight = 0;
  #isClosed = false;
  #isAbandoned = false;
  #onDrained: (() => void) | undefined;

  constructor({ policy, resolver, timeoutMs, userAgent, connectionsMax }: HttpChannelParts) {
    this.#timeoutMs = timeoutMs;
    this.#connectTimeoutMs = Math.min(timeoutMs, connectTimeoutMaxMs);
    this.#ownHeaders = ['user-agent', userAgent];
    const connect = createGuardedConnector({ policy, resolver, timeoutMs: this.#connectTimeoutMs });
    this.#pool = new ConnectionPool(connect, connectionsMax);
  }

  /** How many connections are open. */
  get connections(): number {
    return this.#pool.size;
  }

  /**
   * `onEnd` is called once, after this method has returned. A message that `onEnd` sends immediately to the same
   * receiver uses the same connection.
   */
  send({ url, headers, body }: HttpMessage, onEnd: OnEnd): void {
    const target = this.#targetOf(url);
    if (!target || this.#isClosed) {
      queueMicrotask(() => onEnd(target ? stopped : failed('Notifications cannot be sent to this URL.')));
      return;
    }
    const request: Dispatcher.DispatchOptions = {
      method: 'POST',
      path: target.path,
      headers: this.#ownHeaders.concat(headers),
      body,
      blocking: false,
    };
    const exchange = new Exchange(request, this.#pool.take(target.origin), onEnd, this);
    this.#inFlight++;
    // After a stall of this process, read the responses that arrived before any exchange is judged overdue.
    exchange.deadline = setTimeout(() => setImmediate(() => this.#endOverdue(exchange)), this.#timeoutMs);
    exchange.connection.client.dispatch(request, exchange);
  }

  /** Cached, because messages go to the same receivers repeatedly. */
  #targetOf(url: string): HttpTarget | undefined {
    const cached = this.#targets.get(url);
    if (cached) return cached;
    const parsed = parseUrl(url);
    if (parsed?.protocol !== 'https:' && parsed?.protocol !== 'http:') return undefined;
    const target = { origin: parsed.origin, path: parsed.pathname + parsed.search };
    this.#targets.set(url, target);
    return target;
  }

  /** Messages in flight have `graceMs` to finish. After that they are abandoned as a fault on our side. */
  async close(graceMs: number): Promise<void> {
    this.#isClosed = true;
    const timer = setTimeout(() => this.#abandon(), graceMs);
    await new Promise<void>((resolve) => {
      this.#onDrained = resolve;
      if (this.#inFlight === 0) resolve();
    });
    clearTimeout(timer);
    this.#pool.destroy();
  }

  #abandon(): void {
    this.#isAbandoned = true;
    this.#pool.destroy();
  }

  onResponse(exchange: Exchange, isReusable: boolean): void {
    if (isReusable) this.#pool.release(exchange.connection);
    else this.#pool.discard(exchange.connection);
    this.#settle(exchange, exchange.result());
  }

  onBroken(exchange: Exchange, error: Error, hasBegun: boolean): void {
    const { connection, request } = exchange;
    this.#pool.discard(connection);
    // The receiver may have closed an idle connection just when we reused it. That is not a failure, so the request is
    // sent again. A receiver that read the request and then crashed looks the same; it gets the request twice, with
    // the same id. This happens at most once, because a new connection has no responses yet.
    if (connection.responses > 0 && !hasBegun && !this.#isAbandoned) {
      exchange.connection = this.#pool.open(connection.origin);
      exchange.connection.client.dispatch(request, exchange);
      return;
    }
    exchange.close();
    const result = this.#isAbandoned ? stopped : judgeFailure(error, this.#connectTimeoutMs);
    queueMicrotask(() => this.#settle(exchange, result));
  }

  #settle(exchange: Exchange, result: SendResult): void {
    clearTimeout(exchange.deadline);
    this.#inFlight--;
    exchange.settle(result);
    if (this.#inFlight === 0) this.#onDrained?.();
  }

  #endOverdue(exchange: Exchange): void {
    if (!exchange.close()) return;
    this.#pool.discard(exchange.connection);
    const late = failed(`No response within ${renderSeconds(this.#timeoutMs)}.`);
    this.#settle(exchange, exchange.hasStatus ? exchange.result() : late);
  }
}
