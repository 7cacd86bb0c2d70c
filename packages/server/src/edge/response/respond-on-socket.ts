// Responds to requests that cannot be parsed as HTTP, and to CONNECT, which reaches no handler. Writes to the bare
// socket the same body as other errors have, after the responses to earlier requests on the connection.

import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../clock.ts';
import { ApiError } from '../../errors.ts';
import type { Observe } from '../../observe/observation.ts';
import { type FailedRequest, renderError } from '../../render-error.ts';
import { isEnding } from '../request/reject-request.ts';

export interface ParseError extends Error {
  code?: string;
  rawPacket?: Buffer;
}

export interface SocketContext {
  baseUrl: string;
  clock: Clock;
  observe: Observe;
}

export function respondToParseError(error: ParseError, socket: Socket, context: SocketContext): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  // The request may already have been rejected for its headers. That response is the last.
  if (hasResponse.has(socket) || isEnding({ socket })) return;
  hasResponse.add(socket);
  const rejection = explain(error);
  afterPendingResponses(socket, () => {
    respondOnSocket(rejection, readRequestLine(error.rawPacket), socket, context);
    context.observe({ kind: 'request.refused', reason: error.code ?? error.message, status: rejection.status });
  });
}

export function respondToConnect(
  { method = '', url = '' }: IncomingMessage,
  socket: Socket,
  context: SocketContext,
): void {
  const rejection = new ApiError('malformedRequest', 'CONNECT is for proxies; this service is not a proxy.');
  // The client may disconnect before it has read the response.
  socket.on('error', () => socket.destroy());
  respondOnSocket(rejection, { method, target: url }, socket, context);
  context.observe({ kind: 'request.refused', reason: 'CONNECT', status: rejection.status });
}

/** More bytes after a parse error cause the same error again. Respond once. */
const hasResponse = new WeakSet<Socket>();

function respondOnSocket(
  rejection: ApiError,
  request: FailedRequest,
  socket: Socket,
  { baseUrl, clock }: SocketContext,
): void {
  const { status, headers, body } = renderError(rejection, request, baseUrl, clock);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/**
 * Without the wait, a client that pipelines requests would take this error for the response to an earlier request. Does
 * not wait for the response to the broken request itself: that may be waiting for the rest of the body.
 */
function afterPendingResponses(socket: Socket, then: () => void): void {
  // The response that owns the socket now. Node has no public API for this.
  const pending = (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage;
  if (pending?.req.complete) pending.once('close', () => afterPendingResponses(socket, then));
  else if (socket.writable) then();
}

function explain({ code }: ParseError): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError('headersTooLarge', 'The request line and headers are larger than 16 kB.');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ApiError('tooLarge', 'The chunk extensions are too large.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError('requestTimeout', 'The request did not arrive in time.');
    case 'HPE_INVALID_URL':
      return new ApiError(
        'malformedRequest',
        'The request target has a character that must be percent-encoded, like %C3%A6 for æ.',
      );
    default:
      return new ApiError('malformedRequest', 'This is not valid HTTP/1.1 (RFC 9112).');
  }
}

function readRequestLine(packet: Buffer | undefined): FailedRequest {
  const line = packet?.subarray(0, 2048).toString('latin1').split('\r\n', 1)[0] ?? '';
  const [, method = '', target = ''] = /^([A-Z]{3,20}) (\/[\x21-\x7e]*)/.exec(line) ?? [];
  return { method, target };
}
