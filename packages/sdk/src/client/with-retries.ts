// Repeats a request that failed for a while. Every request may be repeated: POST carries an Idempotency-Key.

import { FlaghoistError } from '../flaghoist-error.ts';
import { wait } from './wait.ts';

export interface Retries {
  /** How often to repeat at most. */
  retries: number;
  signal?: AbortSignal | undefined;
}

/** A longer Retry-After is not waited for. */
const waitMsMax = 60_000;

/** If an earlier attempt may have been processed, the error has the failure of that attempt as `cause`. */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  { retries, signal }: Retries,
): Promise<Result> {
  let unclear: FlaghoistError | undefined;
  for (let count = 0; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof FlaghoistError)) throw error;
      const waitMs = waitBeforeRetry(error, count, unclear !== undefined);
      if (count >= retries || waitMs > waitMsMax) throw withCause(error, unclear);
      if (mayHaveBeenProcessed(error)) unclear = error;
      await wait(waitMs, signal);
    }
  }
}

/** Infinite: the same request would fail again. */
function waitBeforeRetry(error: FlaghoistError, count: number, isUnclear: boolean): number {
  const isBusy = error.status === 429 || error.status === 503 || error.status === 507;
  // The first attempt of a POST is still being processed.
  const isRunning = error.code === 'stillRunning' && isUnclear;
  if (!isBusy && !isRunning && !mayHaveBeenProcessed(error)) return Number.POSITIVE_INFINITY;
  const backoffMs = 250 * 2 ** Math.min(count, 5);
  // Spread, so that many clients do not return at once.
  return (error.retryAfterMs ?? backoffMs) + backoffMs * Math.random();
}

function mayHaveBeenProcessed({ code, status }: FlaghoistError): boolean {
  return code === 'network' || code === 'timeout' || status === 502 || status === 504;
}

function withCause(error: FlaghoistError, unclear: FlaghoistError | undefined): FlaghoistError {
  if (!unclear || error.status === 0) return error;
  error.message += ' An earlier attempt got no answer, but may have been processed.';
  error.cause = unclear;
  return error;
}
