// A choice that stays in this browser. Only looks are stored: never a token, and nothing about the installation.

import { effect, type Signal, signal } from '@preact/signals';

export function preference<T extends string>(name: string, otherwise: T, choices: readonly T[]): Signal<T> {
  const stored = read(`flaghoist.${name}`) as T;
  const value = signal(choices.includes(stored) ? stored : otherwise);
  effect(() => write(`flaghoist.${name}`, value.value));
  return value;
}

/** A browser may forbid storage. Then the choice holds until the page is closed. */
function read(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function write(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // The page works without it.
  }
}
