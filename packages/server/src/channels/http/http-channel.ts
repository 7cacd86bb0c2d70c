// Sends HTTP messages: one POST, one response, and one deadline from name resolution to the last header. It follows no
// redirects, keeps no cookies, requests no compression, and knows nothing about notifications.

import type { Dispatcher } from 'undici';
import { parseUrl } from '../../parse-url.ts';
import { Recent } from '../../recent.ts';
import type { Egress } from '../guard/egress.ts';
import { createGuardedConnector } from '../guard/guarded-connector.ts';
import type { TlsIdentity } from '../guard/open-tls.ts';
import { failed, type SendResult } from '../send-result.ts';
import { ConnectionPool } from './connection-pool.ts';
import { Exchange, type ExchangeEnd, type OnEnd } from './exchange.ts';
import { judgeFailure, renderSeconds } from './judge-failure.ts';

export interface HttpChannelParts extends Egress {
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
  /** The client certificate to present. */
  readonly identity?: TlsIdentity | undefined;
  /** How many bytes of the response to keep, at most 64 kB. Default: an excerpt for the log. */
  readonly keptBytes?: number;
  /** Shorter than the timeout of the channel. */
  readonly timeoutMs?: number;
}

interface HttpTarget {
  origin: string;
  path: string;
}

const connectTimeoutMaxMs = 5_000;
const excerptBytes = 1_024;
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

  constructor({ timeoutMs, userAgent, connectionsMax, ...egress }: HttpChannelParts) {
    this.#timeoutMs = timeoutMs;
    this.#connectTimeoutMs = Math.min(timeoutMs, connectTimeoutMaxMs);
    this.#ownHeaders = ['user-agent', userAgent];
    const connect = createGuardedConnector({ ...egress, timeoutMs: this.#connectTimeoutMs });
    this.#pool = new ConnectionPool(connect, connectionsMax);
  }

  /** How many connections are open. */
  get connections(): number {
    return this.#pool.size;
  }

  /** From the start of sending to the head of the response. */
  get timeoutMs(): number {
    return this.#timeoutMs;
  }

  /**
   * `onEnd` is called once, after this method has returned. A message that `onEnd` sends immediately to the same
   * receiver uses the same connection.
   */
  send(message: HttpMessage, onEnd: OnEnd): void {
    const { url, headers, body, identity, keptBytes = excerptBytes, timeoutMs = this.#timeoutMs } = message;
    const target = this.#targetOf(url);
    if (!target || this.#isClosed) {
      queueMicrotask(() => onEnd(target ? stopped : failed('Notifications cannot be sent to this URL.'), undefined));
      return;
    }
    const request: Dispatcher.DispatchOptions = {
      method: 'POST',
      path: target.path,
      headers: this.#ownHeaders.concat(headers),
      body,
      blocking: false,
    };
    const connection = this.#pool.take({ origin: target.origin, identity });
    const exchange = new Exchange({ request, connection, keptBytes, settle: onEnd }, this);
    this.#inFlight++;
    // After a stall of this process, read the responses that arrived before any exchange is judged overdue.
    exchange.deadline = setTimeout(() => setImmediate(() => this.#endOverdue(exchange)), timeoutMs);
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
      exchange.connection = this.#pool.open(connection.route);
      exchange.connection.client.dispatch(request, exchange);
      return;
    }
    exchange.close();
    const hasIdentity = connection.route.identity !== undefined;
    const result = this.#isAbandoned ? stopped : judgeFailure(error, this.#connectTimeoutMs, hasIdentity);
    queueMicrotask(() => this.#settle(exchange, result));
  }

  #settle(exchange: Exchange, result: SendResult): void {
    clearTimeout(exchange.deadline);
    this.#inFlight--;
    exchange.settle(result, exchange.kept);
    if (this.#inFlight === 0) this.#onDrained?.();
  }

  #endOverdue(exchange: Exchange): void {
    if (!exchange.close()) return;
    this.#pool.discard(exchange.connection);
    const late = failed(`No response within ${renderSeconds(this.#timeoutMs)}.`);
    this.#settle(exchange, exchange.hasStatus ? exchange.result() : late);
  }
}
