// The only place that renders errors as responses: the seven fields of the API, and `violations` if there are any. For
// an internal fault the response contains only an id; the details are in the log.

import { STATUS_CODES } from 'node:http';
import { type Clock, renderDateTime } from './clock.ts';
import { TooManyWaiting } from './database/client-shares.ts';
import { DatabaseAway, DatabaseBusy, DatabaseFull } from './database/database-away.ts';
import { ApiError, type Violation } from './errors.ts';

export interface FailedRequest {
  method: string;
  /** Path and query, as they were sent. */
  target: string;
}

export interface ErrorAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

interface ErrorBody {
  statusCode: number;
  statusText: string;
  message: string;
  date: string;
  statusFamily: 'CLIENT_ERROR' | 'SERVER_ERROR';
  method: string;
  uri: string;
  violations?: Violation[];
}

export function renderError(
  error: ApiError,
  request: FailedRequest,
  baseUrl: string,
  clock: Pick<Clock, 'now'>,
): ErrorAnswer {
  const body: ErrorBody = {
    statusCode: error.status,
    statusText: STATUS_CODES[error.status] ?? '',
    message: error.message,
    date: renderDateTime(clock.now()),
    statusFamily: error.status >= 500 ? 'SERVER_ERROR' : 'CLIENT_ERROR',
    method: request.method,
    // A target that is not a path (`*`, a rejected URL) is left out, because it says nothing about the resource.
    uri: `${baseUrl}${request.target.startsWith('/') ? maskSecrets(request.target) : ''}`,
    ...(error.violations ? { violations: error.violations } : {}),
  };
  return { status: error.status, headers: headersOf(error), body: JSON.stringify(body) };
}

function headersOf(error: ApiError): Record<string, string> {
  const { retryAfterSeconds } = error;
  return {
    'content-type': 'application/json; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'flaghoist-error': error.code,
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
    ...error.headers,
  };
}

/** Converts whatever was thrown into an error that may be reported to the caller. */
export function asApiError(error: unknown, requestId: string): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof DatabaseFull) return new ApiError('diskFull', `${error.message} Try again later.`);
  if (error instanceof DatabaseAway) {
    return new ApiError('databaseAway', 'The database cannot be reached. Try again in a moment.');
  }
  if (error instanceof TooManyWaiting) return new ApiError('tooManyRequests', error.message);
  if (error instanceof DatabaseBusy) return new ApiError('busy', `${error.message} Try again in a moment.`);
  return fromFastify(error) ?? new ApiError('internal', `Internal error. Its id in the log is ${requestId}.`);
}

function fromFastify(error: unknown): ApiError | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ApiError('tooLarge', 'The body is larger than this resource allows.');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_INVALID_CONTENT_TYPE':
      return new ApiError('unsupportedMediaType', 'The Content-Type must be application/json.');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new ApiError('malformedRequest', 'The body does not have the length that Content-Length states.', {
        headers: { connection: 'close' },
      });
    case 'FST_ERR_BAD_URL':
      return new ApiError('malformedRequest', 'The path has an invalid percent escape.');
    case 'ECONNRESET':
    case 'ERR_STREAM_PREMATURE_CLOSE':
      return new ApiError('malformedRequest', 'The connection ended before the request did.');
    default:
      return undefined;
  }
}

/** A URL should not contain a secret. If it does, the response does not repeat the secret. */
function maskSecrets(target: string): string {
  return target
    .replace(/([?&])([^=&]+)=[^&]*/g, (whole, separator: string, name: string) =>
      secretName.test(decodeName(name)) ? `${separator}${name}=***` : whole,
    )
    .replace(/eyJ[\w-]+(?:\.|%2e)[\w-]+(?:\.|%2e)[\w-]+/gi, '***');
}

const secretName = /token|secret|password|passwd|api_?key|authorization|^code$/i;

/** Decodes escapes, because `%74oken` is a token too. */
function decodeName(name: string): string {
  return name.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
