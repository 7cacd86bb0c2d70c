// Requests that look short and turn out to have a large answer are repeated as long ones, of which a client has few
// at once. PostgreSQL has refused the first attempt before it built the answer, and nothing of it remains.

import { isLongRead } from '../query/long-request.ts';
import type { View } from '../query/view.ts';

/** `attempt` reads the view back with `readStatement`, and may be called twice. */
export async function longIfLarge<T>(view: View, attempt: (isLong: boolean) => Promise<T>): Promise<T> {
  if (isLongRead(view)) return attempt(true);
  try {
    return await attempt(false);
  } catch (error) {
    if (isTooLarge(error)) return attempt(true);
    throw error;
  }
}

/** 54000: a limit of the program, here on the size of an object. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '54000';
}
