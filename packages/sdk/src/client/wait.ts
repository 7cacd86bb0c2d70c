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
