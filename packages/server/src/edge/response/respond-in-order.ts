// Executes pipelined requests of a connection one after another. RFC 9112 §9.3.2 lets only safe methods run in
// parallel. A response that is ready too early would also stay in memory until the earlier ones are sent.

import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export function respondInOrder(respond: RequestListener): RequestListener {
  const queues = new WeakMap<Socket, RequestQueue>();
  return (request, response) => {
    // Node assigns the socket to a response after all earlier responses are sent.
    if (response.socket) {
      respond(request, response);
      return;
    }
    const { socket } = request;
    const queue = queues.get(socket) ?? new RequestQueue(socket);
    queues.set(socket, queue);
    queue.add(response, () => respond(request, response));
  };
}

/** The waiting requests of one connection. Reading is paused while requests wait, so the queue stays short. */
class RequestQueue {
  readonly #socket: Socket;
  #waiting = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    // Node resumes reading on its own, for example after a large response.
    socket.on('resume', () => this.#pauseIfWaiting());
  }

  /** If the connection ends first, the request never starts. */
  add(response: ServerResponse, start: () => void): void {
    this.#waiting += 1;
    this.#pauseIfWaiting();
    // On the next tick: listeners for the close of the earlier response run first, and may end the connection.
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
