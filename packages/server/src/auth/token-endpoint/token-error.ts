// The errors of the token endpoint as one table (RFC 6749 §5.2, plus HTTP errors). They have their own body format.
// `docs/reference/errors.md` lists the same rows.

export const tokenErrorTable = {
  invalid_request: {
    status: 400,
    meaning: 'A parameter is missing, repeated or not text, or the client is named in two ways.',
  },
  unsupported_grant_type: { status: 400, meaning: 'The only grant is `client_credentials`.' },
  invalid_scope: { status: 400, meaning: 'A requested scope has not been granted to the client.' },
  invalid_client: { status: 401, meaning: 'The client is unknown or disabled, or its secret is wrong.' },
  access_denied: {
    status: 403,
    meaning: 'The audience is unknown, is that of the other environment, or has not been granted to the client.',
  },
  too_many_requests: { status: 429, meaning: 'Too many attempts; `Retry-After` says when to continue.' },
  server_error: { status: 500, meaning: 'An internal error.' },
  temporarily_unavailable: {
    status: 503,
    meaning: 'The service is starting or stopping, or its database is unavailable.',
  },
} as const satisfies Record<string, { status: number; meaning: string }>;

export type TokenErrorCode = keyof typeof tokenErrorTable;

export class TokenError extends Error {
  readonly code: TokenErrorCode;
  readonly headers: Record<string, string>;
  readonly status: number;

  /** The description must not contain a quote, a backslash (RFC 6749 §5.2) or anything that the caller sent. */
  constructor(
    code: TokenErrorCode,
    description: string,
    headers: Record<string, string> = {},
    status: number = tokenErrorTable[code].status,
  ) {
    super(description);
    this.name = 'TokenError';
    this.code = code;
    this.headers = headers;
    this.status = status;
  }
}
