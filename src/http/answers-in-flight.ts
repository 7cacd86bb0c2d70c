// How much memory answers take: counted from when their bytes arrive from the database until they are sent or their connection has
// ended. Bounded for one answer, for one client and for all answers of this process.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StartVerdict } from '../database/client-shares.ts';
import type { OnReceived } from '../database/statement-batch.ts';
import { ApiError } from '../errors.ts';
import { answerBytesMax } from '../query/answer-size.ts';
import { visitorOf } from './visitor.ts';

/** A request, and the answer to it. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** The client that asks. */
  client: string;
}

export function exchangeOf(request: FastifyRequest, reply: FastifyReply): Exchange {
  return { request: request.raw, response: reply.raw, client: visitorOf(request).caller.client };
}

export interface AnswersInFlightOptions {
  /** Of all answers together. */
  bytesMax: number;
  /** Called when a client holds less than before: its next request may be able to start. */
  onFreed?: (client: string) => void;
}

interface Held {
  client: string;
  bytes: number;
}

export class AnswersInFlight {
  readonly #bytesMax: number;
  /** Of one answer. No client may hold more than half of all: a larger one could never be sent. */
  readonly #answerBytesMax: number;
  readonly #onFreed: (client: string) => void;
  readonly #held = new Map<ServerResponse, Held>();
  readonly #byClient = new Map<string, number>();
  #bytes = 0;

  constructor({ bytesMax, onFreed = () => undefined }: AnswersInFlightOptions) {
    this.#bytesMax = bytesMax;
    this.#answerBytesMax = Math.min(answerBytesMax, bytesMax / 2);
    this.#onFreed = onFreed;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * A client that holds more than a quarter has to read first: so one that never reads leaves enough to the others.
   * When there is no memory left, nothing is started: a write under way cannot be refused because of its answer.
   */
  mayStart(client: string): StartVerdict {
    if ((this.#byClient.get(client) ?? 0) > this.#bytesMax / 4) return 'later';
    return this.#bytes > this.#bytesMax * smallShare ? full() : 'now';
  }

  /** For reading the answer from the database; throws where it becomes too large, or there is no memory left for it. */
  receive(exchange: Exchange): OnReceived {
    return (bytes) => {
      if (exchange.request.socket.destroyed) throw gone();
      const all = (this.#held.get(exchange.response)?.bytes ?? 0) + bytes;
      this.#set(exchange, all);
      if (all > this.#answerBytesMax) throw tooLarge(this.#answerBytesMax);
      if (this.#isFull(exchange.client, all)) throw full();
    };
  }

  /** A small answer may go a little over; and no client may take more than half, whatever it has begun at the same time. */
  #isFull(client: string, answerBytes: number): boolean {
    if (answerBytes <= smallBytes) return this.#bytes > this.#bytesMax * smallShare;
    return this.#bytes > this.#bytesMax || (this.#byClient.get(client) ?? 0) > this.#bytesMax / 2;
  }

  /** What is sent in the end: the answer that was received, another one, an error, or nothing. */
  send(exchange: Exchange, bytes: number): void {
    // A connection that has ended says so only once.
    if (exchange.request.socket.destroyed) return;
    if (bytes > 0 || this.#held.has(exchange.response)) this.#set(exchange, bytes);
  }

  #set(exchange: Exchange, bytes: number): void {
    const held = this.#held.get(exchange.response) ?? this.#hold(exchange);
    const more = bytes - held.bytes;
    held.bytes = bytes;
    this.#count(held.client, more);
  }

  /** An answer that owns its socket closes with it; `answer-in-turn.ts` starts no request before its answer does. */
  #hold({ response, client }: Exchange): Held {
    const held = { client, bytes: 0 };
    this.#held.set(response, held);
    response.once('close', () => this.#free(response, held));
    return held;
  }

  #free(response: ServerResponse, { client, bytes }: Held): void {
    this.#held.delete(response);
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

/** A large answer is refused before a small one is. */
const smallBytes = 65_536;
const smallShare = 1.25;

function tooLarge(bytesMax: number): ApiError {
  const megabytes = Math.floor((bytesMax / 1_048_576) * 10) / 10;
  return new ApiError(
    'answerTooLarge',
    `The answer would have more than ${megabytes} MB. Page through the list with limit, or select less with fields.`,
  );
}

function full(): ApiError {
  return new ApiError(
    'busy',
    'The answers that are being sent take all the memory that they may. Try again in a moment, page through the list with limit, ' +
      'or select less with fields.',
  );
}

/** Nobody reads this answer. */
function gone(): ApiError {
  return new ApiError('malformedRequest', 'The connection ended before the answer was there.');
}
