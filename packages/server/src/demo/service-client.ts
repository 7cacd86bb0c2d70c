// Calls a running service over plain HTTP and JSON, as any integration would. Retries while the service is unavailable.
// Returns a refusal as a value, and leaves its meaning to the caller.

import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type Away, judgeAway, noConnection } from './service-away.ts';
import { type ClientCredentials, type Token, TokenSource } from './token-source.ts';

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

export interface ConnectionOptions {
  baseUrl: string;
  credentials: ClientCredentials;
  signal: AbortSignal;
  print: (line: string) => void;
  /** The first wait for an unavailable service. Each further wait doubles, up to half a minute. */
  retryMs?: number;
}

export function connectToService(options: ConnectionOptions): ServiceClient {
  const connection: Connection = { ...options, tokens: new TokenSource(options) };
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

interface Connection extends ConnectionOptions {
  tokens: TokenSource;
}

function listParameters({ filter = [], sort, limit, fields }: ListQuery): URLSearchParams {
  const parameters = new URLSearchParams(filter.map((condition): [string, string] => ['filter', condition]));
  if (sort !== undefined) parameters.set('sort', sort);
  if (limit !== undefined) parameters.set('limit', String(limit));
  if (fields !== undefined) parameters.set('fields', JSON.stringify(fields));
  return parameters;
}

interface SentRequest {
  method: string;
  path: string;
  body: object | undefined;
  idempotencyKey: string;
}

async function send<T>(connection: Connection, method: string, path: string, body?: object): Promise<Answer<T>> {
  // One key for all attempts: a POST whose response was lost must not create a second object.
  const request = { method, path, body, idempotencyKey: randomUUID() };
  for (let tries = 0; ; tries++) {
    const attempt = await attemptRequest<T>(connection, request);
    if (attempt.kind !== 'away') {
      if (tries > 0) connection.print('The service is back.');
      return attempt;
    }
    if (tries === 0) connection.print(`The service is away (${attempt.reason}); trying again until it is back.`);
    const backoffMs = Math.min((connection.retryMs ?? 1000) * 2 ** tries, 30_000);
    await wait(attempt.retryAfterMs ?? backoffMs, undefined, { signal: connection.signal });
  }
}

type Attempt<T> = Answer<T> | Away;

async function attemptRequest<T>(connection: Connection, request: SentRequest): Promise<Attempt<T>> {
  const { tokens } = connection;
  const token = await tokens.current();
  if (token.kind === 'away') return token;
  const attempt = await attemptWith<T>(connection, request, token);
  if (attempt.kind !== 'refused' || attempt.status !== 401) return attempt;
  // The signing key of the token may have been removed, or the clocks may differ: retry with a new token.
  tokens.forget(token);
  const renewed = await tokens.current();
  return renewed.kind === 'away' ? renewed : attemptWith<T>(connection, request, renewed);
}

async function attemptWith<T>(
  { baseUrl, signal }: Connection,
  { method, path, body, idempotencyKey }: SentRequest,
  token: Token,
): Promise<Attempt<T>> {
  const headers: Record<string, string> = { Authorization: `Bearer ${token.text}` };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (method === 'POST') headers['Idempotency-Key'] = idempotencyKey;
  try {
    const url = `${baseUrl}/ws/rest/${path}`;
    const response = await fetch(url, { method, headers, body: body && JSON.stringify(body), signal });
    return (await judgeAway(response)) ?? (await understand<T>(response));
  } catch (error) {
    if (signal.aborted) throw error;
    return noConnection;
  }
}

async function understand<T>(response: Response): Promise<Answer<T>> {
  const answer = (await response.json()) as T & { message?: string; violations?: { path: string; message: string }[] };
  if (response.ok) return { kind: 'done', object: answer };
  const violations = (answer.violations ?? []).map(({ path, message }) => `${path} ${message}`);
  return { kind: 'refused', status: response.status, reason: [answer.message, ...violations].join(' ') };
}
