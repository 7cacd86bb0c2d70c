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

interface CountedResponse {
  client: string;
  bytes: number;
}

export class ResponsesInFlight {
  readonly #bytesMax: number;
  /** Limit of one response. A client may use at most half of all memory, so a larger response could never be sent. */
  readonly #responseBytesMax: number;
  readonly #onFreed: (client: string) => void;
  readonly #counted = new Map<ServerResponse, CountedResponse>();
  readonly #byClient = new Map<string, number>();
  #bytes = 0;

  constructor({ bytesMax, onFreed = () => undefined }: ResponsesInFlightOptions) {
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
    if ((this.#byClient.get(client) ?? 0) > this.#bytesMax / 4) return 'later';
    return this.#bytes > this.#bytesMax * smallShare ? full() : 'now';
  }

  /**
   * For reading a response from the database. The callback throws if the response becomes too large or memory is used
   * up.
   */
  receive(exchange: Exchange): OnReceived {
    return (bytes) => {
      if (exchange.request.socket.destroyed) throw gone();
      const all = (this.#counted.get(exchange.response)?.bytes ?? 0) + bytes;
      this.#set(exchange, all);
      if (all > this.#responseBytesMax) throw tooLarge(this.#responseBytesMax);
      if (this.#isFull(exchange.client, all)) throw full();
    };
  }

  /**
   * A small response may exceed the limit slightly. No client may use more than half, however many requests it runs at
   * the same time.
   */
  #isFull(client: string, responseBytes: number): boolean {
    if (responseBytes <= smallBytes) return this.#bytes > this.#bytesMax * smallShare;
    return this.#bytes > this.#bytesMax || (this.#byClient.get(client) ?? 0) > this.#bytesMax / 2;
  }

  /** Counts what is finally sent: the response that was received, another one, an error, or nothing. */
  send(exchange: Exchange, bytes: number): void {
    // A closed connection emits `close` only once, so nothing would release these bytes.
    if (exchange.request.socket.destroyed) return;
    if (bytes > 0 || this.#counted.has(exchange.response)) this.#set(exchange, bytes);
  }

  #set(exchange: Exchange, bytes: number): void {
    const counted = this.#counted.get(exchange.response) ?? this.#track(exchange);
    const more = bytes - counted.bytes;
    counted.bytes = bytes;
    this.#count(counted.client, more);
  }

  /**
   * A response that owns its socket emits `close` together with it. `respond-in-order.ts` starts no request before its
   * response owns the socket.
   */
  #track({ response, client }: Exchange): CountedResponse {
    const counted = { client, bytes: 0 };
    this.#counted.set(response, counted);
    response.once('close', () => this.#free(response, counted));
    return counted;
  }

  #free(response: ServerResponse, { client, bytes }: CountedResponse): void {
    this.#counted.delete(response);
    this.#count(client, -bytes);
  }

  #count(client: string, more: number): void {
    this.#bytes += more;
    const all = (this.#byClient.get(client) ?? 0) + more;
    if (all > 0) this.#byClient.set(client, all);
    else this.#byClient.delete(client);
    if (more < 0) this.#onFreed(client);
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
