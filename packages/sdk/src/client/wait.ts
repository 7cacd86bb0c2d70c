// Waiting that ends when the caller aborts.

import { FlaghoistError } from '../flaghoist-error.ts';

/** Ends early, with an error, when the signal is aborted. */
export function wait(durationMs: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout>;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, durationMs);
  });
  return orAborted(elapsed, signal).finally(() => clearTimeout(timer));
}

/** As `wait`, but without an error. */
export function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return wait(durationMs, signal).catch(() => undefined);
}

const backoffMsMax = 30_000;

/** Doubles with each failure in a row. The random part keeps many clients from coming back at once. */
export function backoffMs(firstMs: number, failures: number): number {
  const durationMs = Math.min(firstMs * 2 ** Math.max(0, failures - 1), Math.max(firstMs, backoffMsMax));
  return durationMs * (0.75 + Math.random() / 2);
}

/**
 * Calls `react` when the signal is aborted, or at once. Returns how to forget it: a long-lived signal must not collect
 * listeners, as it would with `AbortSignal.any` on Node 20.
 */
export function onAbort(signal: AbortSignal | undefined, react: () => void): () => void {
  signal?.addEventListener('abort', react);
  if (signal?.aborted) react();
  return () => signal?.removeEventListener('abort', react);
}

/** The result of work that others may share: aborting ends only this wait, not the work. */
export function orAborted<Result>(work: Promise<Result>, signal?: AbortSignal): Promise<Result> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const forget = onAbort(signal, () => reject(aborted(signal)));
    work.then(resolve, reject).finally(forget);
  });
}

export function aborted(signal: AbortSignal): FlaghoistError {
  return new FlaghoistError('aborted', 'The call was aborted.', { cause: signal.reason });
}
