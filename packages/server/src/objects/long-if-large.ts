// Repeats a short request as a long one if its answer is large; a client may run only a few long requests at once.
// PostgreSQL rejects the first attempt before it builds the answer, and the attempt leaves nothing behind.

import { isLongRead } from '../query/long-request.ts';
import type { View } from '../query/view.ts';

/** `attempt` reads the view back with `readStatement`. It may be called twice. */
export async function longIfLarge<T>(view: View, attempt: (isLong: boolean) => Promise<T>): Promise<T> {
  if (isLongRead(view)) return attempt(true);
  try {
    return await attempt(false);
  } catch (error) {
    if (isTooLarge(error)) return attempt(true);
    throw error;
  }
}

/** 54000 is program_limit_exceeded, here for the size of an object. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '54000';
}
