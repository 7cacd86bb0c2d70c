// What a client is told whose answer would be too large.

import { ApiError } from '../errors.ts';

export function answerTooLarge(cause?: unknown): ApiError {
  return new ApiError(
    'answerTooLarge',
    'The answer would have more than 64 MB. Page through the list with limit, or select less with fields.',
    { cause },
  );
}

/** It holds for each object of a list, and for all objects of an array POST together. */
export function objectTooLarge(cause: unknown): ApiError {
  return new ApiError(
    'answerTooLarge',
    'An object of the answer would have more than 18 MB. Select less with fields, ' +
      'or page through a list of what it contains.',
    { cause },
  );
}
