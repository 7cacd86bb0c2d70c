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

/** The result of work that others may share: aborting ends only this wait, not the work. */
export function orAborted<Result>(work: Promise<Result>, signal?: AbortSignal): Promise<Result> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(aborted(signal));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

export function aborted(signal: AbortSignal): FlaghoistError {
  return new FlaghoistError('aborted', 'The call was aborted.', { cause: signal.reason });
}
