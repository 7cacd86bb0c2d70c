// Sends requests with a token, and again when that may help: after a 401 with another token, and while the service is
// busy or cannot be reached.

import { FlaghoistError } from '../flaghoist-error.ts';
import { attempt } from './attempt.ts';
import { type ClientOptions, parseServiceUrl } from './client-options.ts';
import type { TokenSource } from './token-source.ts';
import { aborted, orAborted } from './wait.ts';
import { withRetries } from './with-retries.ts';

export interface ServiceRequest {
  method: string;
  /** From the base URL, with its slash: `/ws/rest/Voyage/1007`. */
  path: string;
  /** A list is a parameter that is repeated; `undefined` is left out. */
  query?: Record<string, QueryValue | readonly QueryValue[] | undefined>;
  headers?: Record<string, string | undefined>;
  /** Sent as JSON; a string is JSON already. */
  body?: unknown;
  signal?: AbortSignal | undefined;
}

type QueryValue = string | number | boolean;

/** Throws a FlaghoistError for every response that is not 2xx. `read` is part of the attempt and of its deadline. */
export type SendRequest = <Result>(
  request: ServiceRequest,
  read: (response: Response) => Promise<Result>,
) => Promise<Result>;

export function createSender(options: ClientOptions, tokens: TokenSource): SendRequest {
  const { fetch, timeoutMs = 30_000, retries = 3 } = options;
  const baseUrl = parseServiceUrl(options.url);
  return async (request, read) => {
    const { method, signal } = request;
    const url = urlOf(baseUrl, request);
    const headers = headersOf(options, request);
    const body = bodyOf(request);
    const attemptWith = (token: string) => {
      setHeader(headers, 'authorization', `Bearer ${token}`);
      return attempt({ fetch, method, url, headers, body, timeoutMs, signal, secret: token }, read);
    };
    if (signal?.aborted) throw aborted(signal);
    let token = await orAborted(tokens.get(), signal);
    const attemptWithToken = async () => {
      try {
        return await attemptWith(token);
      } catch (error) {
        if (!(error instanceof FlaghoistError) || error.status !== 401) throw error;
        const other = await orAborted(tokens.replace(token), signal);
        if (other === token) throw error;
        token = other;
        return attemptWith(token);
      }
    };
    return withRetries(attemptWithToken, { retries, signal });
  };
}

/** The response itself, whose body the caller reads, and cancels: neither the deadline nor the signal ends it. */
export async function openResponse(send: SendRequest, request: ServiceRequest): Promise<Response> {
  return send(request, (response) => Promise.resolve(response));
}

function urlOf(baseUrl: string, { path, query = {} }: ServiceRequest): URL {
  if (!path.startsWith('/')) throw new FlaghoistError('invalidRequest', 'A `path` starts with a slash.');
  const url = new URL(baseUrl + path);
  for (const [name, value] of Object.entries(query))
    for (const one of [value ?? []].flat()) url.searchParams.append(name, String(one));
  return url;
}

function headersOf({ apiVersion, userAgent }: ClientOptions, { method, headers, body }: ServiceRequest): Headers {
  const all = {
    accept: 'application/json',
    'content-type': body === undefined ? undefined : 'application/json',
    'api-version': apiVersion,
    'user-agent': userAgent,
  };
  const result = new Headers();
  for (const [name, value] of Object.entries({ ...all, ...headers }))
    if (value !== undefined) setHeader(result, name, value);
  if (method === 'POST' && !result.has('idempotency-key')) result.set('idempotency-key', randomKey());
  return result;
}

/** The error of `Headers` would show the value, which may be a secret. */
function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw new FlaghoistError('invalidRequest', `The value of the header \`${name}\` has characters that HTTP forbids.`);
  }
}

function bodyOf({ body }: ServiceRequest): string | undefined {
  return body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
}

function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
