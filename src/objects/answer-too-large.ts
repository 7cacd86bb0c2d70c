// What a client is told whose answer would be too large.

import { ApiError } from '../errors.ts';

export function answerTooLarge(cause?: unknown): ApiError {
  return new ApiError(
    'answerTooLarge',
    'The answer would have more than 64 MB. Page through the list with limit, or select less with fields.',
    { cause },
  );
}
