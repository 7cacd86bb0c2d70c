// The one error of this package: what a program can react to. It never contains a secret or a token.

import type { ServiceErrorCode } from './catalogue.ts';

export interface Violation {
  /** For example `portCalls[0].port`. */
  path: string;
  message: string;
}

/** The errors of this package itself; those of the service are in its documentation (docs/reference/errors.md). */
export type ClientErrorCode =
  /** The `signal` of the call was aborted. */
  | 'aborted'
  /** A successful response that is not what the service answers, for example from a proxy. */
  | 'invalidAnswer'
  /** The call cannot be sent as it is: a value that a filter cannot hold, a header with a line break. */
  | 'invalidRequest'
  /** The service could not be reached, or the connection broke. */
  | 'network'
  /** `find`: more than one object matches. (If none does, the code is `notFound`, as of the service.) */
  | 'notUnique'
  /** No response within `timeoutMs`. */
  | 'timeout'
  /** An error response that is not the service's own, for example from a proxy. `status` says more. */
  | 'unknownAnswer'
  /** `update` or `delete` with an object that the client did not read: its state is not known. */
  | 'unsafeUpdate';

/** Errors of the token endpoint (RFC 6749 §5.2). */
type TokenErrorCode =
  | 'access_denied'
  | 'invalid_client'
  | 'invalid_request'
  | 'invalid_scope'
  | 'server_error'
  | 'temporarily_unavailable'
  | 'too_many_requests';

/** Later versions of the service may have more. */
export type ErrorCode = ClientErrorCode | ServiceErrorCode | TokenErrorCode | (string & {});

interface ErrorDetails {
  status?: number | undefined;
  violations?: readonly Violation[] | undefined;
  requestId?: string | undefined;
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

export class FlaghoistError extends Error {
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  readonly code: ErrorCode;
  /** Every mistake in the body of the request. */
  readonly violations: readonly Violation[];
  /** The id of the request in the log of the service. */
  readonly requestId: string | undefined;
  /** How long the service asks to wait before a retry. */
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'FlaghoistError';
    this.code = code;
    this.status = details.status ?? 0;
    this.violations = details.violations ?? [];
    this.requestId = details.requestId;
    this.retryAfterMs = details.retryAfterMs;
  }
}
