// The receiver as a plugin of Fastify. It has its own body parser, so that parsers of the application do not matter.

import type { Receiver } from './create-receiver.ts';
import type { HeaderSource } from './message-headers.ts';
import { bodyBytesMaxDefault } from './read-bytes.ts';
import type { BodyLimit } from './to-node-handler.ts';

/** What is used of a Fastify instance. */
interface FastifyScope {
  removeAllContentTypeParsers(): void;
  addContentTypeParser(
    contentType: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parser: (request: unknown, body: Uint8Array, done: (error: null, body: Uint8Array) => void) => void,
  ): unknown;
  post(path: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>): unknown;
}

interface FastifyRequest {
  readonly headers: HeaderSource;
  readonly body: unknown;
}

interface FastifyReply {
  code(status: number): { type(contentType: string): { send(body: string): unknown } };
}

/** `app.register(toFastify(receiver), { prefix: '/hook' })` */
export function toFastify(
  receiver: Receiver,
  { bodyBytesMax = bodyBytesMaxDefault }: BodyLimit = {},
): (app: FastifyScope) => Promise<void> {
  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: bodyBytesMax }, (_request, body, done) =>
      done(null, body),
    );
    app.post('/', async (request, reply) => {
      const { status, body } = await receiver.handle({
        headers: request.headers,
        // Without a content type, Fastify parses nothing.
        body: (request.body ?? '') as Uint8Array,
      });
      return reply.code(status).type('text/plain; charset=utf-8').send(body);
    });
  };
}
