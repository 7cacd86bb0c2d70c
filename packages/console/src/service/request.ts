// Calls of the public REST interface, with the token of the session. The console has no other way to the service.

import { basePath } from '../base-path.ts';
import { renew, session } from '../session/session.ts';
import { viewedUser } from '../session/viewed-user.ts';
import { parseExactly, writeExactly } from './exact-json.ts';
import { readError, ServiceError } from './service-error.ts';

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Several values repeat the parameter. */
  query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  body?: unknown;
  /** A field selection. */
  fields?: unknown;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
}

export interface Answer<T> {
  value: T;
  headers: Headers;
}

export const restUrl = `${basePath}/ws/rest`;

/** `path`: below `/ws/rest`. */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  return (await requestAnswer<T>(path, options)).value;
}

/** The same with the headers of the response, such as the ETag. */
export async function requestAnswer<T>(path: string, options: RequestOptions = {}): Promise<Answer<T>> {
  const response = await send(path, options);
  const value = response.status === 204 ? undefined : parseExactly(await response.text());
  return { value: value as T, headers: response.headers };
}

/** The response itself, for bodies that are not JSON or that never end. */
export async function send(path: string, options: RequestOptions = {}): Promise<Response> {
  let response = await sendOnce(path, options);
  if (response.status === 401 && (await renew())) response = await sendOnce(path, options);
  if (!response.ok) throw await readError(response);
  return response;
}

async function sendOnce(path: string, options: RequestOptions): Promise<Response> {
  const { method = 'GET', body, signal: abort } = options;
  try {
    return await fetch(`${restUrl}${path}${queryText(options.query)}`, {
      method,
      headers: headersOf(options),
      ...(body === undefined ? {} : { body: writeExactly(body) }),
      ...(abort ? { signal: abort } : {}),
    });
  } catch (error) {
    if (abort?.aborted) throw error;
    throw new ServiceError('The service does not respond. Check your network, and try again.', { status: 0 });
  }
}

function headersOf({ body, fields, headers }: RequestOptions): Record<string, string> {
  return {
    authorization: `Bearer ${session.peek()?.token ?? ''}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(fields === undefined ? {} : { fields: JSON.stringify(fields) }),
    ...(viewedUser.peek() ? { 'flaghoist-view-as': String(viewedUser.peek()!.key) } : {}),
    ...headers,
  };
}

function queryText(query: RequestOptions['query'] = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const each of Array.isArray(value) ? value : [value]) parameters.append(name, String(each));
  }
  return parameters.size === 0 ? '' : `?${parameters}`;
}
