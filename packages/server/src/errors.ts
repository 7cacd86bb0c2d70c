// All errors that the service can report, as one table. `docs/reference/errors.md` lists the same rows, and a test
// keeps the two equal. `render-error.ts` renders them, and `describe/openapi/examples/error-examples.ts` has an example
// of each. A failed delivery is a value, not an error.

interface ErrorRow {
  status: number;
  /** After how many seconds the caller may retry. */
  retryAfterSeconds?: number;
  meaning: string;
}

export const errorTable = {
  malformedRequest: {
    status: 400,
    meaning: 'The request violates HTTP: two Host headers, a body on a GET, a bad path.',
  },
  malformedJson: {
    status: 400,
    meaning: 'The body is not valid JSON (RFC 8259); the message has the line and column.',
  },
  invalidBody: { status: 400, meaning: 'The body has errors; `violations` lists each with its path.' },
  invalidFilter: {
    status: 400,
    meaning: 'A filter has a bad path, operator or value; the message quotes it and points at the place.',
  },
  invalidSort: { status: 400, meaning: 'A sort has a bad path or direction.' },
  invalidFields: {
    status: 400,
    meaning: 'The field selection is not JSON, or names an attribute that the type does not have.',
  },
  invalidPage: { status: 400, meaning: '`pageNumber`, `limit` or `after` is not valid.' },
  invalidQuery: {
    status: 400,
    meaning: 'A query parameter is unknown, given twice, or has a value that is not valid.',
  },
  invalidKey: { status: 400, meaning: 'A key in the path is not a positive integer.' },
  invalidHeader: { status: 400, meaning: 'A request header has an invalid value.' },
  newerVersion: {
    status: 400,
    meaning: 'The action needs a later API version than that of the request.',
  },
  tooManyObjects: {
    status: 400,
    meaning: 'The list has more than 2000 objects and no `limit`: filter it, or page through it.',
  },
  unauthorized: { status: 401, meaning: 'The request has no token, or an invalid one.' },
  tokenExpired: { status: 401, meaning: 'The token has expired: get a new one.' },
  signInFailed: {
    status: 401,
    meaning: 'The sign-in to the console failed: wrong client or secret, or a link that is not valid any more.',
  },
  sessionEnded: { status: 401, meaning: 'There is no session of the console, or it has ended: sign in again.' },
  notFromConsole: {
    status: 403,
    meaning: 'The request to `/console/session` does not come from the console: it lacks a header, or is cross-site.',
  },
  noAccess: { status: 403, meaning: 'The user or client has no access at all; the message says how to grant it.' },
  insufficientScope: {
    status: 403,
    meaning: 'The token lacks the scope that the request needs; the message names it.',
  },
  editionRequired: { status: 403, meaning: "The attribute is for another edition than the user's." },
  viewOnly: { status: 403, meaning: 'As another user (`flaghoist-view-as`), only GET and HEAD work, and no stream.' },
  notPermitted: { status: 403, meaning: 'The caller may do this only for its own user.' },
  unknownResource: { status: 404, meaning: 'There is no resource or page at this path.' },
  notFound: { status: 404, meaning: 'There is no object with this key.' },
  methodNotAllowed: {
    status: 405,
    meaning: 'The resource does not support this method; `Allow` lists those it supports.',
  },
  alreadyExists: { status: 409, meaning: 'Another object has the same unique value.' },
  stillReferred: {
    status: 409,
    meaning: 'The object cannot be deleted while others refer to it; the message says which.',
  },
  secretElsewhere: {
    status: 409,
    meaning: 'Secrets of clients are managed by an external issuer; they cannot be changed here.',
  },
  unsubscribed: {
    status: 409,
    meaning: 'The subscription is unsubscribed: it can no longer be changed, and nothing more is sent.',
  },
  notReactivated: { status: 409, meaning: 'The subscription was deactivated and cannot be reactivated.' },
  stillSubscribed: { status: 409, meaning: 'The subscription must be unsubscribed before it can be deleted.' },
  notStreamed: {
    status: 409,
    meaning: 'The notifications of the subscription are sent to its receiver; only those of a STREAM can be fetched.',
  },
  hasNotifications: { status: 409, meaning: 'The subscription has had notifications and cannot be deleted.' },
  unreadableSecrets: {
    status: 409,
    meaning: 'The secrets of the subscription cannot be decrypted; set new ones.',
  },
  resendEnded: { status: 409, meaning: 'The resend is already done or cancelled.' },
  noDemo: { status: 409, meaning: 'The demo fleet cannot be started here; the message says why.' },
  lastElement: { status: 409, meaning: 'The collection may not become empty.' },
  stillRunning: {
    status: 409,
    retryAfterSeconds: 1,
    meaning: 'The first request with this `Idempotency-Key` has not finished.',
  },
  stale: { status: 412, meaning: '`If-Match` names a state that the object no longer has.' },
  tooLarge: { status: 413, meaning: 'The body is larger than the resource allows.' },
  answerTooLarge: {
    status: 413,
    meaning:
      'The answer would be larger than 64 MB, or one object in it larger than 18 MB: ' +
      'page through the list, or select fewer fields.',
  },
  headersTooLarge: { status: 431, meaning: 'The request line and headers are larger than 16 kB.' },
  requestTimeout: { status: 408, meaning: 'The request did not arrive in time.' },
  unsupportedMediaType: { status: 415, meaning: 'The body is not `application/json` in UTF-8, or is compressed.' },
  keyReused: { status: 422, meaning: 'The `Idempotency-Key` was used before with another body.' },
  tooManyRequests: {
    status: 429,
    retryAfterSeconds: 1,
    meaning:
      'The caller exceeds its rate limit, or has too many requests waiting; `Retry-After` says when to continue.',
  },
  internal: { status: 500, meaning: 'An internal error. The message has only an id to look up in the log.' },
  busy: {
    status: 503,
    retryAfterSeconds: 1,
    meaning:
      'Others are changing the same objects, too many scripts and stylesheets are being checked, all database ' +
      'connections are in use, or answers in flight use all the memory allowed.',
  },
  queryTooSlow: {
    status: 503,
    retryAfterSeconds: 30,
    meaning: 'The database took longer than allowed: narrow the request.',
  },
  issuerAway: {
    status: 503,
    retryAfterSeconds: 5,
    meaning: 'The external issuer cannot be reached, and none of its keys is cached: tokens cannot be verified.',
  },
  issuerFault: {
    status: 502,
    meaning: 'The external issuer rejects the console, or answers what cannot be used. The log has the reason.',
  },
  starting: { status: 503, retryAfterSeconds: 1, meaning: 'The process is starting and not ready yet.' },
  stopping: {
    status: 503,
    retryAfterSeconds: 5,
    meaning: 'The process is stopping; another one, or the same in a moment, will answer.',
  },
  modelOutdated: {
    status: 503,
    retryAfterSeconds: 30,
    meaning: 'Another process has applied another model file: restart this process with the same file.',
  },
  databaseAway: {
    status: 503,
    retryAfterSeconds: 2,
    meaning: 'The database cannot be reached; `Retry-After` says when to try again.',
  },
  diskFull: {
    status: 507,
    retryAfterSeconds: 30,
    meaning: 'The disk of the database is full: nothing was changed. `Retry-After` says when to try again.',
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorTable;

/** One mistake in a request body: its path (`bunkerOrderLines[0].unitPrice`), and what is wrong. */
export interface Violation {
  path: string;
  message: string;
}

interface ApiErrorDetails {
  violations?: Violation[];
  headers?: Record<string, string>;
  cause?: unknown;
}

/** An error that is reported to the caller. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly violations: Violation[] | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, message: string, details: ApiErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = 'ApiError';
    this.code = code;
    this.violations = details.violations;
    this.headers = details.headers ?? {};
  }

  get retryAfterSeconds(): number | undefined {
    const row: ErrorRow = errorTable[this.code];
    return row.retryAfterSeconds;
  }

  get status(): number {
    return errorTable[this.code].status;
  }
}

/** An error that is reported to the operator without a stack trace: what is wrong, where, and what to do. */
export class OperatorError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OperatorError';
  }
}
