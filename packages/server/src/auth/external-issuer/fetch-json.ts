// Fetches one JSON document from a URL that the operator configured, or reads one from a response. Follows no redirect,
// reads at most one megabyte, and stops at the caller's deadline, whatever the server does.

import { decodeUtf8 } from '@flaghoist/source-text';
import type { OperatorGet, OperatorResponse } from '../../channels/http/operator-get.ts';
import { type JsonValue, parseJson } from '../../json/parse-json.ts';

const bytesMax = 1_048_576;

/** Throws an Error that states the URL and the problem. */
export async function fetchJson(get: OperatorGet, url: string, signal: AbortSignal): Promise<JsonValue> {
  try {
    const response = await get(url, { accept: 'application/json' }, signal);
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new Error(`responded with status ${response.status}`);
    }
    return await readJson(response, signal);
  } catch (error) {
    throw unusable(url, error);
  }
}

export async function readJson(response: OperatorResponse, signal: AbortSignal): Promise<JsonValue> {
  return parse(await readBody(response, signal));
}

export function unusable(url: string, error: unknown): Error {
  return new Error(`${url} ${reasonOf(error)}.`, { cause: error });
}

/**
 * Counts bytes after decompression, because a small response can expand to a large one. Listens to `signal` itself:
 * `fetch` holds the signal weakly, and after a garbage collection it keeps reading as long as data arrives.
 */
async function readBody({ body }: OperatorResponse, signal: AbortSignal): Promise<Buffer> {
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
      if (length > bytesMax) throw new Error(`responded with more than ${bytesMax} bytes`);
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
  if (text === undefined) throw new Error('sent a response that is not UTF-8');
  try {
    return parseJson(text);
  } catch {
    throw new Error('sent a response that is not JSON');
  }
}

/** The error of `fetch` says only that it failed; the reason is in its cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(error instanceof TypeError)) return (error as Error).message;
  if (cause instanceof AggregateError)
    return `cannot be reached: ${cause.errors.map(({ message }) => message).join('; ')}`;
  return `cannot be reached: ${(cause instanceof Error ? cause : error).message.replace(/\.$/, '')}`;
}
