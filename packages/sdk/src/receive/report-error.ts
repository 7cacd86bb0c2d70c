// Where errors go that nobody can be given: to the program's function, or else to the console.

import type { Notification, Ping } from './notification.ts';

export type OnError = (error: unknown, notification: Notification | Ping | undefined) => void;

/** Never throws. */
export function reportError(
  onError: OnError | undefined,
  error: unknown,
  notification: Notification | Ping | undefined,
): void {
  try {
    if (onError) onError(error, notification);
    // biome-ignore lint/suspicious/noConsole: without a function of the program, nobody would learn of the error.
    else console.error(`Flaghoist notification ${notification?.id ?? ''}:`, error);
  } catch {
    // There is nobody else to tell.
  }
}
