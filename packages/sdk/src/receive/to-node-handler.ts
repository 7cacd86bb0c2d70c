// The receiver as a request listener of node:http, and as a handler of Express.

import type { Answer, Receiver } from './create-receiver.ts';
import { bodyBytesMaxDefault, readBytes } from './read-bytes.ts';

export interface BodyLimit {
  /** The largest body that is read. Default: 16 MiB. */
  bodyBytesMax?: number;
}

/** What is used of the request of node:http, and of those that are built on it. */
interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly readableEnded: boolean;
  /** Express: what a body parser has made of it. */
  readonly body?: unknown;
  /** Cloud functions: the bytes as they came. */
  readonly rawBody?: unknown;
}

interface NodeResponse {
  readonly headersSent: boolean;
  readonly writableEnded: boolean;
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(body: string): unknown;
}

type NodeHandler = (request: NodeRequest, response: NodeResponse) => Promise<void>;

/** `createServer(toNodeHandler(receiver))` */
export function toNodeHandler(receiver: Receiver, { bodyBytesMax = bodyBytesMaxDefault }: BodyLimit = {}): NodeHandler {
  return async (request, response) => {
    const { status, body } = await answer(receiver, request, bodyBytesMax);
    const headers = {
      'content-type': 'text/plain; charset=utf-8',
      ...(status === 405 && { allow: 'POST' }),
      // What is left of the body is not read.
      ...(status === 413 && { connection: 'close' }),
    };
    // Another part of the program may have answered meanwhile, for example after a time limit.
    if (!response.headersSent) response.writeHead(status, headers);
    if (!response.writableEnded) response.end(body);
  };
}

/** `app.post('/hook', toExpress(receiver))`, before `app.use(express.json())`. */
export function toExpress(receiver: Receiver, limit?: BodyLimit): NodeHandler {
  return toNodeHandler(receiver, limit);
}

async function answer(receiver: Receiver, request: NodeRequest, bytesMax: number): Promise<Answer> {
  if (request.method !== 'POST') return { status: 405, body: 'Send notifications with POST.' };
  const { headers, rawBody } = request;
  try {
    const body = rawBody ?? (request.readableEnded ? request.body : await readBytes(request, bytesMax));
    if (body === undefined && !request.readableEnded)
      return { status: 413, body: `The body has more than ${bytesMax} bytes.` };
    return await receiver.handle({ headers, body: body as Uint8Array });
  } catch {
    return { status: 400, body: 'The body was not received in full.' };
  }
}
