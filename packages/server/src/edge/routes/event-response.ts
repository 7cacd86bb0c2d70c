// Answers a request with server-sent events: the response stays open, and events are written to it as they come.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { EventResponse } from '../../objects/action-call.ts';

/** From now on, the response is written here and no longer by the framework. */
export function openEventResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  isStillAllowed: () => Promise<boolean>,
): EventResponse {
  const { raw: response } = reply;
  const { socket } = request.raw;
  const headers = { ...reply.getHeaders(), ...eventHeaders } as Record<string, string>;
  reply.hijack();
  response.writeHead(200, headers);
  response.flushHeaders();
  const isHead = request.method === 'HEAD';
  if (isHead) response.end();
  return {
    // A write after the end would be an error that nobody handles, and end the process.
    write: (text) => !response.writableEnded && response.write(text),
    unreadBytes: () => response.writableLength,
    end: () => void response.end(),
    onDrain: (listener) => void response.on('drain', listener),
    onClose: (listener) => {
      // The connection may have ended while the request was checked.
      if (isHead || socket.destroyed) queueMicrotask(listener);
      else response.once('close', listener);
    },
    isStillAllowed,
  };
}

const eventHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // For nginx, which would otherwise collect events before it passes them on.
  'x-accel-buffering': 'no',
};
