// Talks to a running service over plain HTTP and JSON, as any integration would. Waits while the service is away, and
// hands back a refusal as a value: what it means is for the caller to say.

import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

export interface ServiceClient {
  list<T>(resource: string, query?: ListQuery): Promise<T[]>;
  create<T>(resource: string, body: object): Promise<Answer<T>>;
  change<T>(resource: string, key: number, body: object): Promise<Answer<T>>;
}

interface ListQuery {
  filter?: string[];
  sort?: string;
  limit?: number;
  fields?: object;
}

export type Answer<T> = { kind: 'done'; object: T } | { kind: 'refused'; status: number; reason: string };

export interface Connection {
  baseUrl: string;
  signal: AbortSignal;
  print: (line: string) => void;
  /** How long the first wait for an absent service is; each further one doubles, up to half a minute. */
  retryMs?: number;
}

export function connectToService(connection: Connection): ServiceClient {
  return {
    async list<T>(resource: string, query: ListQuery = {}): Promise<T[]> {
      const answer = await send<T[]>(connection, 'GET', `${resource}?${listParameters(query)}`);
      if (answer.kind === 'done') return answer.object;
      connection.print(`${resource} could not be listed: ${answer.reason}`);
      return [];
    },
    create: (resource, body) => send(connection, 'POST', resource, body),
    change: (resource, key, body) => send(connection, 'PUT', `${resource}/${key}`, body),
  };
}

function listParameters({ filter = [], sort, limit, fields }: ListQuery): URLSearchParams {
  const parameters = new URLSearchParams(filter.map((condition): [string, string] => ['filter', condition]));
  if (sort !== undefined) parameters.set('sort', sort);
  if (limit !== undefined) parameters.set('limit', String(limit));
  if (fields !== undefined) parameters.set('fields', JSON.stringify(fields));
  return parameters;
}

async function send<T>(connection: Connection, method: string, path: string, body?: object): Promise<Answer<T>> {
  // One key for all tries: a POST whose answer was lost must not create a second object.
  const idempotencyKey = randomUUID();
  for (let tries = 0; ; tries++) {
    const attempt = await attemptRequest<T>(connection, method, path, body, idempotencyKey);
    if (attempt.kind !== 'away') {
      if (tries > 0) connection.print('The service is back.');
      return attempt;
    }
    if (tries === 0) connection.print(`The service is away (${attempt.reason}); trying again until it is back.`);
    const backoffMs = Math.min((connection.retryMs ?? 1000) * 2 ** tries, 30_000);
    await wait(attempt.retryAfterMs ?? backoffMs, undefined, { signal: connection.signal });
  }
}

type Attempt<T> = Answer<T> | { kind: 'away'; reason: string; retryAfterMs?: number };

async function attemptRequest<T>(
  { baseUrl, signal }: Connection,
  method: string,
  path: string,
  body: object | undefined,
  idempotencyKey: string,
): Promise<Attempt<T>> {
  const headers: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' };
  if (method === 'POST') headers['Idempotency-Key'] = idempotencyKey;
  try {
    const url = `${baseUrl}/ws/rest/${path}`;
    const response = await fetch(url, { method, headers, body: body && JSON.stringify(body), signal });
    return await understand<T>(response);
  } catch (error) {
    if (signal.aborted) throw error;
    return { kind: 'away', reason: 'no connection' };
  }
}

async function understand<T>(response: Response): Promise<Attempt<T>> {
  const isAway = [429, 502, 503, 504].includes(response.status);
  if (isAway) {
    await response.body?.cancel();
    const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
    const waitMs = Number.isFinite(retryAfter) ? { retryAfterMs: Math.min(retryAfter, 30) * 1000 } : {};
    return { kind: 'away', reason: `status ${response.status}`, ...waitMs };
  }
  const answer = (await response.json()) as T & { message?: string; violations?: { path: string; message: string }[] };
  if (response.ok) return { kind: 'done', object: answer };
  const violations = (answer.violations ?? []).map(({ path, message }) => `${path} ${message}`);
  return { kind: 'refused', status: response.status, reason: [answer.message, ...violations].join(' ') };
}
