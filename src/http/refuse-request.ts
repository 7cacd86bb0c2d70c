// Requests that Node's parser lets through although they are ambiguous or make no sense. Two parties that read such a
// request differently are how smuggling works, so all of them are refused, and their connection is closed.

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../errors.ts';
import { findTargetMistake, hostForm } from './request-target.ts';

/** The error to answer with, if the request is refused. */
export function refuseBadRequest(request: IncomingMessage): ApiError | undefined {
  const mistake = isEnding(request) ? 'This connection ends with an earlier answer.' : findMistake(request);
  if (mistake === undefined) return undefined;
  endConnection(request);
  return new ApiError('malformedRequest', mistake, { headers: { connection: 'close' } });
}

/**
 * The answer to this request is the last on its connection. What was sent behind it is not carried out: nobody would get
 * the answer (RFC 9112 §9.6), and behind a refused request it may be the smuggled part.
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
  if (httpVersionMajor !== 1) return `HTTP/${httpVersion} is not spoken here; use HTTP/1.1.`;
  const repeated = findRepeated(request.rawHeaders);
  if (repeated !== undefined) return `The request has more than one ${repeated} header.`;
  const { host, expect } = headers;
  if (host === undefined && httpVersion === '1.1') return 'The request has no Host header.';
  if (host !== undefined && !hostForm.test(host)) return 'The Host header must be a host, with a port or without.';
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    return 'The only expectation met is 100-continue.';
  const encoding = headers['transfer-encoding'];
  if (encoding !== undefined && (encoding.toLowerCase() !== 'chunked' || httpVersion === '1.0'))
    return 'The only Transfer-Encoding taken is chunked, in HTTP/1.1.';
  const hasBody =
    encoding !== undefined || (headers['content-length'] !== undefined && headers['content-length'] !== '0');
  if (hasBody && bodiless.has(method)) return `${method} takes no body.`;
  return findTargetMistake(request);
}

const bodiless = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

/** Of these Node keeps the first and drops the others in silence. */
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
