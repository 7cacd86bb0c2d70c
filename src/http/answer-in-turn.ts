// Requests that arrive on a connection before the earlier ones are answered (pipelining) are carried out one after the
// other. RFC 9112 §9.3.2 lets only safe methods overlap, and an answer that is ready too early would stay in memory
// until the earlier ones are sent.

import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export function answerInTurn(answer: RequestListener): RequestListener {
  const queues = new WeakMap<Socket, RequestQueue>();
  return (request, response) => {
    // Node gives the socket to an answer once all earlier ones are sent.
    if (response.socket) {
      answer(request, response);
      return;
    }
    const { socket } = request;
    const queue = queues.get(socket) ?? new RequestQueue(socket);
    queues.set(socket, queue);
    queue.add(response, () => answer(request, response));
  };
}

/** The waiting requests of one connection. Nothing more is read from it meanwhile, so there are never many. */
class RequestQueue {
  readonly #socket: Socket;
  #waiting = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    // Node resumes reading by itself, for example after a large answer.
    socket.on('resume', () => this.#pauseIfWaiting());
  }

  /** If the connection ends first, the request is never started. */
  add(response: ServerResponse, start: () => void): void {
    this.#waiting += 1;
    this.#pauseIfWaiting();
    // On the next tick: those who wait for the earlier answer to close come first, and may end the connection.
    response.once('socket', () => process.nextTick(() => this.#startNext(start)));
  }

  #startNext(start: () => void): void {
    this.#waiting -= 1;
    if (this.#waiting === 0) this.#socket.resume();
    if (this.#socket.writable) start();
  }

  #pauseIfWaiting(): void {
    if (this.#waiting > 0) this.#socket.pause();
  }
}
