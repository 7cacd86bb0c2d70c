// Sends a file in the best compression that the client accepts.

import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface EncodedFile {
  /** As bytes, so that all concurrent readers share one copy. */
  plain: Buffer;
  /** By the name of the encoding, the best first. Empty if compression saves nothing. */
  encoded: readonly { encoding: string; content: Buffer }[];
}

export function gzipped(plain: Buffer): EncodedFile {
  return { plain, encoded: [{ encoding: 'gzip', content: gzipSync(plain) }] };
}

export function sendEncoded(
  request: FastifyRequest,
  reply: FastifyReply,
  { plain, encoded }: EncodedFile,
): FastifyReply {
  const accepted = request.headers['accept-encoding'] ?? '';
  const best = encoded.find(({ encoding }) => new RegExp(`\\b${encoding}\\b(?!;q=0(?:[,\\s]|$))`).test(accepted));
  reply.header('vary', 'accept-encoding');
  return best ? reply.header('content-encoding', best.encoding).send(best.content) : reply.send(plain);
}
