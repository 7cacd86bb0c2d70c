// What an answer of the service has to be, and what of its headers counts.

import { FlaghoistError } from '../flaghoist-error.ts';
import type { ServiceResponse } from './client.ts';
import { parseAnswer } from './parse-answer.ts';
import { readText } from './read-text.ts';

export interface Answered<Body> {
  headers: Headers;
  body: Body;
}

/** `operation` opens the message of an error: `GET /ws/rest/Voyage/1007`. */
export async function readAnswer(
  operation: string,
  response: Response,
  exactNumbers: boolean,
): Promise<ServiceResponse> {
  const { status, headers } = response;
  const text = await readText(response);
  return { status, headers, body: isJson(headers) ? parseAnswer(text, exactNumbers, operation) : text };
}

export function expectJson<Body>(
  operation: string,
  { headers, body }: ServiceResponse,
  isExpected: (body: unknown) => boolean,
): Answered<Body> {
  if (isJson(headers) && isExpected(body)) return { headers, body: body as Body };
  const given = isJson(headers) ? 'other JSON than expected' : (headers.get('content-type') ?? 'no content type');
  const remedy = 'Is it from Flaghoist, or does a proxy or a login page answer?';
  throw new FlaghoistError('invalidAnswer', `${operation} was answered with ${given}. ${remedy}`);
}

export function isObject(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

function isJson(headers: Headers): boolean {
  return /json/.test(headers.get('content-type') ?? '');
}

/** The cursor in the link to the next page (RFC 8288). `after`: that of this page. */
export function nextOf(headers: Headers, after: string | undefined): string | undefined {
  const [, query] = /<[^>?]*\??([^>]*)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
  if (query === undefined) return undefined;
  const next = new URLSearchParams(query).get('after');
  // A list must neither end early nor go round in circles.
  if (next !== null && next !== after) return next;
  const problem = next === null ? 'The link to the next page is broken.' : 'The next page is this page again.';
  throw new FlaghoistError('invalidAnswer', `${problem} Does a proxy or a cache change what the service answers?`);
}
