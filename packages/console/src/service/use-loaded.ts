// Loads something for a component: what it shows while it loads, when it is there, and when it could not be loaded.

import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

export type Loaded<T> =
  | { kind: 'loading'; value: T | undefined }
  | { kind: 'ready'; value: T }
  | { kind: 'failed'; error: unknown; value: T | undefined };

export type Reloadable<T> = Loaded<T> & { reload(): void };

/**
 * `load` runs again when a value of `inputs` changes. The former value stays until the new one is there, so that
 * nothing jumps.
 */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, inputs: readonly unknown[]): Reloadable<T> {
  const [state, setState] = useState<Loaded<T>>({ kind: 'loading', value: undefined });
  const [round, setRound] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    const abort = new AbortController();
    setState((before) => ({ kind: 'loading', value: before.value }));
    latest.current(abort.signal).then(
      (value) => {
        if (!abort.signal.aborted) setState({ kind: 'ready', value });
      },
      (error) => {
        if (!abort.signal.aborted) setState((before) => ({ kind: 'failed', error, value: before.value }));
      },
    );
    return () => abort.abort();
  }, [...inputs, round]);
  const reload = useCallback(() => setRound((count) => count + 1), []);
  return { ...state, reload };
}
