// The receiver as a function from a Request to a Response, for Hono, Next, Workers, Deno and Bun.

import type { Receiver } from './create-receiver.ts';
import { bodyBytesMaxDefault, readBytes } from './read-bytes.ts';
import type { BodyLimit } from './to-node-handler.ts';

/** `export const POST = toFetchHandler(receiver)`, `Deno.serve(toFetchHandler(receiver))` */
export function toFetchHandler(
  receiver: Receiver,
  { bodyBytesMax = bodyBytesMaxDefault }: BodyLimit = {},
): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method !== 'POST') return respond(405, 'Send notifications with POST.', { allow: 'POST' });
    const { headers } = request;
    let body: Uint8Array | undefined;
    try {
      if (!request.bodyUsed) {
        body = await readBytes(chunksOf(request.body), bodyBytesMax);
        if (!body) return respond(413, `The body has more than ${bodyBytesMax} bytes.`);
      }
    } catch {
      return respond(400, 'The body was not received in full.');
    }
    // Without a body, the receiver says what is wrong.
    const answer = await receiver.handle({ headers, body: body as Uint8Array });
    return respond(answer.status, answer.body);
  };
}

/** Not every runtime can iterate over a stream. */
async function* chunksOf(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const reader = stream?.getReader();
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) yield next.value;
}

function respond(status: number, body: string, headers: Record<string, string> = {}): Response {
  return new Response(body === '' ? null : body, {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
  });
}
