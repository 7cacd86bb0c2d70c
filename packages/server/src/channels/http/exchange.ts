// One request and its response, as a handler for the HTTP client. The status decides the result as soon as it arrives.
// The rest is read only as far as needed to reuse the connection.

import type { IncomingHttpHeaders } from 'node:http';
import { nameCodePoint } from '@flaghoist/source-text';
import type { Dispatcher } from 'undici';
import type { SendResult } from '../send-result.ts';
import type { Connection } from './connection-pool.ts';
import { parseRetryAfter } from './retry-after.ts';

export interface ExchangeEnd {
  /** Called once. `isReusable`: the response was read completely. */
  onResponse(exchange: Exchange, isReusable: boolean): void;
  /** The exchange broke before a status arrived. `hasBegun`: part of a response had arrived. */
  onBroken(exchange: Exchange, error: Error, hasBegun: boolean): void;
}

/** Called once. `body`: the first bytes of the response, as they came. */
export type OnEnd = (result: SendResult, body: Buffer | undefined) => void;

export interface ExchangeParts {
  request: Dispatcher.DispatchOptions;
  connection: Connection;
  /** How many bytes of the response to keep. */
  keptBytes: number;
  settle: OnEnd;
}

/** No more than this is read of a response. */
export const bodyBytesMax = 65_536;

export class Exchange implements Dispatcher.DispatchHandler {
  readonly request: Dispatcher.DispatchOptions;
  readonly settle: OnEnd;
  readonly #end: ExchangeEnd;
  readonly #keptBytes: number;
  connection: Connection;
  deadline: NodeJS.Timeout | undefined;
  #isOver = false;
  #hasBegun = false;
  #statusCode = 0;
  #retryAfterMs: number | undefined;
  #bytes = 0;
  readonly #kept: Buffer[] = [];

  constructor({ request, connection, keptBytes, settle }: ExchangeParts, end: ExchangeEnd) {
    this.request = request;
    this.#keptBytes = keptBytes;
    this.connection = connection;
    this.settle = settle;
    this.#end = end;
  }

  /** Ignores all further events from the client. Returns false if the exchange was over. */
  close(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    return true;
  }

  get hasStatus(): boolean {
    return this.#statusCode !== 0;
  }

  /** The first bytes of the response. */
  get kept(): Buffer | undefined {
    return this.#kept.length === 0 ? undefined : Buffer.concat(this.#kept);
  }

  /** The result that the status determines. Call it only if `hasStatus` is true. */
  result(): SendResult {
    const statusCode = this.#statusCode;
    const { kept } = this;
    const answer = kept ? renderExcerpt(kept, this.#keptBytes) : null;
    if (statusCode >= 200 && statusCode < 300) return { kind: 'delivered', statusCode, answer };
    return { kind: 'failed', reason: reasonOf(statusCode), statusCode, answer, retryAfterMs: this.#retryAfterMs };
  }

  onRequestStart(): void {
    this.#hasBegun = false;
  }

  onResponseStarted(): void {
    this.#hasBegun = true;
  }

  onResponseStart(_: Dispatcher.DispatchController, statusCode: number, headers: IncomingHttpHeaders): void {
    // All other statuses below 200 are interim: the response is still to come.
    if (statusCode < 200 && statusCode !== 101) return;
    this.#statusCode = statusCode;
    if (statusCode === 429 || statusCode === 503) this.#retryAfterMs = parseRetryAfter(headers['retry-after']);
    if (statusCode === 101) this.#finish(false);
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    // Copies the bytes, because the chunk is a slice of a larger buffer.
    if (this.#bytes < this.#keptBytes) this.#kept.push(Buffer.from(chunk.subarray(0, this.#keptBytes - this.#bytes)));
    this.#bytes += chunk.length;
    if (this.#bytes > bodyBytesMax) this.#finish(false);
  }

  onResponseEnd(): void {
    this.connection.responses++;
    this.#finish(true);
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.hasStatus) this.#finish(false);
    else if (!this.#isOver) this.#end.onBroken(this, error, this.#hasBegun);
  }

  #finish(isReusable: boolean): void {
    if (this.close()) this.#end.onResponse(this, isReusable);
  }
}

function reasonOf(statusCode: number): string {
  if (statusCode === 101) return 'The receiver answered 101: it asks for another protocol.';
  if (statusCode >= 300 && statusCode < 400) return `The receiver answered ${statusCode}: redirects are not followed.`;
  return `The receiver answered ${statusCode}.`;
}

/** The beginning of a response as text that can be stored and shown, whatever its bytes are. */
function renderExcerpt(bytes: Buffer, keptBytes: number): string {
  const text = bytes.toString('utf8');
  // The cut may be inside a character.
  const whole = bytes.length >= keptBytes ? text.replace(/\uFFFD{1,3}$/, '') : text;
  return whole.replace(/\r\n/g, '\n').replace(invisible, (character) => nameCodePoint(character.codePointAt(0)!));
}

/** Line breaks and tabs are shown as they are. */
const invisible = /(?![\n\t])\p{C}|(?! )\p{Z}/gu;
