// Keys of the page. A key in a field belongs to the field. The component that was shown last gets a key first.

import { useEffect, useRef } from 'preact/hooks';

export type Keys = Readonly<Record<string, (() => void) | undefined>>;

const stack: { current: Keys }[] = [];
let pending = '';
let pendingTimer: ReturnType<typeof setTimeout> | undefined;

/** `g n`: two keys, one after the other, within a second. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    stack.push(latest);
    return () => {
      stack.splice(stack.indexOf(latest), 1);
    };
  }, []);
}

export function listenForKeys(): void {
  window.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    if (target.closest('input, textarea, select, [contenteditable], dialog, .code-editor')) return;
    // Enter on a link or button is theirs.
    if (event.key === 'Enter' && target.closest('a, button, summary')) return;
    const handler = find(pending === '' ? event.key : `${pending} ${event.key}`) ?? find(event.key);
    pending = '';
    clearTimeout(pendingTimer);
    if (handler) {
      event.preventDefault();
      handler();
    } else if (event.key === 'g') {
      pending = 'g';
      pendingTimer = setTimeout(() => {
        pending = '';
      }, 1_000);
    }
  });
}

function find(key: string): (() => void) | undefined {
  for (const { current } of [...stack].reverse()) if (current[key]) return current[key];
  return undefined;
}
