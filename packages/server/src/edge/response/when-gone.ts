// Tells when the client of a request has gone, or has its response.

import type { FastifyReply } from 'fastify';

export function whenGone({ raw, request }: Pick<FastifyReply, 'raw' | 'request'>): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => gone.abort());
  // The connection may have ended while the request was checked.
  if (request.raw.socket.destroyed) gone.abort();
  return gone.signal;
}
