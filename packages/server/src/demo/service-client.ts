// Calls a running service over plain HTTP and JSON, as any integration would, with a token for a client's id and
// secret. Retries while the service is unavailable. Returns a rejection as a value, and leaves its meaning to the
// caller.

import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { OperatorError } from '../errors.ts';

export interface ClientCredentials {
  clientId: string;
  clientSecret: string;
  audience: string;
}

export interface ConnectionOptions {
  /** Where the service listens, without a trailing slash. */
  baseUrl: string;
  credentials: ClientCredentials;
  signal: AbortSignal;
  print: (line: string) => void;
  /** The first wait for an unavailable service. Each further wait doubles, up to half a minute. */
  retryMs?: number;
}

interface ListQuery {
  filter?: string[];
  sort?: string;
  limit?: number;
  fields?: object;
}

export type Result<T> = { kind: 'done'; object: T } | { kind: 'rejected'; status: number; reason: string };

export class ServiceClient {
  readonly #options: ConnectionOptions;
  #token: { text: string; renewAtMs: number } | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  async list<T>(resource: string, { filter = [], fields, ...paging }: ListQuery = {}): Promise<T[]> {
    const parameters = new URLSearchParams(filter.map((condition): [string, string] => ['filter', condition]));
    for (const [name, value] of Object.entries(paging)) parameters.set(name, String(value));
    if (fields) parameters.set('fields', JSON.stringify(fields));
    const result = await this.#send<T[]>('GET', `${resource}?${parameters}`);
    if (result.kind === 'done') return result.object;
    this.#options.print(`${resource} could not be listed: ${result.reason}`);
    return [];
  }

  create<T>(resource: string, body: object): Promise<Result<T>> {
    return this.#send('POST', resource, body);
  }

  change<T>(resource: string, key: number, body: object): Promise<Result<T>> {
    return this.#send('PUT', `${resource}/${key}`, body);
  }

  async #send<T>(method: string, path: string, body?: object): Promise<Result<T>> {
    const { print, signal, retryMs = 1000 } = this.#options;
    const headers: Record<string, string> = {};
    if (body) headers['Content-Type'] = 'application/json';
    // One key for all attempts: a POST whose response was lost must not create a second object.
    if (method === 'POST') headers['Idempotency-Key'] = randomUUID();
    for (let tries = 0; ; tries++) {
      const reply = await this.#attempt(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      if (reply.kind === 'reply') {
        if (tries > 0) print('The service is back.');
        return resultOf<T>(reply);
      }
      if (tries === 0) print(`The service is unavailable (${reply.reason}); retrying until it is back.`);
      await wait(reply.retryAfterMs ?? Math.min(retryMs * 2 ** tries, 30_000), undefined, { signal });
    }
  }

  async #attempt(path: string, request: RequestInit, isLast = false): Promise<Reply | Away> {
    const away = await this.#renewToken();
    if (away) return away;
    const headers = { ...request.headers, Authorization: `Bearer ${this.#token?.text}` };
    const reply = await ask(`/ws/rest/${path}`, { ...request, headers }, this.#options);
    if (reply.kind === 'away' || reply.status !== 401 || isLast) return reply;
    // The signing key of the token may have been removed, or the clocks may differ: retry with a new token.
    this.#token = undefined;
    return this.#attempt(path, request, true);
  }

  async #renewToken(): Promise<Away | undefined> {
    if (this.#token && performance.now() < this.#token.renewAtMs) return undefined;
    const { clientId, clientSecret, audience } = this.#options.credentials;
    const grant = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret, audience };
    const reply = await ask('/oauth/token', { method: 'POST', body: new URLSearchParams(grant) }, this.#options);
    if (reply.kind === 'away') return reply;
    if (reply.status !== 200) throw new OperatorError(whyNoToken(reply, this.#options));
    // Renewed well before it expires, so that no request arrives with a token that has just expired.
    const renewAtMs = performance.now() + Number(reply.body.expires_in) * 1000 * 0.8;
    this.#token = { text: String(reply.body.access_token), renewAtMs };
    return undefined;
  }
}

interface Reply {
  kind: 'reply';
  status: number;
  body: Record<string, unknown>;
}

/** Not now: the service is starting, stopping, overloaded or without its database. */
interface Away {
  kind: 'away';
  reason: string;
  /** The wait that the service asks for. */
  retryAfterMs?: number;
}

async function ask(path: string, request: RequestInit, { baseUrl, signal }: ConnectionOptions): Promise<Reply | Away> {
  try {
    // A signal of its own: `fetch` would leave a listener on the shared one for every request.
    const response = await fetch(`${baseUrl}${path}`, { ...request, signal: AbortSignal.any([signal]) });
    const { status, headers } = response;
    if (![429, 502, 503, 504].includes(status))
      return { kind: 'reply', status, body: (await response.json()) as Reply['body'] };
    await response.body?.cancel();
    const retryAfter = Number(headers.get('Retry-After') ?? Number.NaN);
    const wait = Number.isFinite(retryAfter) ? { retryAfterMs: Math.min(retryAfter, 30) * 1000 } : {};
    return { kind: 'away', reason: `status ${status}`, ...wait };
  } catch (error) {
    if (signal.aborted) throw error;
    return { kind: 'away', reason: 'no connection' };
  }
}

function resultOf<T>({ status, body }: Reply): Result<T> {
  if (status < 300) return { kind: 'done', object: body as T };
  const { message, violations = [] } = body as { message?: string; violations?: { path: string; message: string }[] };
  const reason = [message, ...violations.map((each) => `${each.path} ${each.message}`)].join(' ');
  return { kind: 'rejected', status, reason };
}

function whyNoToken({ status, body }: Reply, { baseUrl, credentials }: ConnectionOptions): string {
  if (status === 404)
    return (
      `The service at ${baseUrl} gives no tokens itself: it takes those of an external issuer, where the demo ` +
      'cannot get any.'
    );
  const client = `The service at ${baseUrl} gives the client ${credentials.clientId} no token`;
  return `${client}: ${body.error_description} ${remedies[String(body.error)] ?? ''}`.trim();
}

const remedies: Record<string, string> = {
  invalid_client:
    'Is it a client of that service, and has its secret not been replaced since, for instance by another demo?',
  access_denied:
    'Set FLAGHOIST_ENVIRONMENT, FLAGHOIST_AUDIENCE_TEST and FLAGHOIST_AUDIENCE_PRODUCTION as the service has them.',
};
