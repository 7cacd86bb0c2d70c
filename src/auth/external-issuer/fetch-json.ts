// Fetches one JSON document from an address that the operator has set. Follows no redirect, reads no more than a megabyte,
// and ends when its caller's deadline is over, whatever the other side does.

import { decodeUtf8 } from '../../json/decode-utf8.ts';
import { type JsonValue, parseJson } from '../../json/parse-json.ts';

const bytesMax = 1_048_576;

/** Throws an Error that says what is wrong at which address. */
export async function fetchJson(url: string, signal: AbortSignal): Promise<JsonValue> {
  try {
    const response = await fetch(url, { redirect: 'error', signal, headers: { accept: 'application/json' } });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new Error(`answered with ${response.status}`);
    }
    return parse(await readBody(response, signal));
  } catch (error) {
    throw new Error(`${url} ${reasonOf(error)}.`, { cause: error });
  }
}

/**
 * Counts what comes out of decompression: a small answer may become a large one. Ends by `signal` itself: `fetch` holds it weakly, and
 * after a garbage collection reads on for as long as something comes.
 */
async function readBody({ body }: Response, signal: AbortSignal): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  signal.throwIfAborted();
  if (!body) return Buffer.concat(chunks);
  const reader = body.getReader();
  const end = () => void reader.cancel(signal.reason).catch(() => undefined);
  signal.addEventListener('abort', end);
  try {
    let length = 0;
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      length += read.value.length;
      if (length > bytesMax) throw new Error(`answered with more than ${bytesMax} bytes`);
      chunks.push(read.value);
    }
    signal.throwIfAborted();
    return Buffer.concat(chunks);
  } finally {
    signal.removeEventListener('abort', end);
    await reader.cancel().catch(() => undefined);
  }
}

function parse(bytes: Buffer): JsonValue {
  const text = decodeUtf8(bytes);
  if (text === undefined) throw new Error('did not answer in UTF-8');
  try {
    return parseJson(text);
  } catch {
    throw new Error('did not answer with JSON');
  }
}

/** `fetch` says no more than that it failed, and keeps the reason in its cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(error instanceof TypeError)) return (error as Error).message;
  if (cause instanceof AggregateError)
    return `cannot be reached: ${cause.errors.map(({ message }) => message).join('; ')}`;
  return `cannot be reached: ${cause instanceof Error ? cause.message : error.message}`;
}
