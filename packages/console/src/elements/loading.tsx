// What stands where something is loaded: nothing at first, then a skeleton, the content, or what went wrong and a way
// to try again.

import type { ComponentChildren } from 'preact';
import { messageOf, ServiceError } from '../service/service-error.ts';
import type { Reloadable } from '../service/use-loaded.ts';
import { Button } from './button.tsx';

interface LoadingProps<T> {
  of: Reloadable<T>;
  children(value: T): ComponentChildren;
}

export function Loading<T>({ of: loaded, children }: LoadingProps<T>) {
  if (loaded.kind === 'failed') return <Failure error={loaded.error} retry={loaded.reload} />;
  if (loaded.value === undefined) return <Skeleton />;
  return <>{children(loaded.value)}</>;
}

/** Appears after 300 ms (by its style), so that quick answers do not flicker. */
export function Skeleton({ rows = 5 }: { rows?: number }) {
  return (
    <div class="skeleton" aria-busy="true" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} />
      ))}
    </div>
  );
}

export function Failure({ error, retry }: { error: unknown; retry?(): void }) {
  const requestId = error instanceof ServiceError && error.status >= 500 ? error.requestId : undefined;
  return (
    <div class="failure" role="alert">
      <p>{messageOf(error)}</p>
      {requestId && <p class="faint">Request {requestId} in the log of the service.</p>}
      {retry && <Button onClick={retry}>Try again</Button>}
    </div>
  );
}

/** One sentence and at most one button. */
export function Empty({ children, action }: { children: ComponentChildren; action?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>{children}</p>
      {action}
    </div>
  );
}
