// The address of the page as a signal. Every state that a colleague should see from a pasted link is in it.

import { computed, signal } from '@preact/signals';
import { consolePath } from '../base-path.ts';

export interface Place {
  /** Below `/console`, for example `/subscriptions/1009`; the overview is `/`. */
  path: string;
  query: URLSearchParams;
}

const current = signal(readPlace());

export const place = computed(() => current.value);

function readPlace(): Place {
  const { pathname, search } = window.location;
  const below = pathname.startsWith(consolePath) ? pathname.slice(consolePath.length) : '';
  return { path: below.replace(/\/+$/, '') || '/', query: new URLSearchParams(search) };
}

window.addEventListener('popstate', () => {
  const { path } = readPlace();
  if (!guard || path === current.peek().path) {
    current.value = readPlace();
    return;
  }
  // The address has changed already: it is put back until the answer is there.
  window.history.pushState(null, '', hrefOf(addQuery(current.peek().path, {}, current.peek().query)));
  ask(() => window.history.back());
});

type LeaveGuard = () => Promise<boolean>;

let guard: LeaveGuard | undefined;

/** `mayLeave` is asked before another page is shown. Returns the function that ends it. */
export function guardLeaving(mayLeave: LeaveGuard): () => void {
  guard = mayLeave;
  return () => {
    if (guard === mayLeave) guard = undefined;
  };
}

async function ask(leave: () => void): Promise<void> {
  if (!(await guard?.())) return;
  guard = undefined;
  leave();
}

/** `to`: a path below `/console`, with its query. `replace`: the step back skips the present address. */
export function navigate(to: string, { replace = false } = {}): void {
  if (guard && to.split('?')[0] !== current.peek().path) {
    ask(() => navigate(to, { replace }));
    return;
  }
  const url = hrefOf(to);
  if (replace) window.history.replaceState(null, '', url);
  else window.history.pushState(null, '', url);
  const before = current.value.path;
  current.value = readPlace();
  if (current.value.path !== before) window.scrollTo(0, 0);
}

/** The address of a path below `/console`. */
export function hrefOf(to: string): string {
  return `${consolePath}${to === '/' ? '' : to}`;
}

export type QueryChanges = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The present address with parameters changed. Undefined, empty and no values remove a parameter. */
export function withQuery(changes: QueryChanges): string {
  const { path, query } = current.peek();
  return addQuery(path, changes, query);
}

export function addQuery(path: string, changes: QueryChanges, before = new URLSearchParams()): string {
  const query = new URLSearchParams(before);
  for (const [name, value] of Object.entries(changes)) {
    query.delete(name);
    for (const each of typeof value === 'string' ? [value] : (value ?? [])) if (each !== '') query.append(name, each);
  }
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Changes parameters of the present address. Typing into a field replaces, choosing something does not. */
export function setQuery(changes: QueryChanges, options?: { replace?: boolean }): void {
  navigate(withQuery(changes), options);
}
