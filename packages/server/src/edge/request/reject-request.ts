// Rejects requests that Node's parser accepts although they are ambiguous or invalid, and closes their connections.
// Request smuggling relies on two parties that read such a request differently.

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../../errors.ts';

/** Returns the error to respond with, or undefined if the request is acceptable. */
export function rejectionOf(request: IncomingMessage): ApiError | undefined {
  const mistake = isEnding(request)
    ? 'This connection is being closed after an earlier response.'
    : (findMistake(request) ?? findTargetMistake(request));
  if (mistake === undefined) return undefined;
  endConnection(request);
  return new ApiError('malformedRequest', mistake, { headers: { connection: 'close' } });
}

/**
 * The response to this request is the last on its connection. Requests sent after it are not executed: the client would
 * not get their responses (RFC 9112 §9.6). After a rejected request, they may be the smuggled part.
 */
export function endConnection({ socket }: IncomingMessage): void {
  endingSockets.add(socket);
}

export function isEnding({ socket }: Pick<IncomingMessage, 'socket'>): boolean {
  return endingSockets.has(socket);
}

const endingSockets = new WeakSet<Socket>();

function findMistake({ headers, method = '', httpVersionMajor, httpVersion, rawHeaders }: IncomingMessage) {
  if (httpVersionMajor !== 1) return `HTTP/${httpVersion} is not supported; use HTTP/1.1.`;
  const repeated = findRepeated(rawHeaders);
  if (repeated !== undefined) return `The request has more than one ${repeated} header.`;
  const { host, expect } = headers;
  if (host === undefined && httpVersion === '1.1') return 'The request has no Host header.';
  if (host !== undefined && !hostForm.test(host)) return 'The Host header must be a host, with a port or without.';
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    return 'The only supported expectation is 100-continue.';
  const encoding = headers['transfer-encoding'];
  if (encoding !== undefined && (encoding.toLowerCase() !== 'chunked' || httpVersion === '1.0'))
    return 'The only supported Transfer-Encoding is chunked, in HTTP/1.1.';
  const hasBody = encoding !== undefined || (headers['content-length'] ?? '0') !== '0';
  return hasBody && bodiless.has(method) ? `${method} takes no body.` : undefined;
}

const bodiless = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

/** For these headers, Node keeps the first value and silently drops the others. */
const singleHeaders = new Set(['host', 'content-type', 'authorization']);

function findRepeated(rawHeaders: string[]): string | undefined {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!.toLowerCase();
    if (seen.has(name)) return rawHeaders[index];
    if (singleHeaders.has(name)) seen.add(name);
  }
  return undefined;
}

type RequestLine = Pick<IncomingMessage, 'url' | 'method'>;

/**
 * The request target of RFC 9112 §3.2: path and query of an absolute `http` or `https` URL, and every other target
 * unchanged. The text is split but not normalised: routing and the token check must see the same bytes as for a plain
 * path. The host of the URL takes precedence over the `Host` header (§3.2.2). Neither is used here: links are built
 * from the base URL.
 */
export function pathOfTarget({ url = '', method }: RequestLine): string {
  const [, authority = '', rest = ''] = absoluteForm.exec(url) ?? [];
  if (!hostForm.test(authority) || /^(?::|$)/.test(authority)) return url;
  if (rest === '' && method === 'OPTIONS') return '*';
  return rest.startsWith('/') ? rest : `/${rest}`;
}

const absoluteForm = /^https?:\/\/([^/?#]*)(.*)$/i;

/** RFC 3986 §3.2.2: a name, an IPv4 address, or an IPv6 address in brackets. */
const hostForm = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

function findTargetMistake({ url = '', method }: RequestLine): string | undefined {
  if (!url.startsWith('/') && !(url === '*' && method === 'OPTIONS'))
    return 'The request target must be a path, or an http or https URL with a host and without a user name.';
  // The router would end the path at the `#` and read what follows as the query.
  if (url.includes('#')) return 'The request target has a fragment; a "#" in it must be percent-encoded.';
  return undefined;
}
