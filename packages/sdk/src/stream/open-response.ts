// How a stream reaches the service, and what its errors mean for the next try.

import { FlaghoistError } from '../flaghoist-error.ts';

export interface StreamRequest {
  method: 'GET' | 'POST';
  path: string;
  query?: Record<string, number>;
  headers?: Record<string, string | undefined>;
  body?: unknown;
  signal: AbortSignal;
}

/** Sends a request with a token. Throws a FlaghoistError for every response that is not 2xx. */
export type OpenResponse = (request: StreamRequest) => Promise<Response>;

/**
 * Whether the next try would fail as well: the service itself says that the subscription does not exist, has ended, or
 * is not the caller's. Other errors may pass, for example one of the program's own function for tokens, or a 404 of an
 * ingress while the service is replaced.
 */
export function isFinal(error: unknown): boolean {
  if (!(error instanceof FlaghoistError)) return false;
  const { status, code } = error;
  if (code === 'unknownAnswer') return false;
  return status === 0 ? code === 'invalidRequest' : status < 500 && status !== 408 && status !== 429;
}
