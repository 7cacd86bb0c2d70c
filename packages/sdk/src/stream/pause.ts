// Waits between tries.

const pauseMsMax = 30_000;

/** Resolves after this time, or as soon as the signal is aborted. */
export function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, durationMs);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}

/** Doubles with each failure in a row. The random part keeps many clients from coming back at once. */
export function backoffMs(firstMs: number, failures: number): number {
  const durationMs = Math.min(firstMs * 2 ** Math.max(0, failures - 1), Math.max(firstMs, pauseMsMax));
  return durationMs * (0.75 + Math.random() / 2);
}
