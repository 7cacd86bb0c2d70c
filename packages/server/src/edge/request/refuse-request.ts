// Rejects requests that Node's parser accepts although they are ambiguous or invalid, and closes their connections.
// Request smuggling relies on two parties that read such a request differently.

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../../errors.ts';
import { findTargetMistake, hostForm } from './request-target.ts';

/** Returns the error to respond with, or undefined if the request is acceptable. */
export function refuseBadRequest(request: IncomingMessage): ApiError | undefined {
  const mistake = isEnding(request) ? 'This connection is being closed after an earlier answer.' : findMistake(request);
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

function findMistake(request: IncomingMessage): string | undefined {
  const { headers, method = '', httpVersionMajor, httpVersion } = request;
  if (httpVersionMajor !== 1) return `HTTP/${httpVersion} is not supported; use HTTP/1.1.`;
  const repeated = findRepeated(request.rawHeaders);
  if (repeated !== undefined) return `The request has more than one ${repeated} header.`;
  const { host, expect } = headers;
  if (host === undefined && httpVersion === '1.1') return 'The request has no Host header.';
  if (host !== undefined && !hostForm.test(host)) return 'The Host header must be a host, with a port or without.';
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    return 'The only supported expectation is 100-continue.';
  const encoding = headers['transfer-encoding'];
  if (encoding !== undefined && (encoding.toLowerCase() !== 'chunked' || httpVersion === '1.0'))
    return 'The only supported Transfer-Encoding is chunked, in HTTP/1.1.';
  const hasBody =
    encoding !== undefined || (headers['content-length'] !== undefined && headers['content-length'] !== '0');
  if (hasBody && bodiless.has(method)) return `${method} takes no body.`;
  return findTargetMistake(request);
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
