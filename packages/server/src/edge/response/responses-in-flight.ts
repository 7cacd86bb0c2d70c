// Limits the memory that responses take: per response, per client and for the whole process. Bytes count from their
// arrival from the database until they are sent or the connection ends.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StartVerdict } from '../../database/client-shares.ts';
import type { OnReceived } from '../../database/statement-batch.ts';
import { ApiError } from '../../errors.ts';
import { answerBytesMax } from '../../query/answer-size.ts';
import { contextOf } from '../request/request-context.ts';

/** A request and the response to it. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** The client that sent the request. */
  client: string;
}

export function exchangeOf(request: FastifyRequest, reply: FastifyReply): Exchange {
  return { request: request.raw, response: reply.raw, client: contextOf(request).caller.client };
}

export interface ResponsesInFlightOptions {
  /** For all responses together. */
  bytesMax: number;
  /** Called when a client uses less memory than before. Its next request may be able to start. */
  onFreed?: (client: string) => void;
}

export class ResponsesInFlight {
  readonly #bytesMax: number;
  /** Limit of one response. A client may use at most half of all memory, so a larger response could never be sent. */
  readonly #responseBytesMax: number;
  readonly #onFreed: ((client: string) => void) | undefined;
  readonly #byResponse = new Map<ServerResponse, number>();
  readonly #byClient = new Map<string, number>();
  #bytes = 0;

  constructor({ bytesMax, onFreed }: ResponsesInFlightOptions) {
    this.#bytesMax = bytesMax;
    this.#responseBytesMax = Math.min(answerBytesMax, bytesMax / 2);
    this.#onFreed = onFreed;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * A client that uses more than a quarter must read its responses first. A client that never reads thus leaves enough
   * for the others. When memory is used up, no request starts: a running write cannot be rejected because of its
   * response.
   */
  mayStart(client: string): StartVerdict {
    if (this.#bytesOf(client) > this.#bytesMax / 4) return 'later';
    return this.#bytes > this.#bytesMax * smallShare ? full() : 'now';
  }

  /**
   * For reading a response from the database. The callback throws if the response becomes too large or memory is used
   * up.
   */
  receive(exchange: Exchange): OnReceived {
    return (more) => {
      if (exchange.request.socket.destroyed) throw gone();
      const bytes = (this.#byResponse.get(exchange.response) ?? 0) + more;
      this.#set(exchange, bytes);
      if (bytes > this.#responseBytesMax) throw tooLarge(this.#responseBytesMax);
      if (this.#isFull(exchange.client, bytes)) throw full();
    };
  }

  /**
   * A small response may exceed the limit slightly. No client may use more than half, however many requests it runs at
   * the same time.
   */
  #isFull(client: string, responseBytes: number): boolean {
    if (responseBytes <= smallBytes) return this.#bytes > this.#bytesMax * smallShare;
    return this.#bytes > this.#bytesMax || this.#bytesOf(client) > this.#bytesMax / 2;
  }

  /** Counts what is finally sent: the response that was received, another one, an error, or nothing. */
  send(exchange: Exchange, bytes: number): void {
    // A closed connection emits `close` only once, so nothing would release these bytes.
    if (exchange.request.socket.destroyed) return;
    if (bytes > 0 || this.#byResponse.has(exchange.response)) this.#set(exchange, bytes);
  }

  /**
   * A response that owns its socket emits `close` together with it. `respond-in-order.ts` starts no request before its
   * response owns the socket.
   */
  #set({ response, client }: Exchange, bytes: number): void {
    const before = this.#byResponse.get(response);
    if (before === undefined) response.once('close', () => this.#free(response, client));
    this.#byResponse.set(response, bytes);
    this.#count(client, bytes - (before ?? 0));
  }

  #free(response: ServerResponse, client: string): void {
    this.#count(client, -this.#byResponse.get(response)!);
    this.#byResponse.delete(response);
  }

  #count(client: string, more: number): void {
    this.#bytes += more;
    const bytes = this.#bytesOf(client) + more;
    if (bytes > 0) this.#byClient.set(client, bytes);
    else this.#byClient.delete(client);
    if (more < 0) this.#onFreed?.(client);
  }

  #bytesOf(client: string): number {
    return this.#byClient.get(client) ?? 0;
  }
}

/** Large responses are rejected before small ones. */
const smallBytes = 65_536;
const smallShare = 1.25;

function tooLarge(bytesMax: number): ApiError {
  const megabytes = Math.floor((bytesMax / 1_048_576) * 10) / 10;
  return new ApiError(
    'answerTooLarge',
    `The response would have more than ${megabytes} MB. Page through the list with limit, or select less with fields.`,
  );
}

function full(): ApiError {
  return new ApiError(
    'busy',
    'Responses in flight use all the memory allowed. Try again in a moment, page through the list with limit, ' +
      'or select less with fields.',
  );
}

/** The connection has ended, so no client receives this response. */
function gone(): ApiError {
  return new ApiError('malformedRequest', 'The connection ended before the response was ready.');
}
