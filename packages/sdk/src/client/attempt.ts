// One HTTP request, once: with a deadline, and with every failure as a FlaghoistError.

import { FlaghoistError } from '../flaghoist-error.ts';
import { describeNetworkError } from './describe-network-error.ts';
import { readError } from './read-error.ts';
import { aborted, onAbort } from './wait.ts';

export type Fetch = typeof globalThis.fetch;

export interface Attempt {
  fetch: Fetch | undefined;
  method: string;
  url: URL;
  headers: Headers;
  body?: string | undefined;
  /** Until the response has been read. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** What the request authenticates with: it never shows in an error, even if the answer repeats it. */
  secret: string | undefined;
}

/** Throws for every response that is not 2xx. */
export async function attempt<Result>(
  { fetch = globalThis.fetch, method, url, headers, body, timeoutMs, signal, secret }: Attempt,
  read: (response: Response) => Promise<Result>,
): Promise<Result> {
  const operation = `${method} ${url.pathname}`;
  const end = new AbortController();
  const abort = () => end.abort();
  const timer = setTimeout(abort, timeoutMs);
  const forget = onAbort(signal, abort);
  try {
    const response = await fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      // A redirect would send what the request contains to another place.
      redirect: 'manual',
      signal: end.signal,
    });
    if (!response.ok) throw await readError({ operation, origin: url.origin, secret }, response);
    return await read(response);
  } catch (error) {
    if (error instanceof FlaghoistError) throw error;
    if (signal?.aborted) throw aborted(signal);
    if (end.signal.aborted)
      throw new FlaghoistError('timeout', `${operation}: ${url.origin} did not answer in full within ${timeoutMs} ms.`);
    throw new FlaghoistError('network', `${operation}: ${describeNetworkError(url, error)}`, { cause: error });
  } finally {
    clearTimeout(timer);
    forget();
  }
}
